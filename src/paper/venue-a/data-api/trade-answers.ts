// Questions about what was traded, by a wallet or in a market (venue-a.md §8). Thread of the paper exchanges.

import { type MicroShares, parseMicroShares } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, type Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';
import { exactNumber } from './json-number.ts';
import { activityRow, cashOf, NO_PROFILE, partsOf, type TradePart, tradeRow } from './trade-rows.ts';

/** One share, in millionths. */
const HOLDING_OTHERWISE = 1_000_000 as MicroShares;

/** `user`: null of everybody. */
export function tradesReply(exchange: VenueAExchange, user: string | null, query: Query): Reply {
  const takersOnly = query.flag('takerOnly') !== false;
  const leastAmount = parseMicroShares(query.text('filterAmount')) ?? 0;
  const isByCash = query.text('filterType').toUpperCase() === 'CASH';
  const isWanted = wantedParts(user, query);
  const rows = [...exchange.tradesOfWallet(user)]
    .flatMap(partsOf)
    .filter(part => isWanted(part) && (part.isTaker || !takersOnly))
    .filter(part => (isByCash ? cashOf(part) : part.size) >= leastAmount);
  const page = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataTradesMax, limits.paperDataOffsetMax);
  return jsonReply(200, paged(rows, page).map(tradeRow));
}

/** Of all activities only trades are remembered. */
export function activityReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  const types = query.list('type');
  if (types !== null && !types.has('TRADE')) return jsonReply(200, []);
  const isWanted = wantedParts(user, query);
  const [startS, endS] = [
    query.count('start', 0, Number.MAX_SAFE_INTEGER),
    query.count('end', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  ];
  const rows = [...exchange.tradesOfWallet(user)]
    .flatMap(partsOf)
    .filter(isWanted)
    .filter(({ trade: { matchedAt } }) => matchedAt >= startS * 1_000 && matchedAt < (endS + 1) * 1_000);
  const keyOf = activityKey(query.text('sortBy').toUpperCase());
  const direction = query.text('sortDirection').toUpperCase() === 'ASC' ? 1 : -1;
  const sorted = rows.toSorted((one, other) => (keyOf(one) - keyOf(other)) * direction);
  const page = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataRowsMax, limits.paperDataOffsetMax);
  return jsonReply(200, paged(sorted, page).map(activityRow));
}

/** Of each market's tokens, those who have traded them and still hold some, most first. */
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

/** The parts of one wallet, or of all, that the question's filters let pass. */
function wantedParts(user: string | null, query: Query): (part: TradePart) => boolean {
  const [markets, events] = [query.list('market'), query.list('eventId')];
  const side = query.text('side').toUpperCase();
  return ({ trade: { market }, wallet, isBuy }) =>
    (user === null || wallet.toLowerCase() === user.toLowerCase()) &&
    (markets?.has(market.conditionId) ?? true) &&
    (events?.has(market.event.id) ?? true) &&
    (side === '' || side === (isBuy ? 'BUY' : 'SELL'));
}

function activityKey(sortBy: string): (part: TradePart) => number {
  switch (sortBy) {
    case 'TOKENS':
      return ({ size }) => size;
    case 'CASH':
      return cashOf;
    default:
      return ({ trade }) => trade.matchedAt;
  }
}
