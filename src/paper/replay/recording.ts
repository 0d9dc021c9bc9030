// Reads a recorded session of a venue from a file. The whole file is read first, so that a bad recording is refused before anything plays.
// The content decides the form, never the file's name. Replay and paper threads, and tests that want raw frames.

import { readFile, stat } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { wordsOf } from '../../core/domain/error-words.ts';
import { isObject, type JsonObject, objectsOf, parseJson, textOf } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { complementTicks, formatTicks, parseMicroShares, parseTicks, type Ticks } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import {
  type BookWord,
  classifyFrame,
  cutEntry,
  EXPECTED,
  entriesOf,
  isCutOff,
  type RecordedEntry,
  RecordingError,
  venueOf,
} from './recorder-forms.ts';

interface RecordedFrame {
  /** The milliseconds since the recording's first frame. They never decrease. */
  readonly atMs: number;
  /** The text of the venue. At venue B it lacks the newline at the end. */
  readonly text: string;
}

/** The facts of a recording that are not in its frames. */
interface RecordingFacts {
  /** Venue A: the tokens of each condition, the first token first, if a header names them. */
  readonly tokensByCondition: ReadonlyMap<string, readonly [string, string]>;
  /** Venue B: whether the session was recorded with `use_yes_price`, so that NO levels stand at 1 − q (venue-b.md §10.4). */
  readonly yesPriced: boolean;
}

/** The facts that an operator should know about a recording. */
export interface RecordingNote {
  readonly file: string;
  readonly venue: Venue | null;
  /** The number of frames that play. */
  readonly frames: number;
  /** The numbers of skipped frames, by kind. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Venue B: the places where `seq` jumps. Frames may be missing there; then books are wrong until their next snapshot. */
  readonly sequenceJumps: readonly string[];
  /** The stated books whose best bid reaches their best ask, each with its place. */
  readonly crossedBooks: readonly string[];
  /** The packed files whose end is missing, each in words. */
  readonly cuts: readonly string[];
}

export interface Recording {
  readonly file: string;
  readonly venue: Venue;
  readonly frames: readonly RecordedFrame[];
  readonly facts: RecordingFacts;
  readonly note: RecordingNote;
}

const JUMPS_SHOWN = 5;

/**
 * Returns the note as text: `FILE: 245 frames play; skipped: 2 subscribed, 7 ticker`. `atJumps` says what a jump of a sequence number
 * means.
 */
export function noteText(
  { file, venue, frames, skipped, sequenceJumps, crossedBooks, cuts }: RecordingNote,
  atJumps = 'books may be wrong after it',
): string {
  const kinds = Object.entries(skipped).map(([what, count]) => `${count} ${what}`);
  const crossed = crossedBooks.length === 0 ? [] : [crossedText(venue, crossedBooks)];
  const words = [`${file}: ${frames} frames play; skipped: ${kinds.join(', ') || 'none'}`, ...cuts, ...crossed].join(
    '; ',
  );
  if (sequenceJumps.length === 0) return words;
  const shown = sequenceJumps.slice(0, JUMPS_SHOWN).join(', ');
  return `${words}; seq jumps ${sequenceJumps.length} times, ${atJumps}: ${shown}`;
}

/** Says in words that books are crossed, perhaps why, and where. */
export function crossedText(venue: Venue | null, books: readonly string[]): string {
  const guess = venue === 'venue_b' ? ': perhaps the NO side is in YES prices (use_yes_price)' : '';
  const count = books.length === 1 ? 'a book is' : `${books.length} books are`;
  return `${count} crossed${guess}: ${books.slice(0, JUMPS_SHOWN).join('; ')}`;
}

const GZIP = [0x1f, 0x8b];

/**
 * Reads a recording, gzip or plain. If a packed recording is cut off, its whole part is read. Rejects with a `RecordingError` if the file
 * is absent, too large or unplayable.
 */
export async function readRecording(file: string): Promise<Recording> {
  const { text, cut } = await readBounded(file);
  return parseEntries(file, entriesUntil(text, cut), await metaOf(file));
}

/** Returns the text of the note that some recorders leave beside the file. It is empty if there is none. */
export function metaOf(file: string): Promise<string> {
  return readFile(file.replace(/\.jsonl?(\.gz)?$/, '.meta.json'), 'utf8').catch(() => '');
}

/** Reads a recording from its text. `meta` is the result of `metaOf`. */
export function parseRecording(file: string, text: string, meta = ''): Recording {
  return parseEntries(file, entriesOf(text), meta);
}

function* entriesUntil(text: string, cut: RecordedEntry | null): Generator<RecordedEntry> {
  yield* entriesOf(text);
  if (cut !== null) yield cut;
}

function parseEntries(file: string, entries: Iterable<RecordedEntry>, meta: string): Recording {
  const reading = new Reading(meta);
  const frames: UntimedFrame[] = [];
  try {
    for (const entry of entries) {
      const frame = reading.take(entry);
      if (frame !== null) frames.push({ atMs: frame.atMs, text: frame.text });
    }
    const { venue, facts } = reading.end();
    return { file, venue, frames: timed(frames), facts, note: reading.note(file) };
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`${file}: ${error.message}`) : error;
  }
}

/** Reads a file within the bounds. `cut` is null unless the file is packed and its end is missing. */
async function readBounded(file: string): Promise<{ readonly text: string; readonly cut: RecordedEntry | null }> {
  const bytesMax = limits.replayFileBytesMax;
  try {
    const { size } = await stat(file);
    if (size > bytesMax) throw new RecordingError(`${file}: ${size} bytes, above replayFileBytesMax ${bytesMax}`);
    const bytes = await readFile(file);
    const isPacked = GZIP.every((byte, index) => bytes[index] === byte);
    const { unpacked, isCut } = isPacked ? unpack(bytes) : { unpacked: bytes, isCut: false };
    return { text: new TextDecoder().decode(unpacked), cut: isCut ? cutEntry(file, unpacked.length) : null };
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${file}: cannot be read (${wordsOf(error)})`);
  }
}

/** Unpacks a file. Throws if it is damaged, or larger than is allowed. */
function unpack(bytes: Uint8Array): { readonly unpacked: Uint8Array; readonly isCut: boolean } {
  const options = { maxOutputLength: limits.replayFileBytesMax };
  try {
    return { unpacked: gunzipSync(bytes, options), isCut: false };
  } catch (error) {
    if (!isCutOff(error)) throw error;
    return { unpacked: gunzipSync(bytes, { ...options, finishFlush: constants.Z_SYNC_FLUSH }), isCut: true };
  }
}

/** A frame that plays. */
export interface TakenFrame {
  /** Unix milliseconds. Null means that the recorder kept no time. */
  readonly atMs: number | null;
  readonly text: string;
  readonly value: unknown;
  /** The books that the frame states or changes. */
  readonly books: readonly BookWord[];
  /**
   * The meaning of venue B's sequence numbers for the time before this frame. Nothing is missing, or frames are missing, or the
   * recorder has reconnected. In the last case frames of the time between are missing, too.
   */
  readonly after: 'frames' | 'a gap' | 'a reconnection';
}

type UntimedFrame = Pick<TakenFrame, 'atMs' | 'text'>;

/** Judges the entries of a recording, one after another. It returns the frames that play, and counts all others. */
export class Reading {
  readonly #skipped = new Map<string, number>();
  readonly #jumps: string[] = [];
  readonly #crossedBooks: string[] = [];
  readonly #cuts: string[] = [];
  readonly #sequenceBySid = new Map<unknown, number>();
  /** The subscriptions of books. A jump of the numbers of other subscriptions says nothing about books. */
  readonly #bookSids = new Set<unknown>();
  /** The markets whose book has been stated. */
  readonly #booked = new Set<string>();
  #venue: Venue | null = null;
  #header: JsonObject | null = null;
  #isYesPriced: boolean;
  #frames = 0;
  #after: TakenFrame['after'] = 'frames';

  /** `meta` is the text of the note beside the file. It is empty if there is none. */
  constructor(meta: string) {
    const note = parseJson(meta);
    this.#isYesPriced = isObject(note) && asksYesPrices(note.subscribe_cmd);
  }

  /** Returns the frame of an entry, or null if the entry does not play. Throws a `RecordingError` for an entry that cannot be played. */
  take(entry: RecordedEntry): TakenFrame | null {
    if (entry.type === 'received' && entry.value !== undefined) return this.#takeFrame(entry);
    if (entry.type === 'sent') this.#takeSent(entry);
    else if (entry.type === 'cut') this.#cuts.push(entry.text);
    else {
      if (isObject(entry.value) && entry.value.kind === 'header') this.#header ??= entry.value;
      this.#skip(entry.text);
    }
    return null;
  }

  /** Returns the recording's venue and facts. Call this after the last entry. Throws a `RecordingError` if nothing can be played. */
  end(): { readonly venue: Venue; readonly facts: RecordingFacts } {
    if (this.#venue === null) throw new RecordingError(`no frame of a venue in it; ${EXPECTED}`);
    if (this.#booked.size === 0)
      throw new RecordingError('no book in it (book, orderbook_snapshot): nothing can be played');
    return {
      venue: this.#venue,
      facts: { tokensByCondition: tokensOfHeader(this.#header), yesPriced: this.#isYesPriced },
    };
  }

  note(file: string): RecordingNote {
    const skipped = Object.fromEntries(this.#skipped);
    const [sequenceJumps, crossedBooks] = [this.#jumps, this.#crossedBooks];
    return { file, venue: this.#venue, frames: this.#frames, skipped, sequenceJumps, crossedBooks, cuts: this.#cuts };
  }

  #takeFrame({ place, atMs, text, value }: RecordedEntry): TakenFrame | null {
    const venue = venueOf(value);
    if (venue === null)
      throw new RecordingError(`${place}: ${nameOf(value)} is not a frame of a known form; ${EXPECTED}`);
    this.#venue ??= venue;
    if (venue !== this.#venue)
      throw new RecordingError(`${place}: a frame of another venue than the first; a file holds one venue`);
    const judgement = classifyFrame(venue, text, value);
    if (judgement.type === 'refused') throw new RecordingError(`${place}: ${judgement.form}: it cannot be played`);
    const isOfBook = judgement.type === 'plays' && judgement.books.length > 0;
    if (venue === 'venue_b') this.#followSequence(place, value as JsonObject, isOfBook);
    if (judgement.type === 'skipped') this.#skip(judgement.what);
    else if (this.#isTooEarly(judgement.books)) this.#skip('a change before the first book of its market');
    else {
      this.#frames += 1;
      for (const book of crossedBooksIn(venue, value, this.#isYesPriced)) this.#crossedBooks.push(`${place}: ${book}`);
      const after = this.#after;
      this.#after = 'frames';
      return { atMs, text, value, books: judgement.books, after };
    }
    return null;
  }

  /** Whether all changes of a frame come before any snapshot of their books. Such a change would apply to an empty book. */
  #isTooEarly(books: readonly BookWord[]): boolean {
    for (const { market, type } of books) if (type === 'book') this.#booked.add(market);
    return books.length > 0 && books.every(({ market }) => !this.#booked.has(market));
  }

  #takeSent({ text, value }: RecordedEntry): void {
    if (asksYesPrices(value)) this.#isYesPriced = true;
    this.#skip(value === undefined ? text : 'sent by the client');
  }

  /** Follows the sequence numbers. A number 1 that is not the next one begins a new count: the recorder has reconnected. */
  #followSequence(place: string, { sid, seq }: JsonObject, isOfBook: boolean): void {
    if (typeof seq !== 'number') return;
    if (isOfBook) this.#bookSids.add(sid);
    const last = this.#sequenceBySid.get(sid);
    const isNext = last === undefined || seq === last + 1;
    if (!isNext && seq !== 1) this.#jumps.push(`${place}: ${last} to ${seq}`);
    if (!isNext && this.#bookSids.has(sid)) this.#after = seq === 1 ? 'a reconnection' : 'a gap';
    this.#sequenceBySid.set(sid, seq);
  }

  #skip(what: string): void {
    this.#skipped.set(what, (this.#skipped.get(what) ?? 0) + 1);
  }
}

const NAME_CHARACTERS_MAX = 80;

function nameOf(value: unknown): string {
  const text = isObject(value)
    ? `an object with the keys ${Object.keys(value).join(', ')}`
    : String(JSON.stringify(value));
  return text.length > NAME_CHARACTERS_MAX ? `${text.slice(0, NAME_CHARACTERS_MAX)}…` : text;
}

/**
 * Returns the frames with the times since the first one. A clock that was set back does not reorder frames. A frame without a time gets the
 * time of the frame before it.
 */
function timed(found: readonly UntimedFrame[]): RecordedFrame[] {
  const startMs = found.find(({ atMs }) => atMs !== null)?.atMs ?? null;
  let lastMs = 0;
  return found.map(({ atMs, text }, index) => {
    if (startMs === null) lastMs = index * limits.replayFrameSpacingMs;
    else if (atMs !== null) lastMs = Math.max(lastMs, atMs - startMs);
    return { atMs: lastMs, text };
  });
}

function tokensOfHeader(header: JsonObject | null): Map<string, [string, string]> {
  const tokens = new Map<string, [string, string]>();
  for (const market of objectsOf(header?.markets)) {
    const condition = textOf(market.condition_id);
    const first = textOf(market.up_token);
    const second = textOf(market.down_token);
    if (condition !== '' && first !== '' && second !== '') tokens.set(condition, [first, second]);
  }
  return tokens;
}

/** Whether a command to venue B asks for NO levels at YES prices. */
function asksYesPrices(command: unknown): boolean {
  const parameters = isObject(command) ? command.params : undefined;
  return isObject(parameters) && parameters.use_yes_price === true;
}

/** Describes each crossed book of the frame in words. `isYesPriced` means that NO levels stand at YES prices. */
function crossedBooksIn(venue: Venue, frame: unknown, isYesPriced: boolean): string[] {
  if (venue === 'venue_a') {
    const books = objectsOf(Array.isArray(frame) ? frame : [frame]).filter(({ event_type: type }) => type === 'book');
    return books.flatMap(book => crossed(textOf(book.asset_id), rowsOf(book.bids), rowsOf(book.asks)));
  }
  const { type, msg } = frame as JsonObject;
  if (type !== 'orderbook_snapshot' || !isObject(msg)) return [];
  const no = pairsOf(msg.no_dollars_fp);
  return crossed(textOf(msg.market_ticker), pairsOf(msg.yes_dollars_fp), isYesPriced ? no : no.map(complementTicks));
}

function crossed(market: string, bids: readonly Ticks[], asks: readonly Ticks[]): string[] {
  if (bids.length === 0 || asks.length === 0) return [];
  const [bid, ask] = [bids.reduce((a, b) => (a > b ? a : b)), asks.reduce((a, b) => (a < b ? a : b))];
  return bid < ask ? [] : [`${market}, bid ${formatTicks(bid)} and ask ${formatTicks(ask)}`];
}

function rowsOf(rows: unknown): Ticks[] {
  return objectsOf(rows).flatMap(({ price, size }) => priceOf(price, size));
}

function pairsOf(rows: unknown): Ticks[] {
  return (Array.isArray(rows) ? rows.filter(Array.isArray) : []).flatMap(([price, size]) => priceOf(price, size));
}

/** Returns the price of a level. Returns none if the level has no size. */
function priceOf(price: unknown, size: unknown): Ticks[] {
  const ticks = parseTicks(textOf(price));
  return ticks === null || (parseMicroShares(textOf(size)) ?? 0) === 0 ? [] : [ticks];
}
