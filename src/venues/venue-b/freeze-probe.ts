// Distinguishes a frozen stream of venue B from quiet markets. A stream that has lost changes of a market may go on with pings and with
// other markets. Its numbers show no gap before the market's next message. So REST is asked for the books that had no message for a while,
// up to a hundred in one request. If a book differs and still has no message after a grace, its stream is stalled. Venue B's feed thread.

import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { ASK, BID, type Side } from '../../core/domain/market.ts';
import { complementTicks, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { COUNTER } from '../../core/metrics/feed-counters.ts';
import { limits } from '../../limits.ts';
import type { FeedParts } from '../feed.ts';
import { getJson } from '../venue-json.ts';
import type { VenueBSign } from './auth.ts';
import type { Market, MarketDirectory } from './market-directory.ts';
import { priceOf, sizeOf } from './trading/amounts.ts';

/**
 * The time without a message after which a book is compared. A stalled book becomes STALE within a minute: half of that minute is left for
 * many books to have their turn.
 */
const QUIET_MS = 20_000;
/** The grace: a message whose effect REST shows earlier than the stream arrives within this time. */
const GRACE_MS = 3_000;
/**
 * The most books in one request, by the venue's rule. One request a second is a tenth of the reads of the smallest tier, and lets 2 000
 * books have their turn in time.
 */
const BOOKS_MAX = 100;

interface FreezeProbeOptions {
  readonly parts: Pick<FeedParts, 'sink' | 'get' | 'timers' | 'counters'>;
  /** An address such as `https://…/trade-api/v2`, without a trailing slash. */
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly markets: MarketDirectory;
  /** Called when REST has another book than we have, and the stream has brought no message for it. */
  onStalled(market: Market): void;
}

interface Sighting {
  messages: number;
  /**
   * The time of the last look that found a new message. `probedAt` is the time at which REST was asked last. Both by the monotonic clock.
   */
  changedAt: number;
  probedAt: number;
}

export class FreezeProbe {
  readonly #options: FreezeProbeOptions;
  /** The observations of each market. The market whose turn is next comes first. */
  readonly #sightings = new Map<Market, Sighting>();
  #isReading = false;

  constructor(options: FreezeProbeOptions) {
    this.#options = options;
  }

  /** Looks at all books, and asks REST for some that are quiet. */
  check(): void {
    const quiet = this.#quietMarkets();
    if (quiet.length > 0 && !this.#isReading) void this.#probe(quiet);
  }

  #quietMarkets(): readonly Market[] {
    const { markets, parts } = this.#options;
    const now = parts.timers.elapsed();
    for (const market of markets.all())
      if (!this.#sightings.has(market))
        this.#sightings.set(market, { messages: market.messages, changedAt: now, probedAt: now });
    const quiet: Market[] = [];
    let bytes = 0;
    for (const [market, sighting] of this.#sightings) {
      if (!markets.has(market)) this.#sightings.delete(market);
      else if (sighting.messages !== market.messages)
        Object.assign(sighting, { messages: market.messages, changedAt: now });
      else if (this.#isDue(market, sighting, now) && quiet.length < BOOKS_MAX) {
        bytes += '&tickers='.length + market.ticker.length;
        if (bytes <= limits.venueBTickerListBytes) quiet.push(market);
      }
    }
    return quiet;
  }

  #isDue(market: Market, { changedAt, probedAt }: Sighting, now: number): boolean {
    return isWatched(market) && now - changedAt >= QUIET_MS && now - probedAt >= QUIET_MS;
  }

  async #probe(quiet: readonly Market[]): Promise<void> {
    const { parts, restUrl, sign, markets, onStalled } = this.#options;
    const { timers, counters } = parts;
    this.#isReading = true;
    const before = new Map(quiet.map(market => [market, market.messages]));
    for (const market of quiet) this.#takeTurn(market);
    const url = `${restUrl}/markets/orderbooks?${quiet.map(({ ticker }) => `tickers=${ticker}`).join('&')}`;
    const answer = await getJson(parts.get, url, sign('GET', url, timers.now()));
    this.#isReading = false;
    const books = answer.ok && isObject(answer.value) ? objectsOf(answer.value.orderbooks) : [];
    const isStill = (market: Market): boolean =>
      markets.has(market) && isWatched(market) && market.messages === before.get(market);
    const different = books.flatMap(({ ticker, orderbook_fp: shown }) => {
      const market = markets.get(textOf(ticker));
      if (market === undefined || !isStill(market) || !isObject(shown)) return [];
      const isSame = this.#isSame(market, shown);
      if (isSame === true) counters.count(COUNTER.quietProbes);
      return isSame === false ? [market] : [];
    });
    if (different.length === 0) return;
    timers.after(GRACE_MS, () => different.filter(isStill).forEach(onStalled));
  }

  #takeTurn(market: Market): void {
    const sighting = this.#sightings.get(market)!;
    sighting.probedAt = this.#options.parts.timers.elapsed();
    this.#sightings.delete(market);
    this.#sightings.set(market, sighting);
  }

  /** Whether REST shows the same book as ours. Returns null if REST's answer cannot be read. */
  #isSame(market: Market, { yes_dollars, no_dollars }: JsonObject): boolean | null {
    const bids = levelsIn(yes_dollars);
    const asks = levelsIn(no_dollars);
    if (bids === null || asks === null) return null;
    return this.#hasLevels(market, BID, bids) && this.#hasLevels(market, ASK, asks);
  }

  /** Whether our book has exactly these levels on a side. `levels` has sizes by the outcome's own price. */
  #hasLevels({ book, step }: Market, side: Side, levels: ReadonlyMap<Ticks, number>): boolean {
    const { sink } = this.#options.parts;
    let found = 0;
    for (let own = step; own < TICKS_PER_DOLLAR; own = (own + step) as Ticks) {
      const size = sink.sizeAt(book, side, side === BID ? own : complementTicks(own));
      if (size !== (levels.get(own) ?? 0)) return false;
      if (size > 0) found += 1;
    }
    return found === levels.size;
  }
}

function isWatched({ isFollowed, awaitsSnapshot }: Market): boolean {
  return isFollowed && !awaitsSnapshot;
}

function levelsIn(list: unknown): ReadonlyMap<Ticks, number> | null {
  if (!Array.isArray(list)) return null;
  const levels = new Map<Ticks, number>();
  for (const level of list as readonly unknown[]) {
    const [price, size] = Array.isArray(level) ? [priceOf(level[0]), sizeOf(level[1])] : [null, null];
    if (price === null || size === null) return null;
    if (size > 0) levels.set(price, size);
  }
  return levels;
}
