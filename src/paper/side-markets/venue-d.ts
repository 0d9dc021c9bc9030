// The paper venue D on a socket, with the venue's public, read-only routes (venues-c-d-e.md §2). Thread of the paper exchanges.

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

/** Starts the server. Rejects if the port cannot be bound. */
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

/** Answers with a book. A pool has no book, and a group has only the books of its members. */
function bookReply(market: VenueDListing | VenueDGroup | undefined): Reply {
  if (market === undefined || 'members' in market) return refused(404);
  return market.tradeType === 'amm' ? refused(400) : jsonReply(200, bookObject(market));
}

function pageReply(all: readonly object[], query: URLSearchParams): Reply {
  const data = pageOf(all, query, limits.paperVenueDRowsMax);
  return data === null ? refused(400) : jsonReply(200, { data, totalMarketsCount: all.length });
}

/** Answers with the titles that have every word of the query. The venue's own search is fuzzy. */
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

const NO_ASK = 9_990 as Ticks;
const NO_BID = 10 as Ticks;
const COLLATERAL = { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6, symbol: 'USDC' };
/** The least size in micro-shares, the unit of the venue's sizes. */
const MIN_SIZE = '100000000';
const MAX_SPREAD = '0.035';

function marketObject(listing: VenueDListing, now: UnixMillis, marketType: 'single' | 'group' = 'single'): object {
  const { slug, title, status, tradeType, outcomeNames, winner } = listing;
  return {
    slug,
    title,
    proxyTitle: null,
    status,
    hidden: false,
    ...deadline(listing, now),
    collateralToken: COLLATERAL,
    tokens: { yes: yesTokenOf(listing), no: tokenIdOf(`${slug} no`) },
    ...(outcomeNames === undefined ? {} : { outcomeTokens: outcomeNames }),
    ...(tradeType === 'amm' ? poolPrices(listing) : bookPrices(listing)),
    tradeType,
    marketType,
    winningOutcomeIndex: winner,
    volume: '0',
    volumeFormatted: '0.000000',
  };
}

/** Writes a group. It has members, but no tokens or prices of its own. */
function groupObject(group: VenueDGroup, now: UnixMillis): object {
  const { slug, title, members } = group;
  const markets = members.map(member => marketObject(member, now, 'group'));
  const common = { collateralToken: COLLATERAL, tradeType: 'clob', marketType: 'group', status: 'FUNDED' };
  return { slug, title, outcomeTokens: ['Yes', 'No'], ...deadline(group, now), ...common, markets };
}

/** Writes the book of the YES token. */
function bookObject(listing: VenueDListing): object {
  const { bids, asks } = listing.prices.book;
  const [bid, ask] = [bids[0]?.price ?? null, asks[0]?.price ?? null];
  const midpoint = bid === null || ask === null ? 0.5 : middleOf(bid, ask);
  return {
    bids: bids.map(level => levelObject(level, 'BUY')),
    asks: asks.map(level => levelObject(level, 'SELL')),
    tokenId: yesTokenOf(listing),
    adjustedMidpoint: midpoint,
    midpoint,
    maxSpread: MAX_SPREAD,
    minSize: MIN_SIZE,
    lastTradePrice: numberOf(listing.prices.centre),
  };
}

function levelObject({ price, size }: SideLevel, side: 'BUY' | 'SELL'): object {
  return { price: numberOf(price), size, side };
}

function yesTokenOf({ slug }: VenueDListing): string {
  return tokenIdOf(`${slug} yes`);
}

function deadline({ expiresAt }: { readonly expiresAt: UnixMillis }, now: UnixMillis): object {
  const shown = new Date(expiresAt).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  } as const);
  return { expirationDate: shown, expirationTimestamp: expiresAt, expired: now >= expiresAt };
}

function poolPrices({ prices }: VenueDListing): object {
  const inPercent = (price: Ticks): number => Number(formatMicroShares((price * 10_000) as never));
  return { prices: [inPercent(prices.centre), inPercent(complementTicks(prices.centre))] };
}

function bookPrices({ prices }: VenueDListing): object {
  const { bids, asks } = prices.book;
  const [bid, ask] = [bids[0]?.price ?? NO_BID, asks[0]?.price ?? NO_ASK];
  const both = (ofYes: Ticks, ofNo: Ticks): number[] => [numberOf(ofYes), numberOf(ofNo)];
  const buy = both(ask, complementTicks(bid));
  const sell = both(bid, complementTicks(ask));
  return {
    prices: [middleOf(bid, ask), middleOf(complementTicks(ask), complementTicks(bid))],
    tradePrices: { buy: { market: buy, limit: sell }, sell: { market: sell, limit: buy } },
  };
}

function middleOf(bid: Ticks, ask: Ticks): number {
  return Number(formatMicroShares(((bid + ask) * 50) as never));
}

function numberOf(price: Ticks): number {
  return Number(formatTicks(price));
}

interface VenueDListing {
  readonly slug: string;
  readonly title: string;
  readonly status: 'FUNDED' | 'FUNDED_FLAGGED' | 'LOCKED' | 'RESOLVED';
  readonly expiresAt: UnixMillis;
  readonly tradeType: 'clob' | 'amm';
  /** The names of the outcomes. If absent, they are Yes and No, which the wire leaves out. */
  readonly outcomeNames?: readonly [string, string];
  /** The winning outcome; 0 means YES. Null means that no outcome has won. */
  readonly winner: 0 | 1 | null;
  readonly prices: LivingBook;
}

interface VenueDGroup {
  readonly slug: string;
  readonly title: string;
  readonly expiresAt: UnixMillis;
  readonly members: readonly VenueDListing[];
}

interface VenueDListings {
  readonly markets: readonly VenueDListing[];
  readonly groups: readonly VenueDGroup[];
}

interface Sketch extends Partial<Pick<VenueDListing, 'status' | 'tradeType' | 'outcomeNames' | 'winner'>> {
  readonly slug: string;
  readonly title: string;
  /** The days from the last midnight, UTC, before the start to the market's end. Negative days mean that it is over. */
  readonly days: number;
  readonly centre: number;
  readonly sides?: Sides;
}

const { single, members: rateCut }: Readonly<Record<'single' | 'members', readonly Sketch[]>> = JSON.parse(
  readFileSync(new URL('venue-d.json', import.meta.url), 'utf8'),
);

function venueDListings(seed: number, timers: Timers): VenueDListings {
  const midnight = Math.floor(timers.now() / DAY_MS) * DAY_MS;
  let number = 0;
  const listed = ({ days, centre, sides = 'both', ...sketch }: Sketch): VenueDListing => {
    number += 1;
    return {
      status: 'FUNDED',
      tradeType: 'clob',
      winner: null,
      ...sketch,
      expiresAt: (midnight + days * DAY_MS) as UnixMillis,
      prices: new LivingBook(seed + number, timers, centre as Ticks, sides),
    };
  };
  const members = rateCut.map(listed);
  const group = { slug: 'rate-cut-by', title: 'Rate cut by __?', expiresAt: members.at(-1)!.expiresAt, members };
  return { markets: single.map(listed), groups: [group] };
}
