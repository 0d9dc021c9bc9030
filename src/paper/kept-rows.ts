// The rows that the paper exchanges keep from one start to the next, by kind and id, in memory and in a file. Each request appends one line
// with all rows that it has changed, before its answer leaves. So kill -9 leaves whole requests, and all that were answered. The file is
// written again, with the present rows only, at each start and whenever it has grown. Blocks. Thread of the paper exchanges.

import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { wordsOf } from '../core/domain/error-words.ts';
import { isObject, parseJson } from '../core/domain/json.ts';
import { Random } from '../core/runtime/random.ts';
import { limits } from '../limits.ts';
import { onlyGames } from './catalog/catalog.ts';
import type { Catalog } from './catalog/listings.ts';

/** Rows of records that nothing ends; the oldest rows beyond their number are dropped. 0: no bound of their own. */
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

/** The kept rows cannot be used. The message names the file. */
export class KeptError extends Error {
  override readonly name = 'KeptError';
}

/** Rows as an exchange sees them. */
export interface Keeping {
  /** The next commit writes the present value of `row`; null removes the row. Nothing happens before the exchanges are taken up. */
  touch(kind: KeptKind, id: string, row: () => object | null): void;
  /** The game has something of a caller: its listings are kept. */
  touchGame(game: string): void;
  /** Each commit writes `row` beside its own rows. */
  addToEach(kind: KeptKind, row: () => object): void;
  /** Call at the end of a request, before its answer. */
  commit(): void;
  /** Rows of the last start and their ids, oldest first. */
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
/** Smaller files are not worth a new one. */
const REWRITE_BYTES_MIN = 4 * 1024 * 1024;
/** How many times the size of its rows a file may have. */
const REWRITE_FACTOR = 4;

type Row = readonly [kind: KeptKind, id: string, row: object | null];

export class KeptRows implements Keeping {
  /** The path of the file. */
  readonly path: string;
  readonly #onFailure: (error: unknown) => void;
  /** The JSON of each row. */
  readonly #rows = new Map<KeptKind, Map<string, string>>();
  /** Catalogs of games that are listed. */
  #catalogs: Catalog[] = [];
  readonly #games = new Set<string>();
  readonly #withEach: (readonly [KeptKind, () => object])[] = [];
  readonly #touched = new Map<string, readonly [KeptKind, string, () => object | null]>();
  #file: number | null = null;
  #bytes = 0;
  #bytesRewritten = 0;
  #hasFailed = false;

  /** Reads the file; a missing one has no rows. `onFailure` gets the error of a disk that takes nothing. Throws a KeptError. */
  constructor(path: string, onFailure: (error: unknown) => void) {
    this.path = path;
    this.#onFailure = onFailure;
    this.#read();
  }

  *rows(kind: KeptKind): Generator<readonly [string, unknown]> {
    for (const [id, json] of this.#rows.get(kind) ?? []) yield [id, parseJson(json)];
  }

  /** Call when games are listed: one that is touched is kept with its listings. */
  list(catalog: Catalog): void {
    this.#catalogs.push(catalog);
  }

  /** Drops games that are no longer listed, and with them, at the next start, all that concerns them. */
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

  /** Sets a row before the exchanges are taken up. */
  put(kind: KeptKind, id: string, row: object): void {
    this.#set(kind, id, JSON.stringify(row));
  }

  /** Drops a row of the last start that concerns nothing any more. */
  drop(kind: KeptKind, id: string): void {
    this.#set(kind, id, null);
  }

  /** The exchanges have taken up all rows: from now on changes are kept. Throws a KeptError if the file cannot be written. */
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

  /** Closes the file, which has all committed rows. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** A disk that takes nothing stops no trading: the next commit writes the same rows again. */
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
      // Half a line would end the file for its next reader.
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

  /** A new file takes the place of the old one once it is complete and on disk. */
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
    // A kill cut off the bytes after the last line feed, and they were never answered.
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

/** Null if there is no such file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new KeptError(`${path}: ${wordsOf(error)}`);
  }
}

/** The source of a venue's ids goes on where it stopped: an id of the last start never comes again. */
export function keptRandom(keeping: Keeping, kind: 'venue_a ids' | 'venue_b ids', seed: number): Random {
  const [row] = keeping.rows(kind);
  const random = new Random(row === undefined ? seed : (row[1] as { readonly state: number }).state);
  keeping.addToEach(kind, () => ({ state: random.state }));
  return random;
}
