// The loader of src/core/runtime/stripped-types.js in an installation of its own. A program runs as it does without the loader, from what the
// loader kept of it the last time.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '../../support/test-folder.ts';

const LOADER = 'src/core/runtime/stripped-types.js';
const MAIN = `// Starts a thread, and fails at a line and column of its own.
import { Worker } from 'node:worker_threads';
import { double, type Count } from './double.ts';
const count: Count = 21;
await new Promise(resolve => new Worker(new URL('./thread.ts', import.meta.url)).once('exit', resolve));
console.log(double(count));
const failing: string = JSON.parse('no JSON');
`;
const PROGRAM = {
  'src/main.ts': MAIN,
  'src/double.ts': 'export type Count = number;\nexport const double = (count: Count): Count => 2 * count;\n',
  'src/thread.ts': "import { double } from './double.ts';\nconsole.log('thread', double(1) as number);\n",
};

let folder: string;
beforeEach(() => {
  folder = testFolder();
  for (const [name, text] of Object.entries(PROGRAM)) write(name, text);
  write('package.json', '{ "type": "module" }');
  mkdirSync(dirname(join(folder, LOADER)), { recursive: true });
  copyFileSync(resolve(LOADER), join(folder, LOADER));
});

it('runs a program with its threads as Node itself does, the first time and from what was kept', () => {
  const expected = run([]);
  expect(expected).toMatch(/^thread 2\n42\n(?:.|\n)*src\/main\.ts:7:\d+/);
  expect(run(['--import', `./${LOADER}`])).toBe(expected);
  expect(kept()).toHaveLength(3);
  expect(run(['--import', `./${LOADER}`])).toBe(expected);
  expect(kept()).toHaveLength(3);
});

it('the loader reads what was kept, and a changed file anew', () => {
  const flags = ['--import', `./${LOADER}`];
  run(flags);
  const path = kept().find(it => readFileSync(it, 'utf8').includes('2 * count'))!;
  const text = readFileSync(path, 'utf8').split('\n').slice(1).join('\n').replace('2 * count', '100 * count');
  writeFileSync(path, `${createHash('sha256').update(text).digest('hex')}\n${text}`);
  expect(run(flags)).toContain('2100\n');
  write('src/double.ts', PROGRAM['src/double.ts'].replace('2 *', '3 *'));
  expect(run(flags)).toContain('63\n');
});

it('runs it where nothing can be kept', () => {
  write('node_modules', 'a file, in which no folder can be made');
  expect(run(['--import', `./${LOADER}`])).toContain('thread 2\n42\n');
});

it('says which Node it needs to one that is another', () => {
  write('other-node.js', "Object.defineProperty(process.versions, 'modules', { value: '115' });");
  expect(run(['--import', './other-node.js', '--import', `./${LOADER}`])).toMatch(
    /^crossbook: runs on Node 22, not on v\S+ \(\S+\): start it with node_modules\/\.bin\/node, .*\n$/,
  );
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Returns the text of both outputs. The program has to fail. */
function run(flags: readonly string[]): string {
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  try {
    execFileSync(process.execPath, [...flags, '--disable-warning=ExperimentalWarning', 'src/main.ts'], options);
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return stdout + stderr.replaceAll(folder, '');
  }
  throw new Error('it must fail');
}

function kept(): string[] {
  const cache = join(folder, 'node_modules/.cache/crossbook', process.version);
  return readdirSync(cache).map(name => join(cache, name));
}
