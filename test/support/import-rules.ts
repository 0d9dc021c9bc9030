// Which file of src may import which: the eight folders and their arrows, as docs/HACKING.md draws them. Each rule is a function from
// source files to complaints. test/tidy.test.ts runs the rules on this repository and on bad examples.

import { posix } from 'node:path';
import { inFolder, type Rule, type SourceFile } from './source-file.ts';

/** The eight folders of src, and the folders that each may import. No other arrow is allowed, and every arrow is used. */
export const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  venues: ['core'],
  'market-data': ['core', 'venues'],
  catalog: ['core', 'venues'],
  orders: ['core', 'venues', 'market-data'],
  gateway: ['core', 'venues', 'market-data', 'catalog', 'orders'],
  paper: ['core', 'venues', 'market-data'],
  tools: ['core', 'venues', 'market-data', 'catalog', 'orders', 'gateway', 'paper'],
};

/**
 * The rooms of a folder, from the ground up: no room imports a room that stands after it. A dot stands for all files that have no entry of
 * their own.
 */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  core: ['generated', 'domain', 'metrics', 'runtime', 'nats', 'net', 'wire', 'auth', 'store', 'alerts'],
  'market-data': ['book', 'recording', 'relay', 'feeds', 'shm'],
  orders: ['journal', 'ledger', 'life', 'history', 'engine', 'guard'],
  gateway: ['checks', 'trading', '.', 'door'],
  paper: ['replay', '.'],
  tools: ['client', 'page', 'rehearsal', 'conversion', 'cli'],
};

/**
 * The programs and their parts, which import from every folder: the files that start the gateway, and the files that say how it would
 * start.
 */
const ENTRIES = [
  'src/main.ts',
  'src/venue-source.ts',
  'src/first-start.ts',
  'src/data-dir.ts',
  'src/tools/cli/doctor.ts',
];

/** The folders from which `config.ts` reads what they know of their own settings. */
const CONFIG_READS = ['core', 'venues', 'market-data'];

/** Files that any file may import. The limits are put together from three files. */
export const LIMITS_FILES = ['src/limits.ts', 'src/order-limits.ts', 'src/paper-limits.ts'];
const FOR_ALL = [...LIMITS_FILES, 'src/threads.ts'];

/** Files that any file may import for their types only: ports, which others implement, and the types that main.ts passes down. */
const TYPES_FOR_ALL = ['src/venues/feed.ts', 'src/config.ts'];

/** Rule 3: the files that may hold the writing end of shared memory. */
const WRITERS: Readonly<Record<string, string | readonly string[]>> = {
  'src/market-data/book/writer.ts': [
    'src/market-data/feeds/feed-worker.ts',
    'src/market-data/feeds/stream-drift.ts',
    'src/tools/conversion/captures/',
  ],
  'src/market-data/book/tape-writer.ts': 'src/market-data/book/',
  'src/market-data/book/book-index-writer.ts': ['src/gateway/stream/', 'src/tools/conversion/captures/'],
  'src/market-data/book/ladder.ts': 'src/market-data/book/',
  'src/market-data/book/layout.ts': 'src/market-data/book/',
};

export const importDirection: Rule = files =>
  eachImport(files, (file, target, isTypeOnly) => {
    if (FOR_ALL.includes(target) || ENTRIES.includes(file.path) || !target.startsWith('src/')) return null;
    if (isTypeOnly && TYPES_FOR_ALL.includes(target)) return null;
    const [from, to] = [folderOf(file.path), folderOf(target)];
    if (from === to) return standsAbove(from, file.path, target) ? null : `must not import ${target}`;
    const allowed = file.path === 'src/config.ts' ? CONFIG_READS : DIRECTIONS[from];
    return allowed?.includes(to) ? null : `${from} must not import ${target}`;
  });

/** Every arrow needs an import, because an unused arrow would allow an import that nobody has thought about. */
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

/** Imports of types count, because the files of a circle can only be understood together. */
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

/** Returns the files that a file imports, each once. */
function targetsOf({ path, imports }: SourceFile): Set<string> {
  const relative = imports.map(it => it.specifier).filter(specifier => specifier.startsWith('.'));
  return new Set(relative.map(specifier => posix.join(posix.dirname(path), specifier)));
}

/** Returns the folder of src to which a file belongs. For a file directly in src, returns the file's own name. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? path;
}

function standsAbove(folder: string, path: string, target: string): boolean {
  const floors = FLOORS[folder];
  if (floors === undefined) return true;
  const floorOf = (file: string): number => {
    const room = file.split('/')[2]!;
    return floors.indexOf(floors.includes(room) ? room : '.');
  };
  return floorOf(target) <= floorOf(path);
}
