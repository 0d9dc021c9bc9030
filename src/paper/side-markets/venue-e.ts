// The paper venue E on a socket, with the venue's public, read-only routes (venues-c-d-e.md §3). "Not found" comes with HTTP 200. A member
// of a group is found only in the group. Thread of the paper exchanges.

import { readFileSync } from 'node:fs';
import { DAY_MS } from '../../core/domain/durations.ts';
import {
  complementTicks,
  formatMicroShares,
  formatTicks,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../core/net/listen.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { HttpServer } from '../http-server.ts';
import {
  LivingBook,
  pageOf,
  type SideLevel,
  type SideRoute,
  type SideServerOptions,
  type Sides,
  startSideServer,
  tokenIdOf,
} from './side-server.ts';

const BASE_PATH = '/openapi';
/** The error codes of refusals. The venue's own codes are not known, so these are ours. */
const NOT_FOUND = 10_404;
const BAD_REQUEST = 10_400;
const CATEGORICAL = '1';
const BINARY = '0';

/** Starts the server. Rejects if the port cannot be bound. */
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

const CHAIN_ID = '56';
const QUOTE_TOKEN = '0x55d398326f99059fF775485246999027B3197955';

function marketObject(listing: VenueEListing): object {
  return { ...memberObject(listing), marketType: 0 };
}

function memberObject(listing: VenueEListing): object {
  const { marketId, title, status, cutoffAt, hasYesWon } = listing;
  const [yesTokenId, noTokenId] = [tokenOf(listing, true), tokenOf(listing, false)];
  return {
    chainId: CHAIN_ID,
    marketId,
    marketTitle: title,
    status,
    statusEnum: STATUS_NAMES[status],
    yesLabel: 'YES',
    noLabel: 'NO',
    yesTokenId,
    noTokenId,
    conditionId: '',
    questionId: questionIdOf(listing),
    quoteToken: QUOTE_TOKEN,
    cutoffAt: secondsOf(cutoffAt),
    resolvedAt: hasYesWon === null ? 0 : secondsOf(cutoffAt),
    resultTokenId: hasYesWon === null ? '' : tokenOf(listing, hasYesWon),
    rules: '',
    volume: '0',
  };
}

/** Writes a group, whose labels and tokens are empty. */
function groupObject({ marketId, title, cutoffAt, members }: VenueEGroupListing): object {
  return {
    chainId: CHAIN_ID,
    marketId,
    marketTitle: title,
    marketType: 1,
    status: 2,
    statusEnum: STATUS_NAMES[2],
    yesLabel: '',
    noLabel: '',
    yesTokenId: '',
    noTokenId: '',
    conditionId: '',
    questionId: '',
    resultTokenId: '',
    quoteToken: QUOTE_TOKEN,
    cutoffAt: secondsOf(cutoffAt),
    resolvedAt: 0,
    rules: '',
    volume: '0',
    childMarkets: members.map(memberObject),
  };
}

/** Writes the book of a token. The NO token's book is the mirror of YES. `market` is the id of the question, not of the condition. */
function bookObject(listing: VenueEListing, isYes: boolean, now: UnixMillis): object {
  const { bids, asks } = listing.prices.book;
  const [ownBids, ownAsks] = isYes ? [bids, asks] : [asks.map(mirrored), bids.map(mirrored)];
  return {
    market: questionIdOf(listing),
    tokenId: tokenOf(listing, isYes),
    timestamp: now,
    bids: ownBids.map(levelObject),
    asks: ownAsks.map(levelObject),
  };
}

function tokenOf({ marketId }: VenueEListing, isYes: boolean): string {
  return tokenIdOf(`venue E ${marketId} ${isYes ? 'yes' : 'no'}`);
}

function questionIdOf({ marketId }: VenueEListing): string {
  return BigInt(tokenIdOf(`venue E ${marketId} question`))
    .toString(16)
    .padStart(64, '0');
}

function mirrored({ price, size }: SideLevel): SideLevel {
  return { price: complementTicks(price), size };
}

function levelObject({ price, size }: SideLevel): object {
  return { price: formatTicks(price), size: formatMicroShares(size) };
}

function secondsOf(time: UnixMillis | 0): number {
  return Math.floor(time / 1_000);
}

interface VenueEListing {
  readonly marketId: number;
  readonly title: string;
  readonly status: keyof typeof STATUS_NAMES;
  /** The time at which trading ends. 0 for a member of a group, because the group has the date. */
  readonly cutoffAt: UnixMillis | 0;
  readonly hasYesWon: boolean | null;
  readonly prices: LivingBook;
}

interface VenueEGroupListing {
  readonly marketId: number;
  readonly title: string;
  readonly cutoffAt: UnixMillis;
  readonly members: readonly VenueEListing[];
}

interface VenueEListings {
  readonly markets: readonly VenueEListing[];
  readonly groups: readonly VenueEGroupListing[];
}

const STATUS_NAMES = {
  1: 'Created',
  2: 'Activated',
  3: 'Resolving',
  4: 'Resolved',
  5: 'Failed',
  6: 'Deleted',
} as const;

interface Sketch {
  readonly marketId: number;
  readonly title: string;
  readonly centre: number;
  readonly status?: VenueEListing['status'];
  readonly hasYesWon?: boolean;
  /** The days from the last midnight, UTC, before the start to the market's end. */
  readonly days?: number;
  readonly sides?: Sides;
}

const { single, members: sold }: Readonly<Record<'single' | 'members', readonly Sketch[]>> = JSON.parse(
  readFileSync(new URL('venue-e.json', import.meta.url), 'utf8'),
);

function venueEListings(seed: number, timers: Timers): VenueEListings {
  const midnight = Math.floor(timers.now() / DAY_MS) * DAY_MS;
  const listed = ({ days, centre, sides = 'both', ...sketch }: Sketch): VenueEListing => ({
    status: 2,
    hasYesWon: null,
    ...sketch,
    cutoffAt: days === undefined ? 0 : ((midnight + days * DAY_MS) as UnixMillis),
    prices: new LivingBook(seed + sketch.marketId, timers, centre as Ticks, sides),
  });
  const group = {
    marketId: 37,
    title: 'What will be sold this year?',
    cutoffAt: (midnight + 90 * DAY_MS) as UnixMillis,
    members: sold.map(listed),
  };
  return { markets: single.map(listed), groups: [group] };
}
