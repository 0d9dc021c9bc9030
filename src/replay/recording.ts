// Reads a recorded venue session from a file into frames with their times. The format is found from the content, never
// from the name; what each tool wrote is known only here. Replay thread, and tests that want raw frames.

import { readFile, stat } from 'node:fs/promises';
import { wordsOf } from '../domain/error-words.ts';
import { isObject, type JsonObject, parseJson, textOf } from '../domain/json.ts';
import type { Venue } from '../domain/market.ts';
import { limits } from '../limits.ts';

interface RecordedFrame {
  /** Milliseconds since the recording's first frame; never less than the frame before. */
  readonly atMs: number;
  /** What the venue sent, without the newline that venue B ends its frames with. */
  readonly bytes: Uint8Array;
}

/** What a recording says beside its frames. */
interface RecordingFacts {
  /** Venue A: the tokens of a condition, first one first, where a header names them. */
  readonly tokensByCondition: ReadonlyMap<string, readonly [string, string]>;
  /** Venue B: recorded with `use_yes_price`, so that NO levels stand at 1 − q (venue-b.md §10.4). */
  readonly yesPriced: boolean;
}

export interface Recording {
  readonly file: string;
  readonly venue: Venue;
  readonly frames: readonly RecordedFrame[];
  readonly facts: RecordingFacts;
}

/** A file that cannot be played; the message names it and says what was expected. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** A frame as its recorder wrote it; `atMs` is null where it kept no times. */
interface FoundFrame {
  readonly atMs: number | null;
  readonly text: string;
}

const EXPECTED =
  'expected venue frames as {"frames":[{"received_ms","frame"}]}, a JSON array of frames, one frame, ' +
  'or JSON lines of frames, of {"recv_ms","raw"} or of {"dir","text","ts_local_ms"}';

/** Reads a recording. Rejects with a `RecordingError` when the file is absent, too large or none of the known formats. */
export async function readRecording(file: string): Promise<Recording> {
  const text = await readBounded(file);
  const meta = await readFile(file.replace(/\.jsonl?$/, '.meta.json'), 'utf8').catch(() => '');
  return parseRecording(file, text, meta);
}

/** `meta` is the text of the note that some recorders leave beside the file, empty if there is none. */
export function parseRecording(file: string, text: string, meta = ''): Recording {
  const lines: JsonObject[] = [];
  const found = framesOfDocument(text) ?? framesOfLines(text, lines);
  const venue = found?.map(frame => venueOf(parseJson(frame.text))).find(name => name !== null);
  if (found === null || venue === undefined || venue === null) throw new RecordingError(`${file}: ${EXPECTED}`);
  return {
    file,
    venue,
    frames: timed(found),
    facts: { tokensByCondition: tokensOfHeader(lines[0]), yesPriced: isYesPriced(meta) },
  };
}

async function readBounded(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > limits.replayFileBytesMax) {
      throw new RecordingError(`${file}: ${size} bytes, above replayFileBytesMax ${limits.replayFileBytesMax}`);
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${file}: cannot be read (${wordsOf(error)})`);
  }
}

/** A file that is one JSON value. Null if it is not, or is none of ours. */
function framesOfDocument(text: string): FoundFrame[] | null {
  const document = parseJson(text);
  if (Array.isArray(document)) {
    // A venue A frame may itself be an array of objects; an array that holds such an array is a list of frames.
    const frames = document.some(Array.isArray) ? document : [document];
    return frames.every(frame => venueOf(frame) !== null) ? frames.map(reserialised) : null;
  }
  if (!isObject(document)) return null;
  if (venueOf(document) !== null) return [reserialised(document)];
  if (!Array.isArray(document.frames)) return null;
  return document.frames.filter(isObject).map(entry => {
    const atMs = entry.received_ms;
    return { ...reserialised(entry.frame), atMs: typeof atMs === 'number' ? atMs : null };
  });
}

/** A file of JSON lines; `lines` receives its parsed lines. Null if a line is none of ours. */
function framesOfLines(text: string, lines: JsonObject[]): FoundFrame[] | null {
  const frames: FoundFrame[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (isObject(value)) lines.push(value);
    const frame = frameOfLine(line, value);
    if (frame === 'unknown') return null;
    if (frame !== 'none') frames.push(frame);
  }
  return frames;
}

function frameOfLine(line: string, value: unknown): FoundFrame | 'none' | 'unknown' {
  if (venueOf(value) !== null) return { atMs: null, text: line.trim() };
  if (!isObject(value)) return 'unknown';
  if (value.kind === 'header' || value.dir === 'out') return 'none';
  const { recv_ms: receivedMs, raw, dir, text, ts_local_ms: localMs } = value;
  if (typeof receivedMs === 'number' && raw !== undefined) return { ...reserialised(raw), atMs: receivedMs };
  if (dir !== 'in' || typeof text !== 'string' || typeof localMs !== 'number') return 'unknown';
  // A recorder of whole sessions also writes down PONG and the like.
  return venueOf(parseJson(text)) === null ? 'none' : { atMs: localMs, text };
}

function reserialised(frame: unknown): FoundFrame {
  return { atMs: null, text: JSON.stringify(frame) };
}

/** Whose frame this is; null if nobody's. */
function venueOf(frame: unknown): Venue | null {
  const message = Array.isArray(frame) ? frame[0] : frame;
  if (!isObject(message)) return null;
  if (typeof message.event_type === 'string') return 'venue_a';
  return typeof message.type === 'string' && !Array.isArray(frame) && ('msg' in message || 'sid' in message)
    ? 'venue_b'
    : null;
}

/** Times from the first frame on. A clock that was set back does not reorder frames. */
function timed(found: readonly FoundFrame[]): RecordedFrame[] {
  const encoder = new TextEncoder();
  const startMs = found[0]?.atMs ?? 0;
  let lastMs = 0;
  return found.map(({ atMs, text }, index) => {
    lastMs = Math.max(lastMs, atMs === null ? index * limits.replayFrameSpacingMs : atMs - startMs);
    return { atMs: lastMs, bytes: encoder.encode(text) };
  });
}

function tokensOfHeader(header: JsonObject | undefined): Map<string, [string, string]> {
  const tokens = new Map<string, [string, string]>();
  const markets = header?.kind === 'header' ? header.markets : undefined;
  for (const market of Array.isArray(markets) ? markets.filter(isObject) : []) {
    const condition = textOf(market.condition_id);
    const first = textOf(market.up_token);
    const second = textOf(market.down_token);
    if (condition !== '' && first !== '' && second !== '') tokens.set(condition, [first, second]);
  }
  return tokens;
}

function isYesPriced(meta: string): boolean {
  const note = parseJson(meta);
  const command = isObject(note) ? note.subscribe_cmd : undefined;
  const parameters = isObject(command) ? command.params : undefined;
  return isObject(parameters) && parameters.use_yes_price === true;
}
