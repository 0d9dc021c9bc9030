// Surveys a capture before it is played: checks that all of it can be played, and collects the facts of its markets outside the stream. So
// a capture is read twice, and nothing is written before the first reading has succeeded. The command line's process.

import { type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import type { Venue } from '../../../core/domain/market.ts';
import { parseTicks, unixMillisOf } from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { RecordingError } from '../../../paper/replay/recorder-forms.ts';
import { metaOf, Reading, type RecordingNote } from '../../../paper/replay/recording.ts';
import { type FoundFacts, findFacts, tokensNamed } from '../../../paper/replay/venue-a-facts.ts';
import { gridOfPrices, pricesOf, type VenueBListing } from '../../../paper/replay/venue-b-frame.ts';
import { capturedFrames } from './capture-frames.ts';

export interface Survey {
  readonly venue: Venue;
  readonly files: readonly string[];
  readonly meta: string;
  /** Unix milliseconds of its first frame. */
  readonly startMs: number;
  readonly yesPriced: boolean;
  readonly note: RecordingNote;
  /** Venue A: of all its markets. */
  readonly facts: readonly FoundFacts[];
  /** Venue B: price ranges of all its markets, by ticker. */
  readonly ranges: ReadonlyMap<string, VenueBListing['priceRanges']>;
}

/** Rejects with a `RecordingError` if the files cannot be played as one capture. */
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
  const { venue, facts } = ended(reading, name);
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

function ended(reading: Reading, name: string): ReturnType<Reading['end']> {
  try {
    return reading.end();
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`${name}: ${error.message}`) : error;
  }
}

const VENUES_SINCE_MS = Date.UTC(2018);

/** Refuses times that no frame can have, and files that overlap: a book cannot be in two captures at once. */
class FileSpans {
  startMs: number | null = null;
  #file = '';
  #before = '';
  /** Latest time of the recorder in the files before. */
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
    // Within a file a clock may be set back.
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }
}

/** The messages that show the facts of each market: a few messages of venue A, a few prices of venue B. */
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

  rangesB(): Map<string, VenueBListing['priceRanges']> {
    return new Map([...this.#pricesB].map(([ticker, prices]) => [ticker, gridOfPrices(prices).priceRanges]));
  }

  /** The first book, a token that is named for the first time, a price that is finer than all before. */
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

  /** Keeps one price of each fineness. */
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

/** Stands beside the two tokens of a market whose book has been seen. */
const BOOKED = '';
const TOKENS_KEPT = 3;
const [FINE, FINEST] = ['0.0010', '0.0001'];
