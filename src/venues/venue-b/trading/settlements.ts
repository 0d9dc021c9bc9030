// Finds out which markets have paid out, and how much (contract §5), by the account's list of settlements. The list is read after the
// stream reports a payout in one of the account's markets (venue-b.md §10.4), and again while it lags. It is also read after each
// connection, after a gap, and periodically. The result on the stream is not used: a disputed result may be amended without another message
// (§11). A settlement may be reported any number of times. A settlement that is never listed is given up and reported as unlisted: the
// market's description has its payout (§4.2). Engine thread.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import { isObject, type JsonObject } from '../../../core/domain/json.ts';
import type { Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { MICROS_PER_DOLLAR, TICKS_PER_CENT, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import type { Log } from '../../../core/runtime/log.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { formOf } from '../../unread-rows.ts';
import type { PrivateEvent, Reading } from '../../venue.ts';
import { venueAddressOf } from '../../wire-values.ts';
import { moneyOf, timeOf } from './amounts.ts';
import { readMarket } from './archive.ts';
import type { VenueBRest } from './rest.ts';

/** The statuses of a market before its result (venue-b.md §4.2). */
const BEFORE_RESULT: readonly unknown[] = ['initialized', 'inactive', 'active', 'closed'];

/** The statuses of a market before its payout. After the result it may be disputed and amended. */
const BEFORE_PAYOUT: readonly unknown[] = [...BEFORE_RESULT, 'determined', 'disputed', 'amended'];

type Settled = Extract<PrivateEvent, { type: 'settled' }>;
type Unlisted = Extract<PrivateEvent, { type: 'unlisted' }>;

interface VenueBSettlementsParts {
  readonly rest: VenueBRest;
  readonly timers: Timers;
  readonly log: Log;
  readonly onEvent: (event: Settled | Unlisted) => void;
  /** Whether the account holds shares of a market. The stream reports all markets. */
  readonly isHeld: (address: string) => boolean;
}

export class VenueBSettlements {
  readonly #parts: VenueBSettlementsParts;
  /** Tickers that the stream has reported as paid and that the list lacks, with the time of the report by `elapsed()`. */
  readonly #awaited = new Map<string, number>();
  /** The milliseconds to the next read while a settlement is awaited. */
  #pauseMs: number = limits.venueBSettlementsPauseMs;
  #since: UnixMillis;
  #cancelNext: () => void = () => {};
  #nextAt = Number.POSITIVE_INFINITY;
  #isReading = false;
  #isStopped = false;

  constructor(parts: VenueBSettlementsParts) {
    this.#parts = parts;
    this.#since = (parts.timers.now() - limits.venueBSettlementsLookBackMs) as UnixMillis;
  }

  /** Handles a message of the channel `market_lifecycle_v2`. */
  handle(message: JsonObject): void {
    if (message.event_type !== 'settled') return;
    const address = venueAddressOf(message.market_ticker);
    if (!this.#parts.isHeld(address)) return;
    if (!this.#awaited.has(address)) this.#awaited.set(address, this.#parts.timers.elapsed());
    this.#pauseMs = limits.venueBSettlementsPauseMs;
    this.readSoon();
  }

  /** Reads the list soon, because events may be missing. */
  readSoon(): void {
    this.#readIn(limits.venueBSettlementsPauseMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
  }

  #readIn(delayMs: number): void {
    const { timers } = this.#parts;
    const at = timers.now() + delayMs;
    if (this.#isStopped || at >= this.#nextAt) return;
    this.#cancelNext();
    this.#nextAt = at;
    this.#cancelNext = timers.after(delayMs, () => {
      this.#nextAt = Number.POSITIVE_INFINITY;
      this.#read();
    });
  }

  async #read(): Promise<void> {
    // The read in flight may be older than the latest report, so another read follows.
    if (this.#isReading) {
      this.readSoon();
      return;
    }
    this.#isReading = true;
    const { rest, timers, log } = this.#parts;
    const latest = timers.now() - limits.venueBSettlementsOverlapMs;
    // The bounds of the read. A time in the future, after the clock was set back, is not used. Unreadable rows are read again, but not for
    // ever.
    const farthestMs = limits.venueBSettlementsLookBackMs + limits.venueBSettlementsAwaitedMs;
    const since = Math.max(Math.min(this.#since, latest), timers.now() - farthestMs);
    const from = Math.max(0, Math.floor(since / SECOND_MS));
    const rows = await rest.readList(`/portfolio/settlements?min_ts=${from}`, 'settlements');
    if (rows.ok) {
      const isWhole = await this.#reportAll(rows.value);
      this.#forgetPaid();
      this.#giveUpUnlisted();
      // A row that comes late still has the time at which its market was settled, so awaited settlements hold the next start back.
      if (isWhole) this.#since = (latest - this.#awaitedMs()) as UnixMillis;
    } else log.warn('settlements cannot be read', { venue: 'venue_b', message: rows.error });
    this.#isReading = false;
    this.#readIn(this.#nextPauseMs());
  }

  #forgetPaid(): void {
    for (const address of this.#awaited.keys()) if (!this.#parts.isHeld(address)) this.#awaited.delete(address);
  }

  #giveUpUnlisted(): void {
    for (const [address, heardAt] of this.#awaited) {
      if (this.#parts.timers.elapsed() - heardAt < limits.venueBSettlementsAwaitedMs) continue;
      this.#awaited.delete(address);
      this.#parts.onEvent({ type: 'unlisted', address });
    }
  }

  /** Returns the milliseconds for which the first awaited settlement has been awaited, or 0 if none is. */
  #awaitedMs(): number {
    const [heardAt = null] = this.#awaited.values();
    return heardAt === null ? 0 : this.#parts.timers.elapsed() - heardAt;
  }

  #nextPauseMs(): number {
    if (this.#awaited.size === 0) return limits.venueBSettlementsReadMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, limits.venueBSettlementsReadMs);
    return this.#pauseMs;
  }

  /** Reports rows, oldest first. Returns false if a row is unreadable, or not readable yet, so that it is read again. */
  async #reportAll(rows: readonly unknown[]): Promise<boolean> {
    let isWhole = true;
    for (const value of rows.toReversed()) {
      const row = isObject(value) ? value : {};
      const settled = settledOf(row) ?? (await this.#readScalar(row));
      if (this.#isStopped) return false;
      if (settled === null) {
        isWhole = false;
        this.#parts.log.warn('settlement cannot be read', {
          venue: 'venue_b',
          market: venueAddressOf(row.ticker),
          form: formOf(row),
        });
      } else this.#parts.onEvent(settled);
    }
    return isWhole;
  }

  /**
   * Returns the settlement of a market that pays a part of a dollar. The list rounds the value to cents; the market's description does not.
   * Returns null while the market cannot be read, because a booked payout is final.
   */
  async #readScalar(row: JsonObject): Promise<Settled | null> {
    const { rest } = this.#parts;
    const address = venueAddressOf(row.ticker);
    const at = timeOf(undefined, row.settled_time);
    if (row.market_result !== 'scalar' || address === '' || at === null) return null;
    const answer = await readMarket(rest, address);
    if (answer.type === 'unavailable') return null;
    const market = answer.type === 'body' ? answer.body.market : null;
    const exact = isObject(market) ? partValueOf(market.settlement_value_dollars) : null;
    const cents = centsOf(row.value);
    // The description is still from before the payout.
    if (isObject(market) && isOutdated(market, exact, cents)) return null;
    const value = exact ?? cents;
    return value === null ? null : { type: 'settled', address, value, at };
  }
}

/** Reads a row of `GET /portfolio/settlements` whose result is YES or NO. Returns null for any other row. */
export function settledOf(row: JsonObject): Settled | null {
  const address = venueAddressOf(row.ticker);
  const value = binaryValueOf(row.market_result);
  const at = timeOf(undefined, row.settled_time);
  return address === '' || value === null || at === null ? null : { type: 'settled', address, value, at };
}

/**
 * Whether the market's description is from before the payout. The description has a value since the result, which may have been amended
 * before the payout. The list has the paid value, rounded.
 */
function isOutdated({ status }: JsonObject, exact: Ticks | null, cents: Ticks | null): boolean {
  if (exact === null) return BEFORE_RESULT.includes(status);
  const isSame = cents !== null && Math.abs(exact - cents) < TICKS_PER_CENT;
  return BEFORE_PAYOUT.includes(status) && !isSame;
}

function centsOf(value: unknown): Ticks | null {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return null;
  return value > TICKS_PER_DOLLAR / TICKS_PER_CENT ? null : ((value * TICKS_PER_CENT) as Ticks);
}

const YES_WINS = TICKS_PER_DOLLAR as Ticks;
const NO_WINS = 0 as Ticks;
/** The statuses of a market that has paid out. Before them the venue may still amend a result. */
const HAS_PAID: readonly unknown[] = ['finalized', 'settled'];

/**
 * Returns the payout by the market's own description. The account's list of settlements may lack a market in which the account's YES and NO
 * cancel out. Returns null if the market has not paid, or if the venue states no amount or does not know the market any more.
 */
export async function payoutOf(rest: VenueBRest, ticker: string): Reading<Ticks | null> {
  const answer = await readMarket(rest, ticker);
  if (answer.type === 'unavailable') return fail(answer.message);
  const market = answer.type === 'body' ? answer.body.market : null;
  return ok(isObject(market) && market.ticker === ticker ? paidBy(market) : null);
}

function paidBy({ status, result, settlement_value_dollars }: JsonObject): Ticks | null {
  if (!HAS_PAID.includes(status)) return null;
  return binaryValueOf(result) ?? partValueOf(settlement_value_dollars);
}

/** Returns the payout of one YES, or null if the result is neither YES nor NO. */
function binaryValueOf(result: unknown): Ticks | null {
  if (result !== 'yes' && result !== 'no' && result !== 'scalar') countUnknown('venue_b', 'market_result', result);
  return result === 'yes' ? YES_WINS : result === 'no' ? NO_WINS : null;
}

const MICROS_PER_TICK = MICROS_PER_DOLLAR / TICKS_PER_DOLLAR;

/**
 * Returns the payout of one YES as a part of a dollar, stated with up to six decimals (venue-b.md §3). The value is rounded to the nearest
 * tick: a third of a dollar, for example, is not a whole number of ticks.
 */
function partValueOf(dollars: unknown): Ticks | null {
  const value = moneyOf(dollars);
  return value === null || value > MICROS_PER_DOLLAR ? null : (Math.round(value / MICROS_PER_TICK) as Ticks);
}
