// Reads JSON from a read-only venue at the venue's pace, and finds the best prices of its order books. A read is repeated once if the
// connection broke, or if the venue failed or was too slow. Reads have no effect, so a repeat is safe. Thread of the market reads.

import { SECOND_MS } from '../core/domain/durations.ts';
import { decimalTextOf, isObject, parseJson, textOf } from '../core/domain/json.ts';
import { isCrossed, type Quote, quoteOf } from '../core/domain/market-summary.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../core/domain/numbers.ts';
import { plainText } from '../core/domain/plain-text.ts';
import { HTTP_OK, HTTP_SERVER_ERROR, HTTP_TOO_MANY } from '../core/net/http-status.ts';
import type { OutboundOutcome, OutboundPool } from '../core/net/outbound.ts';
import type { Timers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { busy, faulty, type ReadFailure, type ReadVenue } from './market-read.ts';
import { type PaceTerms, RequestPace } from './request-pace.ts';
import { errorIn, REQUEST_HEADERS, retryAfterS } from './venue-json.ts';
import { ticksOf } from './wire-values.ts';

interface MarketReadHttpParts {
  readonly venue: ReadVenue;
  /** Base of the venue's REST, without a trailing slash. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pace: PaceTerms;
  readonly outbound: OutboundPool;
  readonly timers: Timers;
}

/** An answer with a status below 500 other than 429. `body` is undefined if it is not JSON. */
export interface JsonAnswer {
  readonly type: 'json';
  readonly status: number;
  readonly body: unknown;
}

/** The methods that readers of a market's terms use. */
export type TermsHttp = Pick<MarketReadHttp, 'deadline' | 'find' | 'unreadable'>;

const ATTEMPTS_MAX = 2;

export class MarketReadHttp {
  readonly venue: ReadVenue;
  readonly #parts: MarketReadHttpParts;
  readonly #basePath: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #pace: RequestPace;

  constructor(parts: MarketReadHttpParts) {
    this.venue = parts.venue;
    this.#parts = parts;
    this.#basePath = new URL(parts.url).pathname.replace(/\/$/, '');
    this.#headers = { ...REQUEST_HEADERS, ...parts.headers };
    this.#pace = new RequestPace(parts.pace, parts.timers);
  }

  /** Returns the deadline of a read that begins now, on the scale of the timers' `elapsed`. */
  deadline(): number {
    return this.#parts.timers.elapsed() + limits.marketReadMs;
  }

  /** Reads a path, which is relative to the base and includes its query. Never rejects. */
  async get(path: string, deadlineMs: number): Promise<JsonAnswer | ReadFailure> {
    let answer: JsonAnswer | ReadFailure = this.#tooLate();
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      if (!(await this.#pace.enter(deadlineMs))) return attempt === 0 ? this.#tooLate() : answer;
      const outcome = await this.#send(path, deadlineMs);
      this.#pace.leave();
      answer = this.#parseAnswer(outcome);
      if (!isWorthAnother(outcome)) return answer;
    }
    return answer;
  }

  /** Like `get`, for an answer with status 200. Returns null for a status of `missing`, which lists the statuses for "not found". */
  async find(path: string, deadlineMs: number, missing: readonly number[]): Promise<JsonAnswer | ReadFailure | null> {
    const answer = await this.get(path, deadlineMs);
    if (answer.type !== 'json' || answer.status === HTTP_OK) return answer;
    if (missing.includes(answer.status)) return null;
    const words = wordsOf(answer.body);
    return faulty(this.venue, words === '' ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${words}`);
  }

  /** Returns the failure for an unreadable answer. `what` is the id of a market or a token, `problem` the name of its field. */
  unreadable(what: string, problem: string): ReadFailure {
    return faulty(this.venue, `${what}: its ${problem} cannot be read`);
  }

  close(): Promise<void> {
    return this.#parts.outbound.close();
  }

  #send(path: string, deadlineMs: number): Promise<OutboundOutcome> {
    const { outbound, timers } = this.#parts;
    const request = { method: 'GET', target: this.#basePath + path, headers: this.#headers, body: '' } as const;
    return outbound.request(request, Math.max(1, Math.ceil(deadlineMs - timers.elapsed())));
  }

  #parseAnswer(outcome: OutboundOutcome): JsonAnswer | ReadFailure {
    if (outcome.type !== 'answer') return faulty(this.venue, outcome.message);
    const { status, headers, body } = outcome;
    if (status === HTTP_TOO_MANY) {
      this.#pace.pause(retryAfterS(headers, 1, limits.marketReadRetryAfterMaxS) * SECOND_MS);
      return this.#tooLate();
    }
    if (status >= HTTP_SERVER_ERROR) return faulty(this.venue, `HTTP ${status}`);
    const value = parseJson(body);
    const error = status === HTTP_OK ? errorIn(value) : '';
    if (error !== '') return faulty(this.venue, `HTTP ${status} with an error: ${error}`);
    return { type: 'json', status, body: value };
  }

  #tooLate(): ReadFailure {
    const { pauseMs } = this.#pace;
    if (pauseMs > 0) return busy(this.venue, 'asks to be left alone for a while (HTTP 429)', pauseMs);
    return busy(this.venue, 'too many reads at once for what it allows', SECOND_MS);
  }
}

function isWorthAnother(outcome: OutboundOutcome): boolean {
  if (outcome.type === 'lost') return true;
  return outcome.type === 'answer' && (outcome.status === HTTP_TOO_MANY || outcome.status >= HTTP_SERVER_ERROR);
}

/** Returns the venue's error text. The body has it as a text, or as a list of texts or of fields with a text. */
function wordsOf(body: unknown): string {
  if (!isObject(body)) return '';
  const { message, error, errmsg, msg } = body;
  const said = [message, error, errmsg, msg].flat().map(item => (isObject(item) ? textOf(item.message) : textOf(item)));
  return plainText(said.filter(text => text !== '').join('; '), limits.venueWordsMax);
}

/** Returns the best prices of a book, or null if `book` is not a book of `tokenId`. */
export function readBestPrices(book: unknown, tokenId: string): Quote | null {
  if (!isObject(book) || book.tokenId !== tokenId) return null;
  const [bids, asks] = [pricesOf(book.bids), pricesOf(book.asks)];
  if (bids === null || asks === null) return null;
  const quote = quoteOf(
    bids.reduce<Ticks | null>((best, price) => (best === null || price > best ? price : best), null),
    asks.reduce<Ticks | null>((best, price) => (best === null || price < best ? price : best), null),
  );
  return isCrossed(quote) ? null : quote;
}

/** Returns the prices of the levels whose size is above 0. */
function pricesOf(levels: unknown): readonly Ticks[] | null {
  if (!Array.isArray(levels)) return levels === null ? [] : null;
  const prices: Ticks[] = [];
  for (const level of levels as unknown[]) {
    const price = isObject(level) ? ticksOf(level.price) : null;
    if (!isObject(level) || price === null || price === 0 || price === TICKS_PER_DOLLAR) return null;
    if (isPositive(level.size)) prices.push(price);
  }
  return prices;
}

/** Whether the size is above 0. The size stays text here, because it has more decimals than we use. */
export function isPositive(value: unknown): boolean {
  const text = decimalTextOf(value);
  return /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
}
