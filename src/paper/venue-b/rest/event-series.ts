// Series by REST (venue-b.md §4.5), and fee changes, of which there are none here. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import type { MicroShares, UnixMillis } from '../../../domain/numbers.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBSeries } from '../../catalog/listings.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { countText, seconds } from '../wire-text.ts';
import { badRequest } from './errors.ts';
import { scopeOf, seriesObject } from './event-object.ts';
import { QueryReader } from './market-query.ts';
import type { VenueBRoute } from './route.ts';

export function seriesRoutes(exchange: VenueBExchange): VenueBRoute[] {
  return [
    { method: 'get', path: '/series', access: 'public', handle: ({ query }) => seriesList(exchange, query) },
    {
      method: 'get',
      path: '/series/fee_changes',
      access: 'public',
      handle: () => jsonReply(200, { series_fee_change_arr: [] }),
    },
    {
      method: 'get',
      path: '/series/:series',
      access: 'public',
      handle: ({ parameters: [ticker], query }) => {
        const series = exchange.series.find(candidate => candidate.ticker === ticker);
        // As documented; other routes answer 404.
        if (series === undefined) return badRequest('series not found');
        return jsonReply(200, { series: shown(exchange, series, query.get('include_volume') === 'true', true) });
      },
    },
  ];
}

function seriesList(exchange: VenueBExchange, parameters: URLSearchParams): Reply {
  const query = new QueryReader('GetSeriesList', parameters);
  const [category, tags] = [query.text('category'), query.list('tags')];
  const updatedAfter = query.time('min_updated_ts');
  if (query.refusal !== null) return query.refusal;
  const series = exchange.series.filter(
    candidate =>
      (category === null || candidate.category === category) &&
      (tags === null || candidate.tags.some(tag => tags.has(tag))) &&
      (updatedAfter === null || seconds(createdAtOf(exchange, candidate)) > updatedAfter),
  );
  const [withVolume, withMetadata] = [query.flag('include_volume'), query.flag('include_product_metadata')];
  return jsonReply(200, { series: series.map(one => shown(exchange, one, withVolume, withMetadata)) });
}

function shown(exchange: VenueBExchange, series: VenueBSeries, withVolume: boolean, withMetadata: boolean): JsonObject {
  const event = exchange.events.find(candidate => candidate.series.ticker === series.ticker);
  const volume = marketsOf(exchange, series).reduce((sum, market) => sum + market.volume, 0) as MicroShares;
  return seriesObject(series, createdAtOf(exchange, series), {
    ...(withMetadata && event !== undefined ? { scope: scopeOf(event) } : {}),
    ...(withVolume ? { volume: countText(volume) } : {}),
  });
}

/** A series appears with its first market, and never changes here. */
function createdAtOf(exchange: VenueBExchange, series: VenueBSeries): UnixMillis {
  const times = marketsOf(exchange, series).map(({ listing }) => listing.createdAt);
  return (times.length === 0 ? 0 : Math.min(...times)) as UnixMillis;
}

function marketsOf(exchange: VenueBExchange, series: VenueBSeries): readonly VenueBMarket[] {
  return [...exchange.markets.values()].filter(({ event }) => event.series.ticker === series.ticker);
}
