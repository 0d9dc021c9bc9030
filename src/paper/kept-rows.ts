// The rows that the paper exchanges keep from one run to the next, by kind and id, in memory and in a file. Each request appends one line
// with all rows that it has changed, before its answer leaves. So after kill -9 the file has whole requests, and all that were answered.
// The file is rewritten with only the present rows at each start and once it has grown. Blocks. Thread of the paper exchanges.

import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { wordsOf } from '../core/domain/error-words.ts';
import { isObject, parseJson } from '../core/domain/json.ts';
import { Random } from '../core/runtime/random.ts';
import { limits } from '../limits.ts';
import { onlyGames } from './catalog/catalog.ts';
import type { Catalog } from './catalog/listings.ts';

/**
 * The most rows of each kind. Records of some kinds never end, so their oldest rows are dropped. 0 means that a kind needs no bound of its
 * own.
 */
const KINDS = {
  world: 0,
  game: 0,
  'venue_a ids': 0,
  'venue_a key': 0,
  'venue_a owner': 0,
  'venue_a account': 0,
  'venue_a market': 0,
  'venue_a wallet': 0,
  'venue_a position': 0,
  'venue_a order': 0,
  'venue_a ended': limits.paperVenueAEndedOrdersMax,
  'venue_a trade': limits.paperVenueATradesMax,
  'venue_a conversion': limits.paperVenueAConversionsPerWalletMax,
  'venue_b ids': 0,
  'venue_b user': 0,
  'venue_b funds': 0,
  'venue_b market': 0,
  'venue_b account': 0,
  'venue_b group': 0,
  'venue_b holding': 0,
  'venue_b position': 0,
  'venue_b order': 0,
  'venue_b ended': limits.paperOrderRecordsMax,
  'venue_b fill': limits.paperFillsPerAccountMax,
  'venue_b settlement': limits.paperSettlementsPerAccountMax,
} as const;
export type KeptKind = keyof typeof KINDS;

/** The error of kept rows that cannot be used. Its message names the file. */
export class KeptError extends Error {
  override readonly name = 'KeptError';
}

/** The kept rows as an exchange sees them. */
export interface Keeping {
  /**
   * The next commit writes the value that `row` has then; null removes the row. Has no effect before the exchanges have taken up the kept
   * rows.
   */
  touch(kind: KeptKind, id: string, row: () => object | null): void;
  /** Keeps the listings of the game, because a caller has something in it. */
  touchGame(game: string): void;
  /** Each commit that writes rows also writes this row. */
  addToEach(kind: KeptKind, row: () => object): void;
  /** Writes the changed rows. Call this at the end of a request, before its answer. */
  commit(): void;
  /** Returns the rows of the last run with their ids, oldest first. */
  rows(kind: KeptKind): Iterable<readonly [id: string, row: unknown]>;
}

/** Keeps nothing. */
export const NOT_KEPT: Keeping = {
  touch: () => {},
  touchGame: () => {},
  addToEach: () => {},
  commit: () => {},
  rows: () => [],
};

const FORMAT = { format: 'crossbook paper exchanges', version: 1 };
/** The size below which the file is not rewritten. */
const REWRITE_BYTES_MIN = 4 * 1024 * 1024;
/** A file is rewritten once it is this many times as large as its rows. */
const REWRITE_FACTOR = 4;

type Row = readonly [kind: KeptKind, id: string, row: object | null];

export class KeptRows implements Keeping {
  /** The path of the file. */
  readonly path: string;
  readonly #onFailure: (error: unknown) => void;
  /** The rows as JSON. */
  readonly #rows = new Map<KeptKind, Map<string, string>>();
  /** The catalogs of games that are listed. */
  #catalogs: Catalog[] = [];
  readonly #games = new Set<string>();
  readonly #withEach: (readonly [KeptKind, () => object])[] = [];
  readonly #touched = new Map<string, readonly [KeptKind, string, () => object | null]>();
  #file: number | null = null;
  #bytes = 0;
  #bytesRewritten = 0;
  #hasFailed = false;

  /** Reads the file. Without a file there are no rows. `onFailure` gets the error if the disk takes nothing. Throws a KeptError. */
  constructor(path: string, onFailure: (error: unknown) => void) {
    this.path = path;
    this.#onFailure = onFailure;
    this.#read();
  }

  *rows(kind: KeptKind): Generator<readonly [string, unknown]> {
    for (const [id, json] of this.#rows.get(kind) ?? []) yield [id, parseJson(json)];
  }

  /** Notes that games are listed. A game that is touched is kept with these listings. */
  list(catalog: Catalog): void {
    this.#catalogs.push(catalog);
  }

  /** Drops games that are no longer listed. At the next start everything that concerns them is dropped, too. */
  forgetGames(isListed: (game: string) => boolean): void {
    this.#catalogs = this.#catalogs.filter(({ games }) => games.some(({ id }) => isListed(id)));
    for (const game of this.#games) {
      if (isListed(game)) continue;
      this.#games.delete(game);
      this.touch('game', game, () => null);
    }
    this.commit();
  }

  touchGame(game: string): void {
    if (this.#file === null || this.#games.has(game)) return;
    const catalog = this.#catalogs.find(({ games }) => games.some(({ id }) => id === game));
    if (catalog === undefined) return;
    this.#games.add(game);
    this.touch('game', game, () => onlyGames(catalog, id => id === game));
  }

  addToEach(kind: KeptKind, row: () => object): void {
    this.#withEach.push([kind, row]);
  }

  /** Sets a row before the exchanges have taken up the kept rows. */
  put(kind: KeptKind, id: string, row: object): void {
    this.#set(kind, id, JSON.stringify(row));
  }

  /** Drops a row of the last run that no longer concerns anything. */
  drop(kind: KeptKind, id: string): void {
    this.#set(kind, id, null);
  }

  /** Keeps changes from now on. Call this once the exchanges have taken up all rows. Throws a KeptError if the file cannot be written. */
  begin(): void {
    for (const [game] of this.rows('game')) this.#games.add(game);
    try {
      this.#rewrite();
    } catch (error) {
      throw new KeptError(`${this.path}: ${wordsOf(error)}`);
    }
  }

  touch(kind: KeptKind, id: string, row: () => object | null): void {
    if (this.#file !== null) this.#touched.set(`${kind} ${id}`, [kind, id, row]);
  }

  commit(): void {
    if (this.#file === null || this.#touched.size === 0) return;
    for (const [kind, row] of this.#withEach) this.touch(kind, '', row);
    const changes: string[] = [];
    for (const [kind, id, row] of this.#touched.values()) {
      const value = row();
      const json = value === null ? null : JSON.stringify(value);
      this.#set(kind, id, json);
      changes.push(`[${JSON.stringify(kind)},${JSON.stringify(id)},${json}]`);
    }
    this.#append(this.#file, `[${changes.join(',')}]\n`);
  }

  /** Closes the file. It has all committed rows. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Appends a line. If the disk takes nothing, trading goes on, and the next commit writes the same rows again. */
  #append(file: number, line: string): void {
    const bytes = Buffer.from(line);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      this.#bytes += bytes.length;
      this.#touched.clear();
      this.#hasFailed = false;
      if (this.#bytes > Math.max(REWRITE_BYTES_MIN, REWRITE_FACTOR * this.#bytesRewritten)) this.#rewrite();
    } catch (error) {
      if (!this.#hasFailed) this.#onFailure(error);
      this.#hasFailed = true;
      // The part of a line that was written is cut off, because a reader would find a damaged line there.
      if (this.#file === file) ftruncateSync(file, this.#bytes);
    }
  }

  #set(kind: KeptKind, id: string, json: string | null): void {
    let rows = this.#rows.get(kind);
    if (rows === undefined) {
      rows = new Map();
      this.#rows.set(kind, rows);
    }
    if (json === null) rows.delete(id);
    else rows.set(id, json);
    const max = KINDS[kind];
    if (max > 0 && rows.size > max) rows.delete(rows.keys().next().value!);
  }

  /** Writes a new file, which takes the place of the old one once it is complete and on disk. */
  #rewrite(): void {
    const draft = `${this.path}.next`;
    const file = openSync(draft, 'w', 0o600);
    try {
      const lines = [JSON.stringify(FORMAT)];
      for (const [kind, rows] of this.#rows) {
        for (const [id, json] of rows) lines.push(`[[${JSON.stringify(kind)},${JSON.stringify(id)},${json}]]`);
      }
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      fsyncSync(file);
      renameSync(draft, this.path);
      if (this.#file !== null) closeSync(this.#file);
      this.#file = file;
      this.#bytes = bytes.length;
      this.#bytesRewritten = bytes.length;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  #read(): void {
    const text = readText(this.path);
    if (text === null) return;
    const lines = text.split('\n');
    // The bytes after the last line feed are of a line that a kill cut off. Its request was never answered.
    lines.pop();
    const [first, ...others] = lines;
    const head = parseJson(first ?? '');
    if (!isObject(head) || head.format !== FORMAT.format || head.version !== FORMAT.version) {
      throw new KeptError(`${this.path}: must begin with ${JSON.stringify(FORMAT)}; it is of another release`);
    }
    for (const [index, line] of others.entries()) {
      for (const [kind, id, row] of this.#readLine(line, index + 2)) {
        this.#set(kind, id, row === null ? null : JSON.stringify(row));
      }
    }
  }

  #readLine(line: string, number: number): readonly Row[] {
    const rows = parseJson(line);
    const isRow = (row: unknown): boolean =>
      Array.isArray(row) && Object.hasOwn(KINDS, String(row[0])) && typeof row[1] === 'string';
    if (Array.isArray(rows) && rows.every(isRow)) return rows as Row[];
    throw new KeptError(`${this.path}: line ${number} is damaged; start with --fresh to begin anew`);
  }
}

/** Returns null if there is no such file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new KeptError(`${path}: ${wordsOf(error)}`);
  }
}

/** Returns the random source of a venue's ids. It goes on where the last run stopped, so that no id of that run comes again. */
export function keptRandom(keeping: Keeping, kind: 'venue_a ids' | 'venue_b ids', seed: number): Random {
  const [row] = keeping.rows(kind);
  const random = new Random(row === undefined ? seed : (row[1] as { readonly state: number }).state);
  keeping.addToEach(kind, () => ({ state: random.state }));
  return random;
}
