// The paper venue E on a socket: its public, read-only routes (venues-c-d-e.md §3). "Not found" comes with HTTP 200. A member of a group is
// found in the group only. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../core/net/listen.ts';
import { limits } from '../../limits.ts';
import type { HttpServer } from '../http-server.ts';
import { pageOf, type SideRoute, type SideServerOptions, startSideServer } from '../side-markets/side-server.ts';
import { bookObject, groupObject, marketObject, tokenOf } from './market-object.ts';
import { type VenueEListings, venueEListings } from './markets.ts';

const BASE_PATH = '/openapi';
/** The venue's own limits are unknown; these are ours. */
const NOT_FOUND = 10_404;
const BAD_REQUEST = 10_400;
const CATEGORICAL = '1';
const BINARY = '0';

/** Rejects if the port cannot be bound. */
export function startVenueEServer(options: SideServerOptions): Promise<HttpServer> {
  const { seed, timers } = options;
  const routes = routesOf(venueEListings(seed, timers), () => timers.now());
  const rate = { intervalMs: limits.paperVenueEIntervalMs, burstMax: limits.paperVenueEBurstMax };
  return startSideServer({ venue: 'venue_e', basePath: BASE_PATH, routes, rate, refuse: errorOf }, options);
}

function routesOf(listings: VenueEListings, now: () => UnixMillis): readonly SideRoute[] {
  const { markets, groups } = listings;
  return [
    { path: '/market', handle: (_parameters, query) => listReply(listings, query) },
    { path: '/market/:id', handle: ([id]) => dataReply(markets, id, marketObject) },
    { path: '/market/categorical/:id', handle: ([id]) => dataReply(groups, id, groupObject) },
    {
      path: '/token/orderbook',
      handle: (_parameters, query) => bookReply(listings, query.get('token_id') ?? '', now()),
    },
  ];
}

function dataReply<T extends { readonly marketId: number }>(
  listings: readonly T[],
  id: string | undefined,
  write: (listing: T) => object,
): Reply {
  const listing = listings.find(({ marketId }) => String(marketId) === id);
  return listing === undefined ? failure(NOT_FOUND, 'market not found') : success({ data: write(listing) });
}

function listReply({ markets, groups }: VenueEListings, query: URLSearchParams): Reply {
  const type = query.get('marketType') ?? BINARY;
  const listed = [
    ...(type === CATEGORICAL ? [] : markets.map(marketObject)),
    ...(type === BINARY ? [] : groups.map(groupObject)),
  ];
  const list = pageOf(listed, query, limits.paperVenueERowsMax);
  return list === null ? failure(BAD_REQUEST, 'invalid page') : success({ list, total: listed.length });
}

function bookReply({ markets, groups }: VenueEListings, tokenId: string, now: UnixMillis): Reply {
  for (const listing of [...markets, ...groups.flatMap(({ members }) => members)]) {
    for (const isYes of [true, false]) {
      if (tokenOf(listing, isYes) === tokenId) return success(bookObject(listing, isYes, now));
    }
  }
  return failure(NOT_FOUND, 'orderbook not found');
}

function success(result: object): Reply {
  return jsonReply(200, { errno: 0, errmsg: '', result });
}

function failure(errno: number, errmsg: string): Reply {
  return jsonReply(200, { errno, errmsg, result: null });
}

function errorOf(status: number): object {
  return { errno: status, errmsg: `HTTP ${status}`, result: null };
}
