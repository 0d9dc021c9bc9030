// The rules of docs/ARCHITECTURE.md that are held by a test, not by memory. Each is also shown a bad example, so that none
// of them can pass by looking at nothing.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as rules from './support/house-rules.ts';
import * as imports from './support/import-rules.ts';
import { type Rule, readSourceFiles, sourceFile } from './support/source-file.ts';

const files = [
  ...readSourceFiles(['src', 'test', 'bench', 'site']),
  sourceFile('vitest.config.ts', readFileSync('vitest.config.ts', 'utf8')),
];

const lines = (count: number) => 'x();\n'.repeat(count);

/** Rule, and what it must complain about: path → text. */
const table: [what: string, rule: Rule, bad: Record<string, string>][] = [
  [
    'imports follow the direction of the house',
    imports.importDirection,
    { 'src/market-data/book/writer.ts': "import { x } from '../../gateway/stream/venue-stream.ts';" },
  ],
  [
    'a room imports no room above it',
    imports.importDirection,
    { 'src/core/domain/order.ts': "import { x } from '../store/files.ts';" },
  ],
  [
    'each direction is used by an import',
    imports.directionsAreUsed,
    { 'src/core/wire/frame.ts': "import { x } from '../domain/order.ts';" },
  ],
  [
    'venues do not know each other',
    imports.venuesApart,
    { 'src/venues/venue-a/feed.ts': "import { x } from '../venue-b/feed.ts';" },
  ],
  [
    'a venue never touches shared memory',
    imports.importDirection,
    { 'src/venues/venue-a/feed.ts': "import { x } from '../../market-data/book/memory.ts';" },
  ],
  [
    'a port is imported for its types only',
    imports.importDirection,
    { 'src/market-data/book/writer.ts': "import { x } from '../../gateway/feed.ts';" },
  ],
  [
    'only its feed thread holds the writing end of a book',
    imports.oneWriter,
    { 'src/gateway/stream/venue-stream.ts': "import { x } from '../../market-data/book/writer.ts';" },
  ],
  [
    'src does not need test or bench',
    imports.sourceStandsAlone,
    { 'src/main.ts': "import { x } from '../bench/harness.ts';" },
  ],
  [
    'no files of src import each other in a circle',
    imports.noImportCircles,
    {
      'src/core/net/a.ts': "import { x } from './b.ts';",
      'src/core/net/b.ts': "import type { Y } from './a.ts';",
    },
  ],
  ['domain has no IO', rules.domainIsPure, { 'src/core/domain/a.ts': "import { readFileSync } from 'node:fs';" }],
  ['domain has no clock', rules.domainIsPure, { 'src/core/domain/a.ts': 'const now = Date.now();' }],
  ['domain has no randomness', rules.domainIsPure, { 'src/core/domain/a.ts': 'const id = Math.random();' }],
  ['domain has no environment', rules.domainIsPure, { 'src/core/domain/a.ts': 'const home = process.env.HOME;' }],
  [
    'a third-party package enters through one file',
    rules.onePackageOneFile,
    {
      'src/core/net/a.ts': "import { x } from 'ws';",
      'src/core/net/b.ts': "const { y } = createRequire(import.meta.url)('ws/lib/z.js') as Z;",
    },
  ],
  [
    'money, prices and sizes are branded',
    rules.moneyIsBranded,
    { 'src/gateway/a.ts': 'interface A { bestPrice: number }' },
  ],
  [
    'no money passes through a float',
    rules.noFloatText,
    { 'src/core/wire/a.ts': 'const price = Number.parseFloat(text);' },
  ],
  ['no literal is spread into another', rules.noSpreadLiterals, { 'src/a.ts': 'const a = { ...{ b: 1 } };' }],
  ['times as text have one reader', rules.oneReaderOfTimes, { 'src/core/wire/a.ts': 'const at = Date.parse(text);' }],
  ['durations name their unit', rules.unitsInNames, { 'src/core/net/a.ts': 'function f(timeout: number) {}' }],
  ['limits name their unit', rules.limitsNameTheirUnit, { 'src/limits.ts': 'export const limits = { patience: 5 };' }],
  [
    'limits of orders name theirs, too',
    rules.limitsNameTheirUnit,
    { 'src/order-limits.ts': 'export const orderLimits = { patience: 5 };' },
  ],
  [
    'and those of the paper exchanges',
    rules.limitsNameTheirUnit,
    { 'src/paper-limits.ts': 'export const paperLimits = { patience: 5 };' },
  ],
  [
    'tests wait with one patience',
    rules.onePatience,
    { 'test/a.test.ts': 'await vi.waitFor(() => expect(x).toBe(1));' },
  ],
  [
    'also for a single value',
    rules.onePatience,
    { 'test/a.test.ts': 'await expect.poll(() => x, { timeout: 1_000 }).toBe(1);' },
  ],
  [
    'titles of tests stand alone',
    rules.titlesStandAlone,
    { 'test/a.test.ts': "describe('a', () => it.each([1])('and so is %i', () => {}));" },
  ],
  [
    'a list of test files names files that exist',
    rules.listedTestsExist,
    { 'vitest.config.ts': "const alone = ['test/{a,b}.test.ts'];", 'test/a.test.ts': 'x();' },
  ],
  ['no module waits at its top level', rules.noTopLevelAwait, { 'src/paper/a.ts': 'const x = await f();' }],
  ['a switch has an end', rules.switchesEnd, { 'src/core/wire/a.ts': "switch (x) { case 'a': y(); }" }],
  ['no any', rules.plainTypeScript, { 'src/a.ts': 'let x: any;' }],
  ['no enum', rules.plainTypeScript, { 'src/a.ts': 'enum X { A }' }],
  ['no namespace', rules.plainTypeScript, { 'src/a.ts': 'namespace X {}' }],
  ['no default export', rules.plainTypeScript, { 'src/a.ts': 'export default 1;' }],
  ['no parameter property', rules.plainTypeScript, { 'src/a.ts': 'class X { constructor(private y: string) {} }' }],
  ['the compiler is not silenced', rules.plainTypeScript, { 'src/a.ts': '// @ts-ignore\nx();' }],
  ['no barrel file', rules.noBarrels, { 'src/index.ts': "export { x } from './x.ts';\nexport { y } from './y.ts';" }],
  ['file names say something', rules.namesThatTell, { 'src/core/net/socket-utils.ts': '' }],
  ['files are short', rules.shortFiles, { 'src/a.ts': lines(401) }],
  ['functions are short', rules.shortFunctions, { 'src/a.ts': `const f = () => {\n${lines(70)}};` }],
  ['what a file offers is taken', rules.exportsAreTaken, { 'src/a.ts': 'export function x(): void {}' }],
  ['files open with what they are', rules.headers, { 'src/a.ts': 'export const x = 1;' }],
];

describe.each(table)('%s', (_what, rule, bad) => {
  it('here', () => {
    expect(rule(files)).toEqual([]);
  });

  it('a violation would be noticed', () => {
    expect(rule(Object.entries(bad).map(([path, text]) => sourceFile(path, text)))).not.toEqual([]);
  });
});

it('an import circle is reported by its files, and a file with two importers is none', () => {
  const sources = [
    sourceFile('src/core/net/a.ts', "import { x } from './b.ts';\nimport { y } from './c.ts';"),
    sourceFile('src/core/net/b.ts', "import { z } from './d.ts';"),
    sourceFile('src/core/net/c.ts', "export { z } from './d.ts';"),
    sourceFile('src/core/net/d.ts', "import type { X } from './b.ts';"),
  ];
  expect(imports.noImportCircles(sources)).toEqual(['src/core/net/b.ts → src/core/net/d.ts → src/core/net/b.ts']);
});

it('docs/ARCHITECTURE.md §2 says what each folder is for, from the ground up', () => {
  const [, section = ''] = /^## 2\. Folders$(.*)^## 3\./ms.exec(readFileSync('docs/ARCHITECTURE.md', 'utf8')) ?? [];
  const described = [...section.matchAll(/^\| `([\w-]+)\/` \| .+ \|$/gm)].map(([, room]) => room);
  expect(described).toEqual(Object.keys(imports.DIRECTIONS));
});

describe('the compiler holds its share', () => {
  it.each([
    'strict',
    'noUncheckedIndexedAccess',
    'exactOptionalPropertyTypes',
    'erasableSyntaxOnly',
    'verbatimModuleSyntax',
    'noImplicitReturns',
  ])('%s', option => {
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
    expect(compilerOptions[option]).toBe(true);
  });
});

describe('nothing of the machine that wrote it', () => {
  // In pieces, so that this file does not mention them either.
  const machinePath = new RegExp(`/(${['work', 'tmp', 'root', 'home'].join('|')})/`);
  const registry = new RegExp(
    ['"resolved":', '"https?:'].join(' ') + ['|_auth', 'Token'].join('') + ['|^registry', 'http'].join('='),
    'm',
  );
  const mentions = (text: string) => machinePath.test(text) || registry.test(text);

  it('is in any file', () => {
    expect(textFiles('.').filter(path => mentions(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('a mention would be noticed', () => {
    expect(mentions(`read(${['', 'work', 'shared', ''].join('/')})`)).toBe(true);
    expect(mentions(`${['"resolved"', '"https://x/y.tgz"'].join(': ')}`)).toBe(true);
    expect(mentions("import { network } from './network/tmp.ts';")).toBe(false);
  });
});

/** Every file of the repository but what git ignores; binary files are read as text and do no harm. */
function textFiles(folder: string): string[] {
  const ignored = new Set([
    '.git',
    ...readFileSync('.gitignore', 'utf8')
      .split('\n')
      .map(line => line.replace('/', '')),
  ]);
  return readdirSync(folder)
    .filter(name => !ignored.has(name) && !name.endsWith('.log'))
    .map(name => join(folder, name))
    .flatMap(path => (statSync(path).isDirectory() ? textFiles(path) : [path]));
}
