// Requests about trades and activity of a wallet or market (venue-a.md §8). Thread of the paper exchanges.

import { type MicroDollars, type MicroShares, parseMicroShares, type UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, type Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import type { ConversionRecord, TokenIndex, TradeRecord } from '../records.ts';
import { exactNumber } from './json-number.ts';
import { activityRow, conversionRow, NO_PROFILE, partsOf, type TradePart, tradeRow } from './trade-rows.ts';

/** One share, in millionths. */
const HOLDING_OTHERWISE = 1_000_000 as MicroShares;

/** `user`: null for all. */
export function tradesReply(exchange: VenueAExchange, user: string | null, query: Query): Reply {
  const takersOnly = query.flag('takerOnly') !== false;
  const leastAmount = parseMicroShares(query.text('filterAmount')) ?? 0;
  const isByCash = query.text('filterType').toUpperCase() === 'CASH';
  const isWanted = wantedIn(query);
  const rows = partsThat(exchange.tradesOfWallet(user), part => {
    const { trade, wallet, isBuy, isTaker, dollars, size } = part;
    if (takersOnly && !isTaker) return false;
    if (user !== null && wallet.toLowerCase() !== user.toLowerCase()) return false;
    return isWanted({ market: trade.market, isBuy }) && (isByCash ? dollars : size) >= leastAmount;
  });
  const page = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataTradesMax, limits.paperDataOffsetMax);
  return jsonReply(200, paged(rows, page).map(tradeRow));
}

/** Reads no further than the page needs. */
function* partsThat(trades: Iterable<TradeRecord>, isWanted: (part: TradePart) => boolean): Generator<TradePart> {
  for (const trade of trades) for (const part of partsOf(trade)) if (isWanted(part)) yield part;
}

/** Trades and other activity of a wallet. */
export function activityReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  const types = query.list('type');
  const isWanted = wantedIn(query);
  const isOwn = ({ wallet }: TradePart) => wallet.toLowerCase() === user.toLowerCase();
  const trades = [...exchange.tradesOfWallet(user)].flatMap(partsOf).filter(isOwn).map(ofTrade);
  const conversions = [...exchange.conversions(user)].map(conversion => ofConversion(conversion, user));
  const [startS, endS] = [
    query.count('start', 0, Number.MAX_SAFE_INTEGER),
    query.count('end', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  ];
  const rows = [...trades, ...conversions].filter(
    activity =>
      (types?.has(activity.type) ?? true) &&
      isWanted(activity) &&
      activity.at >= startS * 1_000 &&
      activity.at < (endS + 1) * 1_000,
  );
  const keyOf = activityKey(query.text('sortBy').toUpperCase());
  const sorted = rows.toSorted((one, other) => keyOf(other) - keyOf(one));
  if (query.text('sortDirection').toUpperCase() === 'ASC') sorted.reverse();
  const page = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataRowsMax, limits.paperDataOffsetMax);
  return jsonReply(
    200,
    paged(sorted, page).map(activity => activity.row()),
  );
}

/** For each token of a market: wallets that have traded it and still hold some, most first. */
export function holdersReply(exchange: VenueAExchange, query: Query): Reply {
  const limit = query.count('limit', limits.paperDataHoldersPerToken, limits.paperDataHoldersPerToken);
  const least = parseMicroShares(query.text('minBalance')) ?? HOLDING_OTHERWISE;
  const markets = [...(query.list('market') ?? [])].flatMap(id => exchange.markets.get(id) ?? []);
  const rows = markets.flatMap(market => {
    const wallets = new Set([...exchange.tradesOfMarket(market)].flatMap(partsOf).map(part => part.wallet));
    return ([0, 1] as const).map(token => ({
      token: market.listing.tokens[token],
      holders: holders(exchange, market, token, wallets)
        .filter(({ size }) => size >= least && size > 0)
        .slice(0, limit)
        .map(({ wallet, size }) => ({
          proxyWallet: wallet.toLowerCase(),
          asset: market.listing.tokens[token],
          amount: exactNumber(size),
          displayUsernamePublic: true,
          outcomeIndex: token,
          verified: false,
          ...NO_PROFILE,
        })),
    }));
  });
  return jsonReply(200, rows);
}

function holders(exchange: VenueAExchange, market: VenueAMarket, token: TokenIndex, wallets: Iterable<string>) {
  return [...wallets]
    .map(wallet => ({ wallet, size: exchange.shares(wallet, market, token) }))
    .sort((one, other) => other.size - one.size);
}

/** Filters of a request about activity in a market. */
interface Deed {
  readonly market: VenueAMarket;
  /** Null for activity without a side. */
  readonly isBuy: boolean | null;
}

interface Activity extends Deed {
  readonly type: 'TRADE' | ConversionRecord['type'];
  readonly size: MicroShares;
  readonly dollars: MicroDollars;
  readonly at: UnixMillis;
  readonly row: () => object;
}

function ofTrade(part: TradePart): Activity {
  const { trade, isBuy, size, dollars } = part;
  const { market, matchedAt: at } = trade;
  return { type: 'TRADE', market, isBuy, size, dollars, at, row: () => activityRow(part) };
}

function ofConversion(conversion: ConversionRecord, wallet: string): Activity {
  return { ...conversion, isBuy: null, row: () => conversionRow(conversion, wallet) };
}

function wantedIn(query: Query): (deed: Deed) => boolean {
  const [markets, events] = [query.list('market'), query.list('eventId')];
  const side = query.text('side').toUpperCase();
  return ({ market, isBuy }) =>
    (markets?.has(market.conditionId) ?? true) &&
    (events?.has(market.event.id) ?? true) &&
    (side === '' || (isBuy !== null && side === (isBuy ? 'BUY' : 'SELL')));
}

function activityKey(sortBy: string): (activity: Activity) => number {
  switch (sortBy) {
    case 'TOKENS':
      return ({ size }) => size;
    case 'CASH':
      return ({ dollars }) => dollars;
    default:
      return ({ at }) => at;
  }
}
