// Gamma, venue A's public catalog (venue-a.md §7): answers of its requests, from the present state of the exchange. Thread of the paper
// exchanges.

import { limits } from '../../../limits.ts';
import type { VenueAEventListing } from '../../catalog/listings.ts';
import { abbreviationOf } from '../../catalog/schedule.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import { type ListedTeam, seriesObject, sportObject, tagObject, tagsOf, teamObject, teamsOf } from './directory.ts';
import { bareEventObject, type EventView, eventObject, eventView, type ScoreOf } from './event-object.ts';
import { EVENT_KEYS, eventMatches, isAmong, MARKET_KEYS, marketMatches, ordered, TEAM_KEYS } from './filters.ts';
import { marketObject } from './market-object.ts';
import { type KeysetPage, keysetPage, type Page, paged, pageOf, type Query } from './query.ts';

export class Gamma {
  readonly #exchange: VenueAExchange;
  readonly #scoreOf: ScoreOf;

  constructor(exchange: VenueAExchange, scoreOf: ScoreOf) {
    this.#exchange = exchange;
    this.#scoreOf = scoreOf;
  }

  sports(): object[] {
    return this.#exchange.sports.map(sportObject);
  }

  marketTypes(): object {
    const types = this.#exchange.events.flatMap(event => event.markets.map(market => market.sportsMarketType));
    return { marketTypes: [...new Set(types)].sort() };
  }

  teams(query: Query): object[] {
    const [leagues, names, codes] = [query.list('league'), query.list('name'), query.list('abbreviation')];
    const isWanted = ({ league, team }: ListedTeam): boolean =>
      isAmong(leagues, league) && isAmong(names, team.name) && isAmong(codes, abbreviationOf(team));
    const teams = ordered(teamsOf(this.#exchange.events).filter(isWanted), query, TEAM_KEYS);
    return paged(teams, listPage(query)).map(teamObject);
  }

  tags(query: Query): object[] {
    return paged(tagsOf(this.#exchange.events), listPage(query)).map(tagObject);
  }

  /** Null if there is none. */
  tag(key: 'id' | 'slug', value: string): object | null {
    const tag = tagsOf(this.#exchange.events).find(each => each[key] === value);
    return tag === undefined ? null : tagObject(tag);
  }

  series(query: Query): object[] {
    const [ids, slugs] = [query.list('id'), query.list('slug')];
    const isWanted = ({ series, sport }: { readonly series: string; readonly sport: string }): boolean =>
      isAmong(ids, series) && isAmong(slugs, sport);
    return paged(this.#exchange.sports.filter(isWanted), listPage(query)).map(seriesObject);
  }

  /** With its events, which show no markets there; null if unknown. */
  seriesOf(id: string): object | null {
    const sport = this.#exchange.sports.find(({ series }) => series === id);
    if (sport === undefined) return null;
    const events = this.#exchange.events.filter(listing => listing.sport.series === id);
    return { ...seriesObject(sport), events: events.map(listing => this.#bareEvent(listing)) };
  }

  /** Null if there is no such event. */
  eventTags(id: string): object[] | null {
    return this.#exchange.events.find(listing => listing.id === id)?.tags.map(tagObject) ?? null;
  }

  /** Tags of its event; null if the market is unknown. */
  marketTags(id: string): object[] | null {
    const market = [...this.#exchange.markets.values()].find(({ listing }) => listing.id === id);
    return market?.event.tags.map(tagObject) ?? null;
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

  /** Events with every word of the query in their title or slug. */
  search(query: Query): object {
    const words = query.text('q').toLowerCase().split(/\s+/);
    const hasAll = (text: string): boolean => words.every(word => text.toLowerCase().includes(word));
    const found = this.#eventsFor(query).filter(({ listing }) => hasAll(`${listing.title} ${listing.slug}`));
    const limit = Math.max(1, query.count('limit_per_type', limits.paperGammaRowsPerPage, limits.paperGammaRowsMax));
    const offset = (Math.max(1, query.count('page', 1, limits.paperGammaOffsetMax)) - 1) * limit;
    const isTagged = query.flag('search_tags') === true;
    return {
      events: paged(found, { limit, offset }).map(view => this.#eventObject(view)),
      ...(isTagged
        ? {
            tags: tagsOf(this.#exchange.events)
              .filter(tag => hasAll(tag.label))
              .map(tagObject),
          }
        : {}),
      ...(query.flag('search_profiles') === true ? { profiles: [] } : {}),
      pagination: { hasMore: offset + limit < found.length, totalResults: found.length },
    };
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
