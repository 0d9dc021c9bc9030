// The paper venue D on a socket: its public, read-only routes (venues-c-d-e.md §2). Thread of the paper exchanges.

import type { UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import { jsonReply, type Reply } from '../../net/listen.ts';
import {
  type SideRoute,
  type SideServer,
  type SideServerOptions,
  startSideServer,
} from '../side-markets/side-server.ts';
import { bookObject, groupObject, marketObject } from './market-object.ts';
import { type VenueDListing, type VenueDListings, venueDListings } from './markets.ts';

/** Rejects if the port cannot be bound. */
export function startVenueDServer(options: SideServerOptions): Promise<SideServer> {
  const { seed, timers } = options;
  const routes = routesOf(venueDListings(seed, timers), () => timers.now());
  const rate = { intervalMs: limits.paperVenueDIntervalMs, burstMax: limits.paperVenueDBurstMax };
  return startSideServer({ venue: 'venue_d', basePath: '', routes, rate, refuse: messageOf }, options);
}

function routesOf({ markets, groups }: VenueDListings, now: () => UnixMillis): readonly SideRoute[] {
  const inGroups = groups.flatMap(({ members }) => members);
  const bySlug = new Map([...markets, ...inGroups].map(market => [market.slug, market]));
  const isMember = (market: VenueDListing): boolean => inGroups.includes(market);
  const objectOf = (market: VenueDListing): object =>
    marketObject(market, now(), isMember(market) ? 'group' : 'single');
  const one = (slug: string): Reply => {
    const group = groups.find(it => it.slug === slug);
    if (group !== undefined) return jsonReply(200, groupObject(group, now()));
    const market = bySlug.get(slug);
    return market === undefined ? refused(404) : jsonReply(200, objectOf(market));
  };
  const active = (): readonly object[] => [
    ...markets.filter(({ status }) => status.startsWith('FUNDED')).map(objectOf),
    ...groups.map(group => groupObject(group, now())),
  ];
  return [
    { path: '/markets/active', handle: (_parameters, query) => pageReply(active(), query) },
    { path: '/markets/:slug', handle: ([slug = '']) => one(slug) },
    { path: '/markets/:slug/orderbook', handle: ([slug = '']) => bookReply(bySlug.get(slug)) },
  ];
}

/** A pool has no book. */
function bookReply(market: VenueDListing | undefined): Reply {
  if (market === undefined) return refused(404);
  return market.tradeType === 'amm' ? refused(400) : jsonReply(200, bookObject(market));
}

function pageReply(all: readonly object[], query: URLSearchParams): Reply {
  const [page, limit] = [query.get('page') ?? '1', query.get('limit') ?? '10'].map(Number) as [number, number];
  if (!(page >= 1 && limit >= 1 && limit <= limits.paperVenueDRowsMax)) return refused(400);
  return jsonReply(200, { data: all.slice((page - 1) * limit, page * limit), totalMarketsCount: all.length });
}

function refused(status: number): Reply {
  return jsonReply(status, messageOf(status));
}

function messageOf(status: number): object {
  return { message: MESSAGES.get(status) ?? 'Internal server error', statusCode: status };
}

const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [404, 'Market or group not found'],
  [405, 'Method Not Allowed'],
  [429, 'Too Many Requests'],
]);
