// The frames of a venue's captures, in their order, each with the time of its arrival. All files of a venue form one capture: each file
// begins where the file before has ended. The command line's process.

import { isObject, type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import type { Venue } from '../../../core/domain/market.ts';
import { parseTicks, type UnixMillis, unixMillisOf } from '../../../core/domain/numbers.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { EXPECTED, RecordingError, venueOf } from '../../../paper/replay/recorder-forms.ts';
import { metaOf, Reading, type RecordingNote, type TakenFrame } from '../../../paper/replay/recording.ts';
import { type FoundFacts, findFacts, tokensNamed } from '../../../paper/replay/venue-a-book.ts';
import { gridOfPrices, type PriceRanges, pricesOf } from '../../../paper/replay/venue-b-frame.ts';
import { isoTimeOf, unixTimeOf } from '../../../venues/wire-values.ts';
import { captureEntries } from './capture-entries.ts';

/** A frame with the time of its arrival. */
export interface CapturedFrame extends TakenFrame {
  /**
   * The time of arrival in Unix milliseconds, which never decreases. Null means that neither the recorder nor the venue has stated any time
   * yet.
   */
  readonly arrivalMs: number | null;
  readonly file: string;
}

/** The venue of a file, by its first frame. Rejects with a `RecordingError` if the file has no frame. */
export async function venueOfCapture(file: string): Promise<Venue> {
  for await (const entries of captureEntries(file, () => {})) {
    for (const { type, value } of entries) {
      const venue = type === 'received' ? venueOf(value) : null;
      if (venue !== null) return venue;
    }
  }
  throw new RecordingError(`${file}: no frame of a venue in it; ${EXPECTED}`);
}

/**
 * The frames that can be played, by parts of files. `reading` decides which frames can be played. `startMs` is the time in Unix
 * milliseconds of frames before the first stated time. `onBytes` gets the number of bytes read.
 */
export async function* capturedFrames(
  files: readonly string[],
  reading: Reading,
  startMs: number | null,
  onBytes: (file: string, bytes: number) => void,
): AsyncGenerator<CapturedFrame[]> {
  const times = new ArrivalTimes(startMs);
  for (const file of files) {
    for await (const entries of captureEntries(file, bytes => onBytes(file, bytes))) {
      const frames: CapturedFrame[] = [];
      for (const entry of entries) {
        const frame = taken(file, () => reading.take(entry));
        if (frame !== null) frames.push({ ...frame, arrivalMs: times.of(frame), file });
      }
      yield frames;
    }
  }
}

function taken<T>(file: string, take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`${file}: ${error.message}`) : error;
  }
}

/** Finds the time of each frame: the recorder's time, or the venue's time if the recorder kept none. */
class ArrivalTimes {
  #lastMs: number | null;
  #isRecorders = false;

  constructor(startMs: number | null) {
    this.#lastMs = startMs;
  }

  of({ atMs, value }: TakenFrame): number | null {
    if (atMs !== null) this.#isRecorders = true;
    const statedMs = atMs ?? (this.#isRecorders ? null : venueTimeOf(value));
    if (statedMs !== null) this.#lastMs = Math.max(this.#lastMs ?? 0, statedMs);
    return this.#lastMs;
  }
}

/** The newest time that the frame states. The frame was not sent before that time. Venue A states the time of each book's last change. */
function venueTimeOf(frame: unknown): number | null {
  const times = objectsOf(Array.isArray(frame) ? frame : [frame]).flatMap(message => messageTimeOf(message) ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

function messageTimeOf({ msg, timestamp, sending_ts_ms: sentAt }: JsonObject): number | null {
  if (!isObject(msg)) return unixTimeOf(timestamp);
  const { ts_ms: millis, ts } = msg;
  const stated = unixTimeOf(sentAt) ?? unixTimeOf(millis);
  return stated ?? (typeof ts === 'string' ? isoTimeOf(ts) : unixMillisOf(Number(ts ?? 0) * 1_000));
}

interface Alarm {
  readonly at: number;
  readonly task: () => void;
}

const WAIT_MS_MAX = 60_000;

export class CaptureClock implements Timers {
  #wallMs: number;
  #elapsedMs = 0;
  readonly #alarms = new Set<Alarm>();
  /** The time of the earliest alarm. */
  #nextAt = Number.POSITIVE_INFINITY;

  /** `startMs` is the time of the first frame in Unix milliseconds. */
  constructor(startMs: number) {
    this.#wallMs = startMs;
  }

  now(): UnixMillis {
    return Math.floor(this.#wallMs) as UnixMillis;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const alarm = { at: this.#elapsedMs + delayMs, task };
    this.#alarms.add(alarm);
    this.#nextAt = Math.min(this.#nextAt, alarm.at);
    return () => void this.#alarms.delete(alarm);
  }

  /**
   * Moves the wall time to the arrival of a frame. The wall time never steps back. Due timers fire before that. During a long silence only
   * a minute elapses for the feed, spread over the whole silence.
   */
  moveTo(wallMs: number): void {
    const stepMs = Math.max(0, wallMs - this.#wallMs);
    const waitMs = Math.min(stepMs, WAIT_MS_MAX);
    const [target, arrivalMs] = [this.#elapsedMs + waitMs, this.#wallMs + stepMs];
    while (this.#nextAt <= target) {
      const dueMs = Math.max(0, this.#nextAt - this.#elapsedMs);
      if (dueMs > 0) this.#wallMs += dueMs * (stepMs / waitMs);
      this.#ring();
    }
    this.#elapsedMs = target;
    this.#wallMs = arrivalMs;
  }

  /** Whether a timer is due now. */
  get hasDue(): boolean {
    return this.#nextAt <= this.#elapsedMs;
  }

  /** Fires the next timer now, however far away it is. The wall time stands still. Returns false if there is no timer. */
  skip(): boolean {
    if (this.#nextAt === Number.POSITIVE_INFINITY) return false;
    this.#ring();
    return true;
  }

  #ring(): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, this.#nextAt);
    const due = [...this.#alarms].filter(({ at }) => at <= this.#elapsedMs).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.#alarms.delete(alarm)) alarm.task();
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const { at } of this.#alarms) this.#nextAt = Math.min(this.#nextAt, at);
  }
}

export interface Survey {
  readonly venue: Venue;
  readonly files: readonly string[];
  readonly meta: string;
  /** The time of the capture's first frame in Unix milliseconds. */
  readonly startMs: number;
  readonly yesPriced: boolean;
  readonly note: RecordingNote;
  /** The facts of all markets of venue A. */
  readonly facts: readonly FoundFacts[];
  /** The price ranges of all markets of venue B, by ticker. */
  readonly ranges: ReadonlyMap<string, PriceRanges>;
}

/** Reads the files of a capture once. Rejects with a `RecordingError` if they cannot be played as one capture. */
export async function surveyCapture(
  files: readonly string[],
  onBytes: (file: string, bytes: number) => void,
): Promise<Survey> {
  const meta = await metaOf(files[0]!);
  const reading = new Reading(meta);
  const sample = new MarketSample();
  const spans = new FileSpans();
  for await (const frames of capturedFrames(files, reading, null, onBytes)) {
    for (const frame of frames) {
      spans.add(frame.file, frame.atMs, frame.arrivalMs);
      sample.add(frame.value, frame.file);
    }
  }
  const name = files.join(', ');
  const { venue, facts } = endOf(reading, name);
  const startMs = unixMillisOf(Math.floor(spans.startMs ?? 0));
  if (startMs === null) throw new RecordingError(`${name}: no time in it, neither of its recorder nor of the venue`);
  return {
    venue,
    files,
    meta,
    startMs,
    yesPriced: facts.yesPriced,
    note: reading.note(name),
    facts: findFacts(sample.messagesA, facts.tokensByCondition),
    ranges: sample.rangesB(),
  };
}

function endOf(reading: Reading, name: string): ReturnType<Reading['end']> {
  try {
    return reading.end();
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`${name}: ${error.message}`) : error;
  }
}

const VENUES_SINCE_MS = Date.UTC(2018);

/** Refuses times that no frame can have, and files that overlap, because a book cannot be in two captures at once. */
class FileSpans {
  startMs: number | null = null;
  #file = '';
  #before = '';
  /** The latest time of the recorder in the files before the present file. */
  #endMs = 0;
  #lastMs = 0;

  add(file: string, atMs: number | null, arrivalMs: number | null): void {
    this.startMs ??= arrivalMs;
    const earliestMs = Math.min(atMs ?? Number.POSITIVE_INFINITY, arrivalMs ?? Number.POSITIVE_INFINITY);
    if (earliestMs < VENUES_SINCE_MS) {
      throw new RecordingError(
        `${file}: a time of ${new Date(earliestMs).toISOString()}, before there was any venue: is it in another unit, or not counted from 1970?`,
      );
    }
    if (file !== this.#file) {
      this.#before = this.#file;
      this.#file = file;
      this.#endMs = this.#lastMs;
    }
    if (atMs === null) return;
    if (atMs < this.#endMs) {
      throw new RecordingError(
        `${file}: begins before ${this.#before} ends; files of one venue are one capture, in their order: import others into a folder of their own`,
      );
    }
    // The clock may be set back within a file.
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }
}

/** Keeps what shows the facts of each market: a few messages of venue A, and a few prices of venue B. */
class MarketSample {
  readonly messagesA: JsonObject[] = [];
  readonly #tokens = new Map<string, Set<string>>();
  readonly #decimals = new Map<string, number>();
  readonly #pricesB = new Map<string, Set<string>>();

  add(frame: unknown, file: string): void {
    for (const message of objectsOf(Array.isArray(frame) ? frame : [frame])) {
      if (typeof message.event_type === 'string') this.#addA(message);
      else this.#addB(message.msg as JsonObject);
      if (Math.max(this.#tokens.size, this.#pricesB.size) > limits.booksPerVenueMax) {
        throw new RecordingError(
          `${file}: more than ${limits.booksPerVenueMax} markets of one venue (booksPerVenueMax)`,
        );
      }
    }
  }

  rangesB(): Map<string, PriceRanges> {
    return new Map([...this.#pricesB].map(([ticker, prices]) => [ticker, gridOfPrices(prices)]));
  }

  /** Keeps the first book, a message that names a token for the first time, and a message with a finer price than all before. */
  #addA(message: JsonObject): void {
    const condition = textOf(message.market);
    const tokens = this.#tokens.get(condition) ?? new Set<string>();
    this.#tokens.set(condition, tokens);
    const isFirstBook = message.event_type === 'book' && !tokens.has(BOOKED);
    if (isFirstBook) tokens.add(BOOKED);
    const isNamed = tokens.size < TOKENS_KEPT && tokensNamed(message).some(token => !tokens.has(token));
    for (const token of isNamed ? tokensNamed(message) : []) tokens.add(token);
    const decimals = Math.max(0, ...objectsOf(message.price_changes).map(({ price }) => textOf(price).length));
    const isFiner = decimals > (this.#decimals.get(condition) ?? 0);
    if (isFiner) this.#decimals.set(condition, decimals);
    if (isFirstBook || isNamed || isFiner) this.messagesA.push(message);
  }

  /** Keeps one price of each precision. */
  #addB(message: JsonObject): void {
    const ticker = textOf(message.market_ticker);
    if (ticker === '') return;
    const prices = this.#pricesB.get(ticker) ?? new Set<string>();
    this.#pricesB.set(ticker, prices);
    for (const price of pricesOf(message)) {
      const ticks = parseTicks(price) ?? 0;
      if (ticks % 10 !== 0) prices.add(FINEST);
      else if (ticks % 100 !== 0) prices.add(FINE);
    }
  }
}

/** The mark of a market whose book has been seen. It is kept beside the market's two tokens. */
const BOOKED = '';

const TOKENS_KEPT = 3;

const [FINE, FINEST] = ['0.0010', '0.0001'];
