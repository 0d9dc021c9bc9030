// Reads the file formats of recorders. One table has all their forms. Pure.

import { isObject, type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { parseMicroShares, parseTicks, TIME_MAX } from '../../core/domain/numbers.ts';
import { isoTimeOf } from '../../venues/wire-values.ts';
import { parseMarketFrame } from './venue-a-book.ts';
import { parseBroadcast } from './venue-b-frame.ts';

/** The error of a file that cannot be played. Its message has the place and the reason. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** One entry of a recording. */
export interface RecordedEntry {
  /** The place in the file: `line 3`, or `entry 3` of a list. */
  readonly place: string;
  /**
   * `sent` is a frame of the recorder's own client. `note` is about the session, and no frame. `cut` says that the end of the file is
   * missing.
   */
  readonly type: 'received' | 'sent' | 'note' | 'cut';
  /** Unix milliseconds. Null means that the recorder kept no time. */
  readonly atMs: number | null;
  /** The frame as the venue sent it, without white space around it. */
  readonly text: string;
  /** The frame as JSON. Undefined if it is no JSON (`PONG`). */
  readonly value: unknown;
}

/** A form of entries. An entry is an object with the frame, as JSON or as text, under one key, and its time under another. */
interface RecorderForm {
  readonly time: string;
  readonly frame: string;
  readonly unit: 'ms' | 'ns' | 'by-size';
}

const FORMS: readonly RecorderForm[] = [
  { time: 'received_ms', frame: 'frame', unit: 'ms' },
  { time: 'recv_ms', frame: 'raw', unit: 'ms' },
  { time: 'recv_ts_ns', frame: 'raw', unit: 'ns' },
  { time: 'ts_local_ms', frame: 'text', unit: 'ms' },
  { time: 'ts', frame: 'text', unit: 'by-size' },
];
/** The keys under which an object may hold all its frames as a list. */
export const LISTS = ['frames', 'messages', 'events'];
const DIRECTIONS = ['dir', 'direction'];
const RECEIVED = ['in', 'recv', 'received'];
const SENT = ['out', 'send', 'sent'];
/** The frames that are no JSON: keep-alives of venue A. */
const KEEP_ALIVES = ['PING', 'PONG'];

const ENVELOPES = FORMS.map(({ time, frame }) => `{"${time}","${frame}"}`).join(', ');
export const EXPECTED = `expected frames of a venue, bare or as ${ENVELOPES}, one a line or in one JSON list (also under "${LISTS.join('", "')}")`;

/** Yields every entry of the file, in order. Throws a `RecordingError` at the first entry of an unknown form. */
export function* entriesOf(text: string): Generator<RecordedEntry> {
  const document = parseJson(text);
  const list = listIn(document);
  if (list !== null) {
    for (const [index, value] of list.entries()) {
      yield entryOf(`entry ${index + 1}`, typeof value === 'string' ? value : JSON.stringify(value));
    }
  } else if (document !== undefined && text.trim().includes('\n')) yield entryOf('entry 1', text);
  else yield* entriesOfLines(text);
}

function* entriesOfLines(text: string): Generator<RecordedEntry> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const place = `line ${index + 1}`;
    yield index === lines.length - 1 ? lastEntryOf(place, line) : entryOf(place, line);
  }
}

/** Reads the last line, which a killed recorder may have left incomplete. Otherwise like `entryOf`. */
export function lastEntryOf(place: string, line: string): RecordedEntry {
  if (!/^\s*[[{"]/.test(line) || parseJson(line) !== undefined) return entryOf(place, line);
  return { place, type: 'note', atMs: null, text: 'a last line that is cut off', value: undefined };
}

/** Returns an entry that stands behind the last one of a packed file whose end is missing, as a killed recorder leaves it. */
export function cutEntry(file: string, unpackedBytes: number): RecordedEntry {
  const text = `${file} is cut off: ${unpackedBytes} bytes of it could be unpacked and are read, its end is missing`;
  return { place: 'end', type: 'cut', atMs: null, text, value: undefined };
}

/** Whether an error of zlib means that a packed file ends too early, but is whole up to there. */
export function isCutOff(error: unknown): boolean {
  return isObject(error) && error.code === 'Z_BUF_ERROR';
}

/** Returns the list of frames that a document is or holds. Returns null for a single frame or anything else. */
export function listIn(document: unknown): readonly unknown[] | null {
  if (Array.isArray(document)) {
    // A list of books may be a single frame of venue A.
    const isFrame = document.length > 0 && document.every(item => isObject(item) && item.event_type === 'book');
    return isFrame ? null : document;
  }
  if (!isObject(document) || venueOf(document) !== null || formOf(document) !== null) return null;
  const lists = LISTS.map(key => document[key]).filter(Array.isArray);
  return lists.length === 1 ? lists[0]! : null;
}

/** Reads one entry from its text. Throws a `RecordingError` if its form is unknown. */
export function entryOf(place: string, line: string): RecordedEntry {
  const text = line.trim();
  const value = parseJson(text);
  const form = isObject(value) && venueOf(value) === null ? formOf(value) : null;
  if (form !== null) return unwrapEntry(place, form, value as JsonObject);
  if (isObject(value) && typeof value.kind === 'string')
    return { place, type: 'note', atMs: null, text: `${value.kind} of the recorder`, value };
  // The entry is a JSON string with the text of the frame.
  if (typeof value === 'string') return frameEntry(place, 'received', null, value);
  return knownEntry(place, 'received', null, text, value);
}

function formOf(value: JsonObject): RecorderForm | null {
  return FORMS.find(({ time, frame }) => Object.hasOwn(value, time) && Object.hasOwn(value, frame)) ?? null;
}

function unwrapEntry(place: string, form: RecorderForm, value: JsonObject): RecordedEntry {
  const raw = value[form.frame];
  const [type, atMs] = [directionOf(place, value), timeOf(place, form, value[form.time])];
  // The recorder has written the JSON of the frame anew, so its bytes are the recorder's anyway.
  if (typeof raw !== 'string') return { place, type, atMs, text: JSON.stringify(raw), value: raw };
  return frameEntry(place, type, atMs, raw);
}

function frameEntry(place: string, type: 'received' | 'sent', atMs: number | null, raw: string): RecordedEntry {
  const text = raw.trim();
  return knownEntry(place, type, atMs, text, parseJson(text));
}

function knownEntry(
  place: string,
  type: 'received' | 'sent',
  atMs: number | null,
  text: string,
  value: unknown,
): RecordedEntry {
  if (value === undefined && !KEEP_ALIVES.includes(text)) throw new RecordingError(`${place}: no JSON; ${EXPECTED}`);
  return { place, type, atMs, text, value };
}

function directionOf(place: string, value: JsonObject): 'received' | 'sent' {
  const direction = DIRECTIONS.map(key => value[key]).find(it => it !== undefined);
  if (direction === undefined || RECEIVED.includes(direction as string)) return 'received';
  if (SENT.includes(direction as string)) return 'sent';
  const known = [...RECEIVED, ...SENT].join(', ');
  throw new RecordingError(`${place}: the direction ${JSON.stringify(direction)} is none of ${known}`);
}

function timeOf(place: string, { time, unit }: RecorderForm, given: unknown): number | null {
  if (given === null) return null;
  const count = typeof given === 'string' && /^\d+(\.\d+)?$/.test(given) ? Number(given) : given;
  let instant: number | null = unit === 'by-size' && typeof given === 'string' ? isoTimeOf(given) : null;
  if (typeof count === 'number' && count >= 0) {
    if (unit === 'ms') instant = count;
    else instant = unit === 'ns' ? count / 1e6 : millisBySize(count);
  }
  if (instant === null || instant > TIME_MAX)
    throw new RecordingError(`${place}: ${time} is not a time: ${JSON.stringify(given)}`);
  return instant;
}

/** Reads seconds, milliseconds, microseconds or nanoseconds since 1970. In our years the four differ in size. */
function millisBySize(count: number): number {
  if (count < 1e11) return count * 1e3;
  if (count < 1e14) return count;
  return count < 1e17 ? count / 1e3 : count / 1e6;
}

/** Returns the venue of a frame, by its first fields. Null means that it is of neither venue. */
export function venueOf(frame: unknown): Venue | null {
  const message = Array.isArray(frame) ? frame[0] : frame;
  if (!isObject(message)) return null;
  if (typeof message.event_type === 'string') return 'venue_a';
  if (Array.isArray(frame) || typeof message.type !== 'string') return null;
  return 'msg' in message || 'sid' in message ? 'venue_b' : null;
}

/** A word of a frame about a book: the frame states the book of a market, or changes it. */
export interface BookWord {
  readonly market: string;
  readonly type: 'book' | 'change';
}

type FrameJudgement =
  | { readonly type: 'plays'; readonly books: readonly BookWord[] }
  /** A frame with nothing to play: an acknowledgement, an error, a private message. `what` names the kind. */
  | { readonly type: 'skipped'; readonly what: string }
  /** A frame of a form that cannot be played. `form` names the form, or the error. */
  | { readonly type: 'refused'; readonly form: string };

type Check = (message: JsonObject) => boolean;

/** A form that cannot be played, and the check that finds it by keys that only this form has. */
type ForeignForm = readonly [form: string, isOfIt: Check];

const has =
  (...keys: string[]): Check =>
  message =>
    keys.some(key => Object.hasOwn(message, key));

const VENUE_A_FORMS: Readonly<Record<string, readonly ForeignForm[]>> = {
  book: [
    ['venue A’s oldest book, with "buys" and "sells"', has('buys', 'sells')],
    [
      'a book of venue A without "market" and "asset_id"',
      message => !isText(message.market) || !isText(message.asset_id),
    ],
    [
      'a book of venue A with a level that is not {"price","size"} in decimal text',
      m => !sides(m, 'bids', 'asks').every(isRow),
    ],
  ],
  price_change: [
    ['venue A’s price change of before September 2025, with "changes"', has('changes')],
    ['venue A’s price change of before September 2025, one level in the message itself', has('price')],
    [
      'a price change of venue A without "market" and "price_changes"',
      m => !isText(m.market) || !Array.isArray(m.price_changes),
    ],
    [
      'a price change of venue A that is not {"asset_id","side","price","size"} in decimal text',
      m => !sides(m, 'price_changes').every(isChangeA),
    ],
  ],
};

const PERPETUALS = 'the sister product’s (perpetuals)';

const VENUE_B_FORMS: Readonly<Record<string, readonly ForeignForm[]>> = {
  orderbook_snapshot: [
    [`${PERPETUALS} snapshot, with "bid" and "ask"`, has('bid', 'ask')],
    ['venue B’s snapshot of before 2026, in whole cents or whole contracts', isOlderSnapshot],
    ['a snapshot of venue B without "market_ticker"', message => !isText(message.market_ticker)],
    [
      'a snapshot of venue B with a level that is not [price, size] in decimal text',
      m => !sides(m, 'yes_dollars_fp', 'no_dollars_fp').every(isPair),
    ],
  ],
  orderbook_delta: [
    [`${PERPETUALS} change, of a "bid" or an "ask"`, ({ side }) => side === 'bid' || side === 'ask'],
    [
      'venue B’s change of before 2026, in whole cents or whole contracts',
      message => !has('price_dollars')(message) || !has('delta_fp')(message),
    ],
    [
      'a change of venue B that is not {"market_ticker","side","price_dollars","delta_fp"} in decimal text',
      m => !isChangeB(m),
    ],
  ],
};

/** Judges a frame. `venue` is what `venueOf` returned for it. */
export function classifyFrame(venue: Venue, text: string, frame: unknown): FrameJudgement {
  return venue === 'venue_a' ? classifyVenueA(text, frame) : classifyVenueB(text, frame as JsonObject);
}

function classifyVenueA(text: string, frame: unknown): FrameJudgement {
  const messages = Array.isArray(frame) ? frame : [frame];
  const books: BookWord[] = [];
  for (const message of messages) {
    if (!isObject(message) || !isText(message.event_type))
      return { type: 'refused', form: 'a message of venue A without "event_type"' };
    const forms = Object.hasOwn(VENUE_A_FORMS, message.event_type) ? VENUE_A_FORMS[message.event_type] : undefined;
    const foreign = forms?.find(([, isOfIt]) => isOfIt(message));
    if (foreign !== undefined) return { type: 'refused', form: foreign[0] };
    if (forms !== undefined)
      books.push({ market: textOf(message.market), type: message.event_type === 'book' ? 'book' : 'change' });
  }
  if (parseMarketFrame(text, frame) !== null) return { type: 'plays', books };
  return { type: 'skipped', what: `${textOf((messages[0] as JsonObject).event_type)} of the user channel` };
}

function classifyVenueB(text: string, frame: JsonObject): FrameJudgement {
  const type = textOf(frame.type);
  const forms = Object.hasOwn(VENUE_B_FORMS, type) ? VENUE_B_FORMS[type] : undefined;
  const message = isObject(frame.msg) ? frame.msg : {};
  const foreign = forms?.find(([, isOfIt]) => isOfIt(message));
  if (foreign !== undefined) return { type: 'refused', form: foreign[0] };
  if (forms !== undefined && typeof frame.seq !== 'number') {
    return { type: 'refused', form: 'a book of venue B, or a change of one, without "seq"' };
  }
  if (parseBroadcast(text, frame) === null) return { type: 'skipped', what: type };
  const word = {
    market: textOf(message.market_ticker),
    type: type === 'orderbook_snapshot' ? 'book' : 'change',
  } as const;
  return { type: 'plays', books: forms === undefined ? [] : [word] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the rows of some lists. An absent list counts as empty. A value that is no list gives null. */
function sides(message: JsonObject, ...keys: readonly string[]): unknown[] {
  return keys.flatMap(key => {
    const rows = message[key] ?? [];
    return Array.isArray(rows) ? rows : [null];
  });
}

function isLevel(price: unknown, size: unknown): boolean {
  return parseTicks(textOf(price)) !== null && parseMicroShares(textOf(size)) !== null;
}

function isRow(row: unknown): boolean {
  return isObject(row) && isLevel(row.price, row.size);
}

function isPair(row: unknown): boolean {
  return Array.isArray(row) && isLevel(row[0], row[1]);
}

function isChangeA(row: unknown): boolean {
  return (
    isRow(row) && isText((row as JsonObject).asset_id) && ['BUY', 'SELL'].includes(textOf((row as JsonObject).side))
  );
}

function isChangeB({ market_ticker: ticker, side, price_dollars: price, delta_fp: change }: JsonObject): boolean {
  return isText(ticker) && ['yes', 'no'].includes(textOf(side)) && isLevel(price, textOf(change).replace(/^[-+]/, ''));
}

/**
 * Whether a snapshot has the older form. A side may be absent, so a key of the older form proves it only if there is no key of today's
 * form.
 */
function isOlderSnapshot(message: JsonObject): boolean {
  return ['yes', 'no'].some(side => {
    const isOld = has(side, `${side}_dollars`)(message);
    return isOld && !Object.hasOwn(message, `${side}_dollars_fp`);
  });
}
