// Resolves markets: when a game ends, each of its questions is answered once, and every market with that question, on either venue, is
// resolved. Thread of the paper exchanges.

import { TICKS_PER_DOLLAR, type Ticks } from '../core/domain/numbers.ts';
import type { Catalog, PricedBy } from './catalog/listings.ts';
import type { VenueAExchange } from './venue-a/exchange.ts';
import type { VenueAMarket } from './venue-a/market.ts';
import type { VenueBExchange } from './venue-b/exchange.ts';
import type { VenueBMarket } from './venue-b/market.ts';

interface Asking {
  readonly venueA: VenueAMarket[];
  readonly venueB: VenueBMarket[];
}

export class Results {
  readonly #venueA: VenueAExchange;
  readonly #venueB: VenueBExchange;
  /** Open markets by question. */
  readonly #asking = new Map<string, Asking>();

  constructor(venueA: VenueAExchange, venueB: VenueBExchange) {
    this.#venueA = venueA;
    this.#venueB = venueB;
  }

  /** Call after the exchanges have listed the game. */
  await({ venueA, venueB }: Pick<Catalog, 'venueA' | 'venueB'>): void {
    for (const { conditionId, pricedBy } of venueA.events.flatMap(({ markets }) => markets)) {
      const market = this.#venueA.markets.get(conditionId);
      if (market !== undefined) this.#askingFor(pricedBy).venueA.push(market);
    }
    for (const { ticker, pricedBy } of venueB.events.flatMap(({ markets }) => markets)) {
      const market = this.#venueB.markets.get(ticker);
      if (market !== undefined) this.#askingFor(pricedBy).venueB.push(market);
    }
  }

  /** Markets that an operator has already resolved are not changed. */
  announce(question: string, isTrue: boolean): void {
    const asking = this.#asking.get(question);
    this.#asking.delete(question);
    const isYes = ({ isComplement }: PricedBy): boolean => isTrue !== isComplement;
    for (const market of asking?.venueA ?? []) {
      if (market.resolution === null) this.#venueA.resolutions.resolve(market, isYes(market.listing.pricedBy) ? 0 : 1);
    }
    for (const market of asking?.venueB ?? []) {
      const yesValue = isYes(market.listing.pricedBy) ? TICKS_PER_DOLLAR : 0;
      if (market.outcome === null) this.#venueB.life.determine(market, yesValue as Ticks);
    }
  }

  #askingFor({ question }: PricedBy): Asking {
    const known = this.#asking.get(question) ?? { venueA: [], venueB: [] };
    this.#asking.set(question, known);
    return known;
  }
}
