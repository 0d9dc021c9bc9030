// Choices on venue B's own pages: sports with their competitions and scopes, categories with their tags. Shapes of the
// official client 3.30.0. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { jsonReply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBRoute } from './route.ts';

export function searchRoutes(exchange: VenueBExchange): VenueBRoute[] {
  return [
    {
      method: 'get',
      path: '/search/filters_by_sport',
      access: 'public',
      handle: () => jsonReply(200, filtersBySport(exchange)),
    },
    {
      method: 'get',
      path: '/search/tags_by_categories',
      access: 'public',
      handle: () => jsonReply(200, { tags_by_categories: tagsByCategories(exchange) }),
    },
  ];
}

/** A sport is the first tag of a series. */
function filtersBySport({ events }: VenueBExchange): JsonObject {
  const sports = new Map<string, Map<string, Set<string>>>();
  for (const { series, competition, scope } of events) {
    const competitions = within(sports, series.tags[0] ?? series.category, () => new Map<string, Set<string>>());
    within(competitions, competition, () => new Set<string>()).add(scope);
  }
  const filters = [...sports].map(([sport, competitions]) => [
    sport,
    {
      competitions: Object.fromEntries([...competitions].map(([name, scopes]) => [name, { scopes: [...scopes] }])),
      scopes: [...new Set([...competitions.values()].flatMap(scopes => [...scopes]))],
    },
  ]);
  return { filters_by_sports: Object.fromEntries(filters), sport_ordering: [...sports.keys()] };
}

function tagsByCategories({ series }: VenueBExchange): JsonObject {
  const categories = new Map<string, Set<string>>();
  for (const { category, tags } of series) {
    const known = within(categories, category, () => new Set<string>());
    for (const tag of tags) known.add(tag);
  }
  return Object.fromEntries([...categories].map(([category, tags]) => [category, [...tags]]));
}

function within<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
