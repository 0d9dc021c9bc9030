// The paper venue D on a socket: its public, read-only routes (venues-c-d-e.md §2). Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../core/net/listen.ts';
import { limits } from '../../limits.ts';
import type { HttpServer } from '../http-server.ts';
import { pageOf, type SideRoute, type SideServerOptions, startSideServer } from '../side-markets/side-server.ts';
import { bookObject, groupObject, marketObject } from './market-object.ts';
import { type VenueDGroup, type VenueDListing, type VenueDListings, venueDListings } from './markets.ts';

/** Rejects if the port cannot be bound. */
export function startVenueDServer(options: SideServerOptions): Promise<HttpServer> {
  const { seed, timers } = options;
  const routes = routesOf(venueDListings(seed, timers), () => timers.now());
  const rate = { intervalMs: limits.paperVenueDIntervalMs, burstMax: limits.paperVenueDBurstMax };
  return startSideServer({ venue: 'venue_d', basePath: '', routes, rate, refuse: messageOf }, options);
}

function routesOf({ markets, groups }: VenueDListings, now: () => UnixMillis): readonly SideRoute[] {
  const inGroups = groups.flatMap(({ members }) => members);
  const bySlug = new Map([...groups, ...inGroups, ...markets].map(listing => [listing.slug, listing]));
  const active = [...markets.filter(({ status }) => status.startsWith('FUNDED')), ...groups];
  const show = (listing: VenueDListing | VenueDGroup): object => {
    if ('members' in listing) return groupObject(listing, now());
    return marketObject(listing, now(), inGroups.includes(listing) ? 'group' : 'single');
  };
  return [
    { path: '/markets/active', handle: (_parameters, query) => pageReply(active.map(show), query) },
    { path: '/markets/search', handle: (_parameters, query) => searchReply(active, query, show) },
    {
      path: '/markets/:slug',
      handle: ([slug = '']) => {
        const listing = bySlug.get(slug);
        return listing === undefined ? refused(404) : jsonReply(200, show(listing));
      },
    },
    { path: '/markets/:slug/orderbook', handle: ([slug = '']) => bookReply(bySlug.get(slug)) },
  ];
}

/** A pool has no book, and a group only those of its members. */
function bookReply(market: VenueDListing | VenueDGroup | undefined): Reply {
  if (market === undefined || 'members' in market) return refused(404);
  return market.tradeType === 'amm' ? refused(400) : jsonReply(200, bookObject(market));
}

function pageReply(all: readonly object[], query: URLSearchParams): Reply {
  const data = pageOf(all, query, limits.paperVenueDRowsMax);
  return data === null ? refused(400) : jsonReply(200, { data, totalMarketsCount: all.length });
}

/** Titles that have every word of the query; the venue's own search is fuzzy. */
function searchReply<Listing extends { readonly title: string }>(
  all: readonly Listing[],
  query: URLSearchParams,
  show: (listing: Listing) => object,
): Reply {
  const words = (query.get('query') ?? '').toLowerCase().split(/\s+/);
  const found = all.filter(({ title }) => words.every(word => title.toLowerCase().includes(word)));
  const markets = pageOf(found, query, limits.paperVenueDFoundMax);
  return markets === null ? refused(400) : jsonReply(200, { markets: markets.map(show) });
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
