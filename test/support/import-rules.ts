// Which file of src may import which: the rooms and their arrows, as docs/HACKING.md draws them. One function for each rule, from source
// files to complaints. test/tidy.test.ts runs them on this repository and on bad examples.

import { posix } from 'node:path';
import { inFolder, type Rule, type SourceFile } from './source-file.ts';

/** Rooms, and those above them that each imports from. No other arrow is allowed, and none is unused. `limits.ts` and `threads.ts` may be imported from everywhere. */
export const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  'limits.ts': ['order-limits.ts', 'paper-limits.ts'],
  'config.ts': ['runtime', 'nats', 'recording', 'venues', 'relay'],
  domain: [],
  metrics: [],
  runtime: ['domain', 'metrics'],
  nats: ['domain', 'runtime'],
  net: [],
  book: ['domain'],
  wire: ['domain'],
  auth: ['domain', 'runtime'],
  store: ['domain', 'runtime', 'nats'],
  recording: ['domain', 'metrics', 'runtime', 'book', 'store'],
  journal: ['domain', 'nats', 'store'],
  ledger: ['domain', 'store'],
  venues: ['domain', 'metrics', 'runtime', 'net'],
  relay: ['domain', 'metrics', 'runtime', 'nats', 'book', 'wire', 'venues'],
  feeds: ['domain', 'metrics', 'runtime', 'nats', 'net', 'book', 'recording', 'venues', 'relay'],
  catalog: ['domain', 'metrics', 'runtime', 'net', 'wire', 'store', 'venues'],
  checks: ['domain', 'metrics', 'runtime', 'wire', 'auth', 'catalog'],
  orders: ['domain', 'runtime', 'wire', 'store', 'venues'],
  history: ['domain', 'metrics', 'runtime', 'wire', 'store', 'journal', 'ledger'],
  engine: [
    'domain',
    'metrics',
    'runtime',
    'nats',
    'net',
    'book',
    'wire',
    'store',
    'journal',
    'ledger',
    'venues',
    'orders',
    'history',
  ],
  guard: ['domain', 'metrics', 'runtime', 'book', 'wire', 'store', 'venues', 'orders', 'engine'],
  trading: [
    'domain',
    'metrics',
    'runtime',
    'book',
    'wire',
    'auth',
    'store',
    'journal',
    'venues',
    'checks',
    'orders',
    'history',
    'engine',
    'guard',
  ],
  gateway: [
    'domain',
    'metrics',
    'runtime',
    'net',
    'book',
    'wire',
    'auth',
    'store',
    'venues',
    'feeds',
    'catalog',
    'checks',
    'orders',
    'trading',
  ],
  door: ['domain', 'metrics', 'runtime', 'net', 'wire', 'auth', 'checks', 'orders', 'engine', 'trading', 'gateway'],
  replay: ['domain', 'runtime', 'net', 'recording', 'venues'],
  paper: ['domain', 'runtime', 'net', 'venues', 'replay'],
  client: ['domain', 'net', 'book', 'wire', 'auth'],
  page: ['domain', 'client'],
  rehearsal: [
    'domain',
    'metrics',
    'runtime',
    'net',
    'book',
    'store',
    'journal',
    'venues',
    'catalog',
    'checks',
    'history',
    'engine',
    'guard',
    'trading',
    'gateway',
    'door',
    'paper',
    'client',
  ],
  conversion: ['domain', 'metrics', 'runtime', 'net', 'book', 'store', 'recording', 'venues', 'replay'],
  cli: [
    'domain',
    'runtime',
    'nats',
    'net',
    'book',
    'wire',
    'auth',
    'store',
    'recording',
    'ledger',
    'venues',
    'catalog',
    'history',
    'paper',
    'client',
    'conversion',
  ],
  shm: ['domain', 'metrics', 'runtime', 'book'],
};

/** May be imported from anywhere: they import no room. */
const FOR_ALL = ['src/limits.ts', 'src/threads.ts'];

/** May be imported from anywhere, for their types only: ports, which others implement, and what main.ts passes down. */
const TYPES_FOR_ALL = ['src/venues/feed.ts', 'src/config.ts'];

/** Rule 3: who may hold the writing end of shared memory. */
const WRITERS: Readonly<Record<string, string | readonly string[]>> = {
  'src/book/writer.ts': ['src/feeds/feed-worker.ts', 'src/feeds/stream-drift.ts', 'src/conversion/captures/'],
  'src/book/tape-writer.ts': 'src/book/',
  'src/book/book-index-writer.ts': ['src/gateway/stream/', 'src/conversion/captures/'],
  'src/book/ladder.ts': 'src/book/',
  'src/book/layout.ts': 'src/book/',
};

export const importDirection: Rule = files =>
  eachImport(files, (file, target, isTypeOnly) => {
    const from = folderOf(file.path);
    const to = folderOf(target);
    if (from === to || FOR_ALL.includes(target) || isEntry(file.path) || !target.startsWith('src/')) return null;
    if (isTypeOnly && TYPES_FOR_ALL.includes(target)) return null;
    return DIRECTIONS[from]?.includes(to) ? null : `${from} must not import ${target}`;
  });

/** An arrow without an import would allow one that nobody has thought about. */
export const directionsAreUsed: Rule = files => {
  const used = new Set<string>();
  eachImport(files, (file, target, isTypeOnly) => {
    if (!(isTypeOnly && TYPES_FOR_ALL.includes(target))) used.add(`${folderOf(file.path)} → ${folderOf(target)}`);
    return null;
  });
  const arrows = Object.entries(DIRECTIONS).flatMap(([from, targets]) => targets.map(to => `${from} → ${to}`));
  return arrows.filter(arrow => !used.has(arrow)).map(arrow => `no import needs ${arrow}`);
};

export const venuesApart: Rule = files =>
  eachImport(files, (file, target) => {
    const [own, other] = [file.path, target].map(path => /^src\/venues\/(venue-\w)\//.exec(path)?.[1]);
    return own !== undefined && other !== undefined && own !== other ? `must not import ${target}` : null;
  });

export const oneWriter: Rule = files =>
  eachImport(files, (file, target, isTypeOnly) => {
    const allowed = WRITERS[target];
    if (allowed === undefined || isTypeOnly) return null;
    return [allowed].flat().some(it => file.path.startsWith(it)) ? null : `must not import ${target}`;
  });

export const sourceStandsAlone: Rule = files =>
  eachImport(files, (_file, target) => (target.startsWith('src/') ? null : `src must not import ${target}`));

/** Types included: the files of a circle can only be understood together. */
export const noImportCircles: Rule = files => {
  const imports = new Map(inFolder(files, 'src/').map(file => [file.path, targetsOf(file)]));
  const visited = new Set<string>();
  const circlesFrom = (path: string, importers: readonly string[]): string[] => {
    if (importers.includes(path)) return [[...importers.slice(importers.indexOf(path)), path].join(' → ')];
    if (visited.has(path)) return [];
    visited.add(path);
    return [...(imports.get(path) ?? [])].flatMap(target => circlesFrom(target, [...importers, path]));
  };
  return [...imports.keys()].flatMap(path => circlesFrom(path, []));
};

function eachImport(
  files: readonly SourceFile[],
  judge: (file: SourceFile, target: string, isTypeOnly: boolean) => string | null,
): string[] {
  return inFolder(files, 'src/').flatMap(file =>
    file.imports.flatMap(({ specifier, isTypeOnly }) => {
      if (!specifier.startsWith('.')) return [];
      const verdict = judge(file, posix.join(posix.dirname(file.path), specifier), isTypeOnly);
      return verdict === null ? [] : [`${file.path}: ${verdict}`];
    }),
  );
}

/** Files that it imports, each once. */
function targetsOf({ path, imports }: SourceFile): Set<string> {
  const relative = imports.map(it => it.specifier).filter(specifier => specifier.startsWith('.'));
  return new Set(relative.map(specifier => posix.join(posix.dirname(path), specifier)));
}

/** The folder of src that a file belongs to; its own name for a file of src itself. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? path;
}

/** main.ts builds everything, with what serves as the venues and what a first start leaves behind. */
function isEntry(path: string): boolean {
  return [
    'src/main.ts',
    'src/doctor.ts',
    'src/venue-b.ts',
    'src/venue-source.ts',
    'src/first-start.ts',
    'src/data-dir.ts',
  ].includes(path);
}
