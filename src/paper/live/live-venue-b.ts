// Venue B with live-paper. Its markets are known by ticker (venue-b.md §4.2, §4.5). Thread of the paper exchanges.

import { isSameGrid } from '../../core/domain/grid.ts';
import { decimalTextOf, isAbsent, isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import { TICKER_PATTERN } from '../../core/domain/market.ts';
import { formatTicks, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import type { MarketReadHttp } from '../../venues/market-read-http.ts';
import { type MarketFacts, marketFactsIn } from '../../venues/venue-b/market-facts.ts';
import { isoTimeOf, labelOf, ticksOf } from '../../venues/wire-values.ts';
import type { Catalog, PriceGrid, VenueBMarketListing, VenueBSeries } from '../catalog/listings.ts';
import { isFeeType } from '../fees/fees.ts';
import { catalogOf } from '../flow/recorded-catalog.ts';
import type { VenueBExchange } from '../venue-b/exchange.ts';
import { bodyOf, type LiveMarket, type LiveVenue, type LiveVenueParts, readerOf } from './live-venue.ts';

const MISSING = [400, 404];
const UNREADABLE = 'venue B does not describe the market as expected';
const MULTIPLIER = /^\d{1,3}(\.\d{1,8})?$/;

interface Description {
  readonly market: JsonObject;
  readonly facts: MarketFacts;
}

export class LiveVenueB implements LiveVenue {
  readonly #parts: LiveVenueParts<VenueBExchange>;
  readonly #http: MarketReadHttp;

  constructor(parts: LiveVenueParts<VenueBExchange>) {
    this.#parts = parts;
    this.#http = readerOf('venue_b', parts.url, parts.timers);
  }

  isListed(ticker: string): boolean {
    return this.#parts.exchange.markets.has(ticker);
  }

  markets(): readonly LiveMarket[] {
    return this.#parts.exchange.desk.markets.map(house => ({ addresses: [house.address], house }));
  }

  undecided(): readonly string[] {
    const all = [...this.#parts.exchange.markets.values()];
    return all.filter(({ outcome }) => outcome === null).map(({ ticker }) => ticker);
  }

  async list(ticker: string): Promise<string | null> {
    const { exchange, onListed } = this.#parts;
    const description = await this.#describe(ticker);
    if (description === null || typeof description === 'string') return description;
    const series = await this.#seriesOf(textOf(description.market.event_ticker));
    if (typeof series === 'string') return series;
    if (this.isListed(ticker)) return null;
    const catalog = catalogFor(description, series, exchange.now());
    onListed(catalog);
    return exchange.list(catalog.venueB.events) ? null : 'the paper exchange has no room for another market';
  }

  async refresh(ticker: string): Promise<boolean> {
    const { exchange } = this.#parts;
    const market = exchange.markets.get(ticker);
    if (market === undefined || market.outcome !== null) return false;
    const description = await this.#describe(ticker);
    if (description === null || typeof description === 'string') return false;
    const { closeTime, grid } = description.facts;
    const hasOtherGrid = !isSameGrid(grid, market.bands);
    if (hasOtherGrid) exchange.life.setGrid(market, gridOf(description));
    if (closeTime !== 0 && closeTime !== market.closeAt) exchange.life.setCloseAt(market, closeTime);
    const yesValue = resultOf(description.market);
    // The settlement delay is 0, because the venue itself has waited already.
    if (yesValue !== null) exchange.life.determine(market, yesValue, 0);
    return hasOtherGrid;
  }

  forget(since: UnixMillis): void {
    this.#parts.exchange.forgetSettled(since);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #describe(ticker: string): Promise<Description | null | string> {
    if (!TICKER_PATTERN.test(ticker)) return null;
    const body = bodyOf(await this.#http.find(`/markets/${ticker}`, this.#http.deadline(), MISSING));
    if (body === null || typeof body === 'string') return body;
    const facts = marketFactsIn(body);
    const market = isObject(body) ? body.market : null;
    return facts?.ticker === ticker && isObject(market) ? { market, facts } : UNREADABLE;
  }

  /** Returns the series of an event, with the fees that the event overrides. Returns a text if the series cannot be read. */
  async #seriesOf(eventTicker: string): Promise<VenueBSeries | string> {
    const event = await this.#object(`/events/${eventTicker}`, eventTicker, 'event');
    if (typeof event === 'string') return event;
    const ticker = textOf(event.series_ticker);
    const series = await this.#object(`/series/${ticker}`, ticker, 'series');
    if (typeof series === 'string') return series;
    const feeType = textOf(event.fee_type_override) || textOf(series.fee_type);
    const override = event.fee_multiplier_override;
    const feeMultiplier = decimalTextOf(isAbsent(override) ? series.fee_multiplier : override);
    if (!isFeeType(feeType) || !MULTIPLIER.test(feeMultiplier)) return `venue B has fees of ${feeType} here`;
    const [title, category] = [labelOf(series.title) || ticker, labelOf(series.category)];
    return { ticker, title, category, tags: [], frequency: 'custom', feeType, feeMultiplier };
  }

  async #object(path: string, name: string, field: string): Promise<JsonObject | string> {
    if (!TICKER_PATTERN.test(name)) return UNREADABLE;
    const body = bodyOf(await this.#http.find(path, this.#http.deadline(), MISSING));
    if (typeof body === 'string') return body;
    const value = isObject(body) ? body[field] : null;
    return isObject(value) ? value : UNREADABLE;
  }
}

/** Returns the payout of YES once it is final. Null before. */
function resultOf({ status, result, settlement_value_dollars: value }: JsonObject): Ticks | null {
  if (status !== 'finalized' && status !== 'settled') return null;
  if (result === 'yes') return TICKS_PER_DOLLAR as Ticks;
  return result === 'no' ? (0 as Ticks) : ticksOf(value);
}

function gridOf({ market, facts }: Description): PriceGrid {
  const ranges = facts.grid.map(({ start, end, step }) => ({
    start: formatTicks(start),
    end: formatTicks(end),
    step: formatTicks(step),
  }));
  return { name: textOf(market.price_level_structure), ranges };
}

/** Makes the listing of a market. Each market is a game of its own here, so that the exchange keeps its listing by itself. */
function catalogFor({ market, facts }: Description, series: VenueBSeries, now: UnixMillis): Catalog {
  const { ticker, closeTime } = facts;
  const base = catalogOf([], [ticker], new Set(), now);
  const [event] = base.venueB.events;
  const [usual] = event!.markets;
  const eventTicker = textOf(market.event_ticker);
  const closeAt = closeTime === 0 ? usual!.closeAt : closeTime;
  const listing: VenueBMarketListing = {
    ...usual!,
    eventTicker,
    title: labelOf(market.title) || ticker,
    yesSubTitle: labelOf(market.yes_sub_title) || usual!.yesSubTitle,
    noSubTitle: labelOf(market.no_sub_title) || usual!.noSubTitle,
    grid: gridOf({ market, facts }),
    openAt: isoTimeOf(textOf(market.open_time)) ?? usual!.openAt,
    closeAt,
    expectedExpirationAt: isoTimeOf(textOf(market.expected_expiration_time)) ?? closeAt,
    rulesSecondary: 'A market of live-paper: the real venue decides it.',
  };
  const game = { ...event!.game, id: ticker };
  return {
    ...base,
    games: [game],
    questions: base.questions.map(question => ({ ...question, game: game.id })),
    venueB: { series: [series], events: [{ ...event!, eventTicker, series, game, markets: [listing] }] },
  };
}
