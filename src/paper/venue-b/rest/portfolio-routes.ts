// Account data of venue B (venue-b.md §6): balance, positions, fills, settlements, value of resting orders. A fault may make
// reads stale. Thread of the paper exchanges.

import type { MicroDollars } from '../../../domain/numbers.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { FillRecord, PositionRecord, SettlementRecord } from '../records.ts';
import { seconds } from '../wire-text.ts';
import type { Funds } from './funds.ts';
import { QueryReader } from './market-query.ts';
import { balanceText, centsOf } from './money-text.ts';
import { fillObject } from './order-object.ts';
import { allOwnersOf, ownersOf } from './owners.ts';
import { pageOf } from './parameters.ts';
import { eventPositionObjects, marketPositionObject, settlementObject } from './portfolio-object.ts';
import { ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX, listFilter, newestFirst } from './private-lists.ts';
import type { SignedCall, SignedRoute } from './route.ts';

const SETTLEMENT_STATUSES = ['unsettled', 'settled', 'all'] as const;
const COUNT_FILTERS = ['position', 'total_traded'] as const;

export function portfolioRoutes(exchange: VenueBExchange, funds: Funds): SignedRoute[] {
  return [
    {
      method: 'get',
      access: 'read',
      scope: 'read::portfolio_balance',
      path: '/portfolio/balance',
      handle: call => balance(exchange, funds, call),
    },
    {
      method: 'get',
      access: 'read',
      path: '/portfolio/summary/total_resting_order_value',
      handle: call => restingValue(exchange, call),
    },
    { method: 'get', access: 'read', path: '/portfolio/positions', handle: call => positions(exchange, call) },
    { method: 'get', access: 'read', path: '/portfolio/fills', handle: call => fills(exchange, call) },
    {
      method: 'get',
      access: 'read',
      path: '/portfolio/settlements',
      handle: call => settlements(exchange, call),
    },
  ];
}

function balance(exchange: VenueBExchange, funds: Funds, { owner, query: parameters, staleMs }: SignedCall): Reply {
  const query = new QueryReader('GetBalance', parameters);
  const onlyShard = query.whole('exchange_index', 0, Number.MAX_SAFE_INTEGER);
  if (query.refusal !== null) return query.refusal;
  const reads = exchange.reads(staleMs);
  const { available, portfolioValue } = reads.balance(owner);
  const shards = [{ shard: 0, amount: available }, ...funds.shardsOf(owner)].filter(
    ({ shard }) => onlyShard === null || shard === onlyShard,
  );
  const total = shards.reduce((sum, { amount }) => sum + amount, 0) as MicroDollars;
  return jsonReply(200, {
    balance: centsOf(total),
    balance_breakdown: shards.map(({ shard, amount }) => ({ balance: balanceText(amount), exchange_index: shard })),
    balance_dollars: balanceText(total),
    portfolio_value: (onlyShard ?? 0) === 0 ? centsOf(portfolioValue) : 0,
    updated_ts: seconds(reads.asOf),
  });
}

function restingValue(exchange: VenueBExchange, { caller, owner }: SignedCall): Reply {
  const owners = caller.subaccount === null ? allOwnersOf(exchange, caller.userId) : [owner];
  const value = owners.reduce((sum, each) => sum + exchange.restingValue(each), 0) as MicroDollars;
  return jsonReply(200, {
    resting_order_value_breakdown: [{ balance: balanceText(value), exchange_index: 0 }],
    total_resting_order_value: centsOf(value),
  });
}

function positions(exchange: VenueBExchange, call: SignedCall): Reply {
  const query = new QueryReader('GetPositions', call.query);
  const filter = listFilter(query);
  const settled = query.oneOf('settlement_status', SETTLEMENT_STATUSES) ?? 'unsettled';
  const nonZero = query.list('count_filter');
  const limit = query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
  if (query.refusal !== null) return query.refusal;
  const admits = (position: PositionRecord): boolean =>
    (settled === 'all' || position.isSettled === (settled === 'settled')) &&
    (nonZero === null || COUNT_FILTERS.some(name => nonZero.has(name) && counts[name](position) !== 0)) &&
    filter.admits(position.market, position.updatedAt);
  const reads = exchange.reads(call.staleMs);
  const { items, cursor } = pageOf(reads.positions(call.owner), {
    limit,
    cursor: query.text('cursor'),
    idOf: position => position.market.ticker,
    admits,
  });
  return jsonReply(200, {
    cursor,
    event_positions: eventPositionObjects(items),
    market_positions: items.map(marketPositionObject),
  });
}

const counts = {
  position: (position: PositionRecord) => position.position,
  total_traded: (position: PositionRecord) => position.traded,
} as const;

function fills(exchange: VenueBExchange, call: SignedCall): Reply {
  const query = new QueryReader('GetFills', call.query);
  const filter = listFilter(query);
  const orderId = query.text('order_id');
  const limit = query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
  if (query.refusal !== null) return query.refusal;
  const reads = exchange.reads(call.staleMs);
  const all = newestFirst<FillRecord>(
    ownersOf(exchange, call),
    owner => reads.fills(owner),
    fill => fill.trade.at,
  );
  const { items, cursor } = pageOf(all, {
    limit,
    cursor: query.text('cursor'),
    // Two subaccounts of a user may trade with each other: then two fills have the trade's id.
    idOf: fill => `${fill.owner.subaccount}/${fill.trade.tradeId}`,
    admits: fill => (orderId === null || fill.orderId === orderId) && filter.admits(fill.trade.market, fill.trade.at),
  });
  return jsonReply(200, { cursor, fills: items.map(fillObject) });
}

function settlements(exchange: VenueBExchange, call: SignedCall): Reply {
  const query = new QueryReader('GetSettlements', call.query);
  const filter = listFilter(query);
  const limit = query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
  if (query.refusal !== null) return query.refusal;
  const reads = exchange.reads(call.staleMs);
  const all = newestFirst<SettlementRecord>(
    ownersOf(exchange, call),
    owner => reads.settlements(owner),
    settlement => settlement.settledAt,
  );
  const { items, cursor } = pageOf(all, {
    limit,
    cursor: query.text('cursor'),
    idOf: ({ owner, market }) => `${owner.subaccount}/${market.ticker}`,
    admits: settlement => filter.admits(settlement.market, settlement.settledAt),
  });
  return jsonReply(200, { cursor, settlements: items.map(settlementObject) });
}
