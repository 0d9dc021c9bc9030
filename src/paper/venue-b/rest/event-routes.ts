// Events by REST (venue-b.md §4.5): the list, one with its markets, its metadata. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBEventListing } from '../../catalog/listings.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { seconds } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { eventObject, SETTLEMENT_SOURCES, scopeOf } from './event-object.ts';
import { hasStatus } from './market-filter.ts';
import { QueryReader } from './market-query.ts';
import { pageOf } from './parameters.ts';
import { publicGet, type VenueBRoute } from './route.ts';
import { milestoneOf } from './search-milestones.ts';

const EVENTS_PER_PAGE = 200;
const EVENTS_PER_PAGE_MAX = 200;
const STATUSES = ['unopened', 'open', 'closed', 'settled'] as const;
const NO_COLOR = '#000000';

export function eventRoutes(exchange: VenueBExchange, show: (market: VenueBMarket) => JsonObject): VenueBRoute[] {
  const events = new EventPages(exchange, show);
  return [
    publicGet('/events', ({ query }) => events.list(query)),
    publicGet('/events/fee_changes', () => jsonReply(200, { cursor: '', event_fee_changes: [] })),
    // Combos; there are none.
    publicGet('/events/multivariate', () => jsonReply(200, { cursor: '', events: [] })),
    publicGet('/events/:event', ({ parameters: [ticker = ''], query }) => events.one(ticker, query)),
    publicGet('/events/:event/metadata', ({ parameters: [ticker = ''] }) => events.metadata(ticker)),
  ];
}

class EventPages {
  readonly #exchange: VenueBExchange;
  readonly #show: (market: VenueBMarket) => JsonObject;

  constructor(exchange: VenueBExchange, show: (market: VenueBMarket) => JsonObject) {
    this.#exchange = exchange;
    this.#show = show;
  }

  list(parameters: URLSearchParams): Reply {
    const query = new QueryReader('GetEvents', parameters);
    const limit = query.limit(EVENTS_PER_PAGE, EVENTS_PER_PAGE_MAX);
    const status = query.oneOf('status', STATUSES);
    const [series, tickers] = [query.text('series_ticker'), query.list('tickers')];
    const [closesAfter, updatedAfter] = [query.time('min_close_ts'), query.time('min_updated_ts')];
    if (query.refusal !== null) return query.refusal;
    const admits = (event: VenueBEventListing): boolean => {
      const markets = this.#marketsOf(event);
      return (
        (series === null || event.series.ticker === series) &&
        (tickers === null || tickers.has(event.eventTicker)) &&
        (status === null || markets.some(market => hasStatus(market, status))) &&
        (closesAfter === null || markets.some(({ closeAt }) => seconds(closeAt) > closesAfter)) &&
        (updatedAfter === null || seconds(updatedAtOf(markets)) > updatedAfter)
      );
    };
    const { items, cursor } = pageOf(this.#exchange.events, {
      limit,
      cursor: query.text('cursor'),
      idOf: event => event.eventTicker,
      admits,
    });
    const isNested = query.flag('with_nested_markets');
    const games = new Set(items.map(({ game }) => game));
    return jsonReply(200, {
      cursor,
      events: items.map(event => this.#object(event, isNested)),
      ...(query.flag('with_milestones')
        ? { milestones: [...games].map(game => milestoneOf(game, this.#exchange.events)) }
        : {}),
    });
  }

  one(ticker: string, parameters: URLSearchParams): Reply {
    const event = this.#find(ticker);
    if (event === undefined) return errorReply(NOT_FOUND);
    const isNested = parameters.get('with_nested_markets') === 'true';
    return jsonReply(200, {
      event: this.#object(event, isNested),
      markets: isNested ? [] : this.#marketsOf(event).map(this.#show),
    });
  }

  metadata(ticker: string): Reply {
    const event = this.#find(ticker);
    if (event === undefined) return errorReply(NOT_FOUND);
    return jsonReply(200, {
      competition: event.competition,
      competition_scope: scopeOf(event),
      image_url: '',
      market_details: event.markets.map(market => ({
        color_code: NO_COLOR,
        image_url: '',
        market_ticker: market.ticker,
      })),
      settlement_sources: SETTLEMENT_SOURCES,
    });
  }

  #find(ticker: string): VenueBEventListing | undefined {
    return this.#exchange.events.find(event => event.eventTicker === ticker);
  }

  #object(event: VenueBEventListing, isNested: boolean): JsonObject {
    const markets = this.#marketsOf(event);
    return eventObject(event, updatedAtOf(markets), isNested ? markets.map(this.#show) : null);
  }

  #marketsOf(event: VenueBEventListing): readonly VenueBMarket[] {
    return event.markets.flatMap(({ ticker }) => this.#exchange.markets.get(ticker) ?? []);
  }
}

function updatedAtOf(markets: readonly VenueBMarket[]): UnixMillis {
  return Math.max(0, ...markets.map(({ updatedAt }) => updatedAt)) as UnixMillis;
}
