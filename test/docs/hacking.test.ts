// docs/HACKING.md, docs/ARCHITECTURE.md and docs/adr/README.md against the code. The drawing of the folders is what the house rules allow. The
// list of threads has every entry file, the index every decision. And .nvmrc names the Node that package.json pins.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { THREADS } from '../../src/threads.ts';
import { DIRECTIONS } from '../support/import-rules.ts';

type Directions = Readonly<Record<string, readonly string[]>>;

const HACKING = readFileSync('docs/HACKING.md', 'utf8');
const ARCHITECTURE = readFileSync('docs/ARCHITECTURE.md', 'utf8');

const PAGE_LINES = 55;
const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** A line of the drawing: a mark for each folder above, the name of the folder, its file to open first. */
const LINE = /^((?:[●·] )*)([\w-]+) +(\S+)$/gm;

interface Drawn {
  readonly room: string;
  readonly arrows: string;
  readonly opened: string;
}

function drawnIn(text: string): Drawn[] {
  const [, drawing = ''] = /^```text\n(core .*?)^```$/ms.exec(text) ?? [];
  return [...drawing.matchAll(LINE)].map(([, arrows, room, opened]) => ({
    room: room!,
    arrows: arrows!,
    opened: opened!,
  }));
}

/** As the rules allow: folders in the given sequence, then the folders that the sequence lacks. An arrow that points down says so. */
function lines(directions: Directions, sequence: readonly string[]): string[] {
  const missing = Object.keys(directions).filter(room => !sequence.includes(room));
  const rooms = [...sequence.filter(room => directions[room] !== undefined), ...missing];
  return rooms.map((room, index) => {
    const above = rooms.slice(0, index);
    const below = directions[room]!.filter(it => !above.includes(it)).map(it => ` ▼ ${it}`);
    return `${above.map(it => (directions[room]!.includes(it) ? '● ' : '· ')).join('')}${room}${below.join('')}`;
  });
}

describe('the drawing of the folders', () => {
  const drawn = drawnIn(HACKING);
  const sequence = drawn.map(({ room }) => room);
  const shown = drawn.map(({ arrows, room }) => arrows + room);

  it('is DIRECTIONS of test/support/import-rules.ts', () => {
    expect(shown).toEqual(lines(DIRECTIONS, sequence));
  });

  const { catalog: _, ...fewer } = DIRECTIONS;
  it.each<[string, Directions]>([
    ['another folder', { ...DIRECTIONS, attic: [] }],
    ['a folder less', fewer],
    ['another arrow', { ...DIRECTIONS, paper: [...DIRECTIONS.paper!, 'orders'] }],
    ['an arrow less', { ...DIRECTIONS, paper: [] }],
    ['an arrow that points down', { ...DIRECTIONS, core: ['tools'] }],
  ])('differs by %s', (_what, directions) => {
    expect(shown).not.toEqual(lines(directions, sequence));
  });

  it('names files that exist', () => {
    expect(drawn.filter(({ room, opened }) => !existsSync(`src/${room}/${opened}`))).toEqual([]);
  });
});

it('the list of threads, and src/threads.ts, have each entry file', () => {
  const [, section = ''] = /^## 1\. Threads$(.*?)^## /ms.exec(ARCHITECTURE) ?? [];
  const listed = [...section.matchAll(/^\| [^|]+ \| `(src\/[^`]+)` \|/gm)].map(([, path]) => path!);
  const started = Object.values(THREADS).map(({ entry }) => relative('.', fileURLToPath(entry)));
  expect(listed.toSorted()).toEqual(['src/main.ts', ...started].toSorted());
  const entries = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('-worker.ts'));
  expect(started.toSorted()).toEqual(entries.map(path => `src/${path}`).toSorted());
});

it('the index of decisions has each, with its number and title, and none is superseded', () => {
  const rows = [...readFileSync('docs/adr/README.md', 'utf8').matchAll(/^\| \[(\d{4})\]\((.+?)\) \| (.+?) \|$/gm)];
  const listed = rows.map(([, number, file, title]) => ({ number, file, title }));
  const files = readdirSync('docs/adr')
    .filter(name => name !== 'README.md')
    .toSorted();
  const written = files.map(file => {
    const [, number, title] = /^# (\d{4})(?: ·|:) (.+)$/m.exec(readFileSync(`docs/adr/${file}`, 'utf8'))!;
    return { number, file, title };
  });
  expect(listed).toEqual(written);
  expect(files.filter(file => /^\*\*Superseded\*\*/m.test(readFileSync(`docs/adr/${file}`, 'utf8')))).toEqual([]);
});

it('a decision takes one page', () => {
  const lengths = readdirSync('docs/adr').map(name => ({
    name,
    lines: linesOf(readFileSync(`docs/adr/${name}`, 'utf8')),
  }));
  expect(lengths.filter(({ lines }) => lines > PAGE_LINES)).toEqual([]);
  expect(linesOf(`${'a\n'.repeat(PAGE_LINES)}a\n`)).toBeGreaterThan(PAGE_LINES);
});

it('.nvmrc is the Node of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(dependencies.node);
});
