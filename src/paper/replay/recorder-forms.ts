// Reads the file formats of recorders: one table of their forms. Pure.

import { isObject, type JsonObject, parseJson } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { TIME_MAX } from '../../core/domain/numbers.ts';
import { isoTimeOf } from '../../venues/wire-values.ts';

/** A file that cannot be played; the message has the place and the reason. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** One entry of a recording. */
export interface RecordedEntry {
  /** `line 3`, or `entry 3` of a list. */
  readonly place: string;
  /** `sent`: by the recorder's own client. `note`: about the session, not a frame. `cut`: the file's end is missing. */
  readonly type: 'received' | 'sent' | 'note' | 'cut';
  /** Unix milliseconds; null if the recorder kept no time. */
  readonly atMs: number | null;
  /** Frame as the venue sent it, without white space around it. */
  readonly text: string;
  /** Frame as JSON; undefined if it is none (`PONG`). */
  readonly value: unknown;
}

/** A recorder's entry is an object: the frame, as JSON or as text, under one key, its time under another. */
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
/** Keys under which an object may hold all its frames as a list. */
export const LISTS = ['frames', 'messages', 'events'];
const DIRECTIONS = ['dir', 'direction'];
const RECEIVED = ['in', 'recv', 'received'];
const SENT = ['out', 'send', 'sent'];
/** Frames that are not JSON: keep-alives of venue A. */
const KEEP_ALIVES = ['PING', 'PONG'];

const ENVELOPES = FORMS.map(({ time, frame }) => `{"${time}","${frame}"}`).join(', ');
export const EXPECTED = `expected frames of a venue, bare or as ${ENVELOPES}, one a line or in one JSON list (also under "${LISTS.join('", "')}")`;

/** Every entry of the file, in order. Throws a `RecordingError` at the first of an unknown form. */
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

/** Like `entryOf`, for the last line, which a killed recorder may have left incomplete. */
export function lastEntryOf(place: string, line: string): RecordedEntry {
  if (!/^\s*[[{"]/.test(line) || parseJson(line) !== undefined) return entryOf(place, line);
  return { place, type: 'note', atMs: null, text: 'a last line that is cut off', value: undefined };
}

/** Stands behind the last entry of a packed file without its end, as a killed recorder leaves it. */
export function cutEntry(file: string, unpackedBytes: number): RecordedEntry {
  const text = `${file} is cut off: ${unpackedBytes} bytes of it could be unpacked and are read, its end is missing`;
  return { place: 'end', type: 'cut', atMs: null, text, value: undefined };
}

/** Whether an error of zlib says that a packed file is whole so far, and ends too early. */
export function isCutOff(error: unknown): boolean {
  return isObject(error) && error.code === 'Z_BUF_ERROR';
}

/** The list of frames that a document is or holds; null for a single frame or anything else. */
export function listIn(document: unknown): readonly unknown[] | null {
  if (Array.isArray(document)) {
    // A frame of venue A may itself be a list of books.
    const isFrame = document.length > 0 && document.every(item => isObject(item) && item.event_type === 'book');
    return isFrame ? null : document;
  }
  if (!isObject(document) || venueOf(document) !== null || formOf(document) !== null) return null;
  const lists = LISTS.map(key => document[key]).filter(Array.isArray);
  return lists.length === 1 ? lists[0]! : null;
}

/** Reads one entry by its text. Throws a `RecordingError` if its form is unknown. */
export function entryOf(place: string, line: string): RecordedEntry {
  const text = line.trim();
  const value = parseJson(text);
  const form = isObject(value) && venueOf(value) === null ? formOf(value) : null;
  if (form !== null) return unwrapped(place, form, value as JsonObject);
  if (isObject(value) && typeof value.kind === 'string')
    return { place, type: 'note', atMs: null, text: `${value.kind} of the recorder`, value };
  // A JSON string that holds the frame's own text.
  if (typeof value === 'string') return frameEntry(place, 'received', null, value);
  return knownEntry(place, 'received', null, text, value);
}

function formOf(value: JsonObject): RecorderForm | null {
  return FORMS.find(({ time, frame }) => Object.hasOwn(value, time) && Object.hasOwn(value, frame)) ?? null;
}

function unwrapped(place: string, form: RecorderForm, value: JsonObject): RecordedEntry {
  const raw = value[form.frame];
  const [type, atMs] = [directionOf(place, value), timeOf(place, form, value[form.time])];
  // Bytes of JSON within JSON are the recorder's anyway.
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
    throw new RecordingError(`${place}: ${time} is no time: ${JSON.stringify(given)}`);
  return instant;
}

/** Reads seconds, milliseconds, microseconds or nanoseconds since 1970; in our years they differ in size. */
function millisBySize(count: number): number {
  if (count < 1e11) return count * 1e3;
  if (count < 1e14) return count;
  return count < 1e17 ? count / 1e3 : count / 1e6;
}

/** The venue of a frame, by its head; null if it is of neither. */
export function venueOf(frame: unknown): Venue | null {
  const message = Array.isArray(frame) ? frame[0] : frame;
  if (!isObject(message)) return null;
  if (typeof message.event_type === 'string') return 'venue_a';
  if (Array.isArray(frame) || typeof message.type !== 'string') return null;
  return 'msg' in message || 'sid' in message ? 'venue_b' : null;
}
