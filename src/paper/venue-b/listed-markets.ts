// Venue B's listings: events with their markets, by ticker, by market id and by engine id. Events come and go while the exchange runs; the
// collections change for their readers too. Thread of the paper exchanges.

import type { UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { VenueBEventListing } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { MarketSpec } from '../engine/engine-types.ts';
import { VenueBMarket } from './market.ts';
import { MarketRules } from './market-rules.ts';

interface Listed {
  readonly market: VenueBMarket;
  readonly spec: MarketSpec;
}

export class ListedMarkets {
  /** By time of listing. */
  readonly events: VenueBEventListing[] = [];
  readonly byTicker = new Map<string, VenueBMarket>();
  /** By the venue's UUID. */
  readonly byMarketId = new Map<string, VenueBMarket>();
  /** Engine ids are never reused: a removed market leaves an empty place. */
  readonly byId: (VenueBMarket | undefined)[] = [];
  readonly #engine: Engine;
  readonly #rules = new MarketRules();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether there is room for all of them, and none is listed. */
  canTake(events: readonly VenueBEventListing[]): boolean {
    const tickers = events.flatMap(({ markets }) => markets.map(({ ticker }) => ticker));
    return (
      this.byTicker.size + tickers.length <= limits.paperMarketsMax &&
      new Set(tickers).size === tickers.length &&
      !tickers.some(ticker => this.byTicker.has(ticker))
    );
  }

  add(event: VenueBEventListing): Listed[] {
    this.events.push(event);
    return event.markets.map(listing => {
      const spec = this.#rules.spec(listing.grid, event.series);
      const market = new VenueBMarket(this.#engine, this.#engine.addMarket(spec), listing, event);
      this.byTicker.set(market.ticker, market);
      this.byMarketId.set(listing.marketId, market);
      this.byId[market.id] = market;
      return { market, spec };
    });
  }

  /** Removes events whose markets have all been settled since then; returns their markets. */
  removeSettled(since: UnixMillis): VenueBMarket[] {
    const isOver = ({ outcome }: VenueBMarket): boolean => (outcome?.settledAt ?? Number.POSITIVE_INFINITY) <= since;
    const removed: VenueBMarket[] = [];
    const remaining = this.events.filter(event => {
      const markets = event.markets.map(({ ticker }) => this.byTicker.get(ticker)!);
      if (!markets.every(isOver)) return true;
      removed.push(...markets);
      return false;
    });
    this.events.splice(0, this.events.length, ...remaining);
    for (const market of removed) this.#forget(market);
    return removed;
  }

  #forget(market: VenueBMarket): void {
    this.byTicker.delete(market.ticker);
    this.byMarketId.delete(market.listing.marketId);
    this.byId[market.id] = undefined;
  }
}
