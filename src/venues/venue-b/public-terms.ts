// Reads the terms of venue B's markets by ticker (venue-b.md §4.2, §4.5, §8). These are the market's own terms, and the fees of its series,
// which its event may override. Thread of the market reads.

import { BoundedMap } from '../../core/domain/bounded-map.ts';
import { type FeeModel, parseRate } from '../../core/domain/fees.ts';
import { type Fraction, times } from '../../core/domain/fraction.ts';
import { countOf, decimalTextOf, isAbsent, isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import { TICKER_PATTERN } from '../../core/domain/market.ts';
import type { MarketStatus } from '../../core/domain/market-summary.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND } from '../../core/net/http-status.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { noSuchMarket, type ReadFailure } from '../market-read.ts';
import type { TermsHttp } from '../market-read-http.ts';
import type { TermsReader, TermsReading } from '../trading-terms.ts';
import { isoTimeOf, labelOf } from '../wire-values.ts';
import { type MarketPhase, marketFactsIn } from './market-facts.ts';
import { priceOf } from './trading/amounts.ts';

/** A hundredth of a contract (venue-b.md §0). */
const CENTI_CONTRACT = 10_000 as MicroShares;
/** Trade fees are multiples of $0.0001. */
const FEE_STEP = 100 as MicroDollars;
const TAKER_RATE = rate('0.07');
/** The makers' rates by the fee type of a series. Null means that the type has no published formula. */
const MAKER_RATES: Readonly<Record<string, Fraction | null>> = {
  flat: null,
  quadratic: rate('0'),
  quadratic_with_maker_fees: rate('0.0175'),
  quadratic_with_combo_maker_fees: rate('0.035'),
};
const STATUS: Readonly<Record<MarketPhase, MarketStatus>> = {
  OPEN: 'open',
  PAUSED: 'paused',
  CLOSED: 'closed',
  RESOLVED: 'resolved',
};

/** The fees that an event states. A text is empty if the event does not override it. */
interface EventFees {
  readonly seriesTicker: string;
  readonly type: string;
  readonly multiplier: string;
}

type Found<T> = { readonly type: 'found'; readonly value: T } | ReadFailure;

export class VenueBTermsReader implements TermsReader {
  readonly #http: TermsHttp;
  readonly #timers: Timers;
  /** The fees of events, kept for a while, because markets of one event are read together. */
  readonly #events: Kept<EventFees>;
  readonly #series: Kept<JsonObject>;

  constructor(http: TermsHttp, timers: Timers) {
    this.#http = http;
    this.#timers = timers;
    this.#events = new Kept(timers);
    this.#series = new Kept(timers);
  }

  async readTerms(ticker: string): Promise<TermsReading> {
    if (!TICKER_PATTERN.test(ticker) || ticker.length > limits.marketAddressCharactersMax) return noSuchMarket(ticker);
    const deadlineMs = this.#http.deadline();
    const answer = await this.#http.find(`/markets/${ticker}`, deadlineMs, [HTTP_NOT_FOUND]);
    if (answer === null) return noSuchMarket(ticker);
    if (answer.type !== 'json') return answer;
    const facts = marketFactsIn(answer.body);
    const market = isObject(answer.body) ? answer.body.market : null;
    if (facts === null || !isObject(market)) return this.#http.unreadable(ticker, 'description');
    if (facts.ticker !== ticker) return noSuchMarket(ticker);
    const fees = await this.#feesOf(market, deadlineMs);
    if (fees.type !== 'found') return fees;
    return {
      type: 'terms',
      terms: {
        title: labelOf(market.title),
        status: market.status === 'initialized' ? 'paused' : STATUS[facts.phase],
        grid: facts.grid,
        sizeMin: CENTI_CONTRACT,
        sizeStep: CENTI_CONTRACT,
        fees: fees.value,
        shard: countOf(market.exchange_index),
        settlementFloor: settlementFloorOf(market),
        closesAt: facts.closeTime === 0 ? null : facts.closeTime,
        addresses: [ticker],
        readAt: this.#timers.now(),
      },
    };
  }

  async #feesOf(market: JsonObject, deadlineMs: number): Promise<Found<FeeModel | null>> {
    const event = await this.#eventOf(textOf(market.event_ticker), deadlineMs);
    if (event.type !== 'found') return event;
    const { seriesTicker, ...override } = event.value;
    const series = await this.#seriesOf(seriesTicker, deadlineMs);
    if (series.type !== 'found') return series;
    const { fee_type, fee_multiplier } = series.value;
    const type = override.type === '' ? textOf(fee_type) : override.type;
    const multiplier = override.multiplier === '' ? decimalTextOf(fee_multiplier) : override.multiplier;
    const waivedUntil = isoTimeOf(textOf(market.fee_waiver_expiration_time));
    return { type: 'found', value: feeModelOf(type, multiplier, waivedUntil) };
  }

  async #eventOf(eventTicker: string, deadlineMs: number): Promise<Found<EventFees>> {
    const known = this.#events.get(eventTicker);
    if (known !== null) return { type: 'found', value: known };
    const answer = await this.#find(`/events/${eventTicker}`, eventTicker, deadlineMs);
    if (answer.type !== 'found') return answer;
    const event = answer.value.event;
    if (!isObject(event)) return this.#http.unreadable(eventTicker, 'event');
    const { fee_type_override: type, fee_multiplier_override: multiplier } = event;
    const fees: EventFees = {
      seriesTicker: textOf(event.series_ticker),
      type: textOf(type),
      multiplier: isAbsent(multiplier) ? '' : decimalTextOf(multiplier),
    };
    return { type: 'found', value: this.#events.keep(eventTicker, fees) };
  }

  async #seriesOf(seriesTicker: string, deadlineMs: number): Promise<Found<JsonObject>> {
    const known = this.#series.get(seriesTicker);
    if (known !== null) return { type: 'found', value: known };
    const answer = await this.#find(`/series/${seriesTicker}`, seriesTicker, deadlineMs);
    if (answer.type !== 'found') return answer;
    const { series } = answer.value;
    if (!isObject(series)) return this.#http.unreadable(seriesTicker, 'series');
    return { type: 'found', value: this.#series.keep(seriesTicker, series) };
  }

  async #find(path: string, name: string, deadlineMs: number): Promise<Found<JsonObject>> {
    if (!TICKER_PATTERN.test(name)) return this.#http.unreadable(name, 'ticker');
    const answer = await this.#http.find(path, deadlineMs, [HTTP_NOT_FOUND, HTTP_BAD_REQUEST]);
    if (answer === null) return this.#http.unreadable(name, 'description, which the venue does not have,');
    if (answer.type !== 'json') return answer;
    return isObject(answer.body) ? { type: 'found', value: answer.body } : this.#http.unreadable(name, 'description');
  }
}

function settlementFloorOf({
  settlement_bounds_type: type,
  settlement_floor_dollars: floor,
}: JsonObject): Ticks | null {
  if (type === 'default') return NO_FLOOR;
  if (type === 'floor') return priceOf(floor);
  countUnknown('venue_b', 'settlement_bounds_type', type);
  return null;
}

const NO_FLOOR = 0 as Ticks;

/** Returns the fee model, or null if its type or multiplier is unknown. */
function feeModelOf(type: string, multiplier: string, waivedUntil: FeeModel['waivedUntil']): FeeModel | null {
  if (!Object.hasOwn(MAKER_RATES, type)) countUnknown('venue_b', 'fee_type', type);
  const [maker, factor] = [Object.hasOwn(MAKER_RATES, type) ? MAKER_RATES[type]! : null, parseRate(multiplier)];
  if (maker === null || factor === null) return null;
  const [takerRate, makerRate] = [times(TAKER_RATE, factor), times(maker, factor)];
  return { takerRate, makerRate, exponent: 1, step: FEE_STEP, rounding: 'UP', waivedUntil };
}

function rate(text: string): Fraction {
  const value = parseRate(text);
  assert(value !== null, `not a plain decimal: ${text}`);
  return value;
}

/** Keeps answers that stay true for a while. */
class Kept<T> {
  readonly #timers: Timers;
  readonly #values = new BoundedMap<string, { readonly value: T; readonly untilMs: number }>(limits.marketReadsKeptMax);

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get(name: string): T | null {
    const kept = this.#values.get(name);
    return kept === undefined || kept.untilMs <= this.#timers.elapsed() ? null : kept.value;
  }

  keep(name: string, value: T): T {
    this.#values.delete(name);
    this.#values.set(name, { value, untilMs: this.#timers.elapsed() + FEES_KEPT_MS });
    return value;
  }
}

/** The time for which fees are kept: series and events change their fees by announcement. */
const FEES_KEPT_MS = 60_000;
