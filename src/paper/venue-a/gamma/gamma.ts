// Gamma, venue A's public catalog (venue-a.md §7): answers of its requests, from the present state of the exchange. Thread of the paper
// exchanges.

import { limits } from '../../../limits.ts';
import type { VenueAEventListing } from '../../catalog/listings.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import { tagObject } from './directory.ts';
import { bareEventObject, type EventView, eventObject, eventView, type ScoreOf } from './event-object.ts';
import { EVENT_KEYS, eventMatches, MARKET_KEYS, marketMatches, ordered } from './filters.ts';
import { marketObject } from './market-object.ts';
import { type KeysetPage, keysetPage, type Page, paged, pageOf, type Query } from './query.ts';

export class Gamma {
  readonly #exchange: VenueAExchange;
  readonly #scoreOf: ScoreOf;

  constructor(exchange: VenueAExchange, scoreOf: ScoreOf) {
    this.#exchange = exchange;
    this.#scoreOf = scoreOf;
  }

  events(query: Query): object[] {
    return paged(this.#eventsFor(query), listPage(query)).map(view => this.#eventObject(view));
  }

  /** Null if the cursor is invalid. */
  eventsByCursor(query: Query): object | null {
    const page = keysetPage(this.#allEvents(query), eventMatches(query), query, ({ listing }) => listing.id);
    return page === null ? null : keysetAnswer('events', page, view => this.#eventObject(view));
  }

  event(key: 'id' | 'slug', value: string): object | null {
    const listing = this.#exchange.events.find(each => each[key] === value);
    return listing === undefined ? null : this.#eventObject(eventView(this.#exchange, listing));
  }

  markets(query: Query): object[] {
    return paged(this.#marketsFor(query), listPage(query)).map(market => this.#marketObject(market, query));
  }

  marketsByCursor(query: Query): object | null {
    const page = keysetPage(this.#allMarkets(query), marketMatches(query), query, ({ listing }) => listing.id);
    return page === null ? null : keysetAnswer('markets', page, market => this.#marketObject(market, query));
  }

  market(key: 'id' | 'slug', value: string, query: Query): object | null {
    for (const market of this.#exchange.markets.values()) {
      if (market.listing[key] === value) return this.#marketObject(market, query);
    }
    return null;
  }

  #eventsFor(query: Query): readonly EventView[] {
    return this.#allEvents(query).filter(eventMatches(query));
  }

  #marketsFor(query: Query): readonly VenueAMarket[] {
    return this.#allMarkets(query).filter(marketMatches(query));
  }

  #allEvents(query: Query): readonly EventView[] {
    const views = this.#exchange.events.map(listing => eventView(this.#exchange, listing));
    return ordered(views, query, EVENT_KEYS);
  }

  #allMarkets(query: Query): readonly VenueAMarket[] {
    return ordered([...this.#exchange.markets.values()], query, MARKET_KEYS);
  }

  #eventObject(view: EventView): object {
    return eventObject(view, this.#scoreOf(view.listing.game.id), this.#exchange.now());
  }

  #bareEvent(listing: VenueAEventListing): object {
    return bareEventObject(eventView(this.#exchange, listing), this.#scoreOf(listing.game.id), this.#exchange.now());
  }

  #marketObject(market: VenueAMarket, query: Query): object {
    const event = this.#bareEvent(market.event);
    const tags = query.flag('include_tag') === true ? { tags: market.event.tags.map(tagObject) } : {};
    return { ...marketObject(market), events: [event], ...tags };
  }
}

function listPage(query: Query): Page {
  return pageOf(query, limits.paperGammaRowsPerPage, limits.paperGammaRowsMax, limits.paperGammaOffsetMax);
}

function keysetAnswer<Row>(name: string, { rows, nextCursor }: KeysetPage<Row>, write: (row: Row) => object): object {
  return { [name]: rows.map(write), ...(nextCursor === null ? {} : { next_cursor: nextCursor }) };
}
