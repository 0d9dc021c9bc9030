// Reads of an account at venue B (venue-b.md §5.6, §6): orders and queue positions, fills, positions, settlements, balance, and value of
// resting orders. Lists are newest first over all requested subaccounts. Orders, fills and positions older than their cutoffs are in the
// archive (§4.5). A fault may make reads stale. Thread of the paper exchanges.

import type { JsonObject } from '../../../core/domain/json.ts';
import { BID, type Side } from '../../../core/domain/market.ts';
import { type MicroDollars, type MicroShares, TICKS_PER_CENT, type UnixMillis } from '../../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { cutoffsAt } from '../reads.ts';
import type { FillRecord, OrderRecord, Owner, PositionRecord, SettlementRecord } from '../records.ts';
import {
  balanceText,
  bookSide,
  centsOf,
  countText,
  moneyText,
  noPriceText,
  outcomeSide,
  priceText,
  seconds,
  timeText,
} from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import type { QueryReader } from './query.ts';
import {
  type Call,
  ownersOf,
  publicGet,
  reachableOwners,
  read,
  type SignedCall,
  type VenueBParts,
  type VenueBRoute,
} from './route.ts';

const ITEMS_PER_PAGE = 100;
const ITEMS_PER_PAGE_MAX = 1_000;
const EVENTS_PER_LIST_MAX = 10;
const SETTLEMENT_STATUSES = ['unsettled', 'settled', 'all'] as const;
const COUNT_FILTERS = {
  position: (position: PositionRecord) => position.position,
  total_traded: (position: PositionRecord) => position.traded,
} as const;

export const portfolioRoutes: readonly VenueBRoute[] = [
  publicGet('/historical/cutoff', cutoff),
  read('/historical/orders', (call, parts) => orders(call, parts, 'archivedOrders'), {
    operation: 'GetHistoricalOrders',
  }),
  read('/historical/fills', (call, parts) => fills(call, parts, 'archivedFills'), { operation: 'GetFillsHistorical' }),
  read('/historical/positions', (call, parts) => positions(call, parts, 'archivedPositions'), {
    operation: 'GetHistoricalPositions',
  }),
  read('/portfolio/orders', (call, parts) => orders(call, parts, 'orders'), { operation: 'GetOrders' }),
  read('/portfolio/orders/:order_id', oneOrder, { cost: 2 }),
  read('/portfolio/orders/:order_id/queue_position', queuePosition),
  read('/portfolio/orders/queue_positions', queuePositions, { operation: 'GetOrderQueuePositions' }),
  read('/portfolio/balance', balance, { operation: 'GetBalance', scope: 'read::portfolio_balance' }),
  read('/portfolio/summary/total_resting_order_value', restingValue),
  read('/portfolio/positions', (call, parts) => positions(call, parts, 'positions'), { operation: 'GetPositions' }),
  read('/portfolio/fills', (call, parts) => fills(call, parts, 'fills'), { operation: 'GetFills' }),
  read('/portfolio/settlements', settlements, { operation: 'GetSettlements' }),
];

function cutoff(_call: Call, { exchange }: VenueBParts): Reply {
  const { orders, trades, positions, markets } = cutoffsAt(exchange.now());
  return jsonReply(200, {
    market_positions_last_updated_ts: timeText(positions),
    market_settled_ts: timeText(markets),
    orders_updated_ts: timeText(orders),
    trades_created_ts: timeText(trades),
  });
}

function orders(call: SignedCall, { exchange }: VenueBParts, list: 'orders' | 'archivedOrders'): Reply {
  const { query } = call;
  // The archive of orders takes −1 for all shards, as other lists do.
  const isListed = listFilter(query, list === 'orders' ? 0 : EVERY_SHARD);
  const status = query.text('status');
  const reads = exchange.reads(call.staleMs);
  const all = newestFirst(
    ownersOf(exchange, call),
    owner => reads[list](owner),
    order => order.createdAt,
  );
  const terms = {
    limit: query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX),
    idOf: (order: OrderRecord) => order.orderId,
    admits: (order: OrderRecord) =>
      (status === null || order.status === status) && isListed(order.market, order.createdAt),
  };
  return query.reply('orders', all, terms, orderObject);
}

/** Returns the order. The call names no subaccount, so the order may belong to any of them. */
function orderOf(exchange: VenueBExchange, call: SignedCall): OrderRecord | null {
  const reads = exchange.reads(call.staleMs);
  for (const owner of reachableOwners(exchange, call)) {
    const order = reads.order(owner, call.parameters[0]!);
    if (order !== null) return order;
  }
  return null;
}

function oneOrder(call: SignedCall, { exchange }: VenueBParts): Reply {
  const order = orderOf(exchange, call);
  return order === null ? errorReply(NOT_FOUND) : jsonReply(200, { order: orderObject(order) });
}

function queuePosition(call: SignedCall, { exchange }: VenueBParts): Reply {
  const order = orderOf(exchange, call);
  const ahead = order === null ? null : exchange.orders.queuePosition(order.owner, order.orderId);
  if (ahead === null || !ahead.ok) return errorReply(NOT_FOUND);
  return jsonReply(200, { queue_position_fp: countText(ahead.value) });
}

function queuePositions({ owner, query, staleMs }: SignedCall, { exchange }: VenueBParts): Reply {
  const tickers = query.list('market_tickers');
  const eventTicker = query.text('event_ticker');
  const shown = [];
  for (const { market, orderId } of exchange.reads(staleMs).restingOrders(owner)) {
    if (tickers !== null && !tickers.has(market.ticker)) continue;
    if (eventTicker !== null && market.event.eventTicker !== eventTicker) continue;
    const ahead = exchange.orders.queuePosition(owner, orderId);
    // With stale reads, an order that still seems to rest may have ended.
    if (!ahead.ok) continue;
    shown.push({ market_ticker: market.ticker, order_id: orderId, queue_position_fp: countText(ahead.value) });
  }
  return jsonReply(200, { queue_positions: shown });
}

function balance({ owner, query, staleMs }: SignedCall, { exchange }: VenueBParts): Reply {
  const onlyShard = query.integer('exchange_index', 0, Number.MAX_SAFE_INTEGER);
  const reads = exchange.reads(staleMs);
  const { available: total, shards, portfolioValue } = reads.balance(owner, onlyShard);
  return jsonReply(200, {
    balance: centsOf(total),
    balance_breakdown: shards.map(it => ({ balance: balanceText(it.available), exchange_index: it.shard })),
    balance_dollars: balanceText(total),
    portfolio_value: centsOf(portfolioValue),
    updated_ts: seconds(reads.asOf),
  });
}

function restingValue(call: SignedCall, { exchange }: VenueBParts): Reply {
  const byShard = new Map([[0, 0]]);
  for (const owner of reachableOwners(exchange, call)) exchange.addRestingValue(owner, byShard);
  const shards = [...byShard] as [shard: number, value: MicroDollars][];
  const total = shards.reduce((sum, [, value]) => sum + value, 0) as MicroDollars;
  return jsonReply(200, {
    resting_order_value_breakdown: shards.map(([shard, value]) => {
      return { balance: balanceText(value), exchange_index: shard };
    }),
    total_resting_order_value: centsOf(total),
  });
}

function positions(
  { query, owner, staleMs }: SignedCall,
  { exchange }: VenueBParts,
  list: 'positions' | 'archivedPositions',
): Reply {
  const isListed = listFilter(query);
  const usual = list === 'positions' ? 'unsettled' : 'all';
  const settled = query.oneOf('settlement_status', SETTLEMENT_STATUSES) ?? usual;
  const nonZero = query.list('count_filter');
  const admits = (position: PositionRecord): boolean =>
    (settled === 'all' || position.isSettled === (settled === 'settled')) &&
    (nonZero === null ||
      Object.entries(COUNT_FILTERS).some(([name, count]) => nonZero.has(name) && count(position) !== 0)) &&
    isListed(position.market, position.updatedAt);
  const { items, cursor } = query.page(exchange.reads(staleMs)[list](owner), {
    limit: query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX),
    idOf: position => position.market.ticker,
    admits,
  });
  return jsonReply(200, {
    cursor,
    event_positions: eventPositionObjects(items),
    market_positions: items.map(marketPositionObject),
  });
}

function fills(call: SignedCall, { exchange }: VenueBParts, list: 'fills' | 'archivedFills'): Reply {
  const { query } = call;
  const isListed = listFilter(query);
  // No recording shows that the archive can search by order.
  const orderId = list === 'fills' ? query.text('order_id') : null;
  const reads = exchange.reads(call.staleMs);
  const all = newestFirst(
    ownersOf(exchange, call),
    owner => reads[list](owner),
    fill => fill.trade.at,
  );
  const terms = {
    limit: query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX),
    // If two subaccounts of a user trade with each other, two of the user's fills have the same trade id.
    idOf: (fill: FillRecord) => `${fill.owner.subaccount}/${fill.trade.tradeId}`,
    admits: (fill: FillRecord) =>
      (orderId === null || fill.orderId === orderId) && isListed(fill.trade.market, fill.trade.at),
  };
  return query.reply('fills', all, terms, fillObject);
}

function settlements(call: SignedCall, { exchange }: VenueBParts): Reply {
  const { query } = call;
  const isListed = listFilter(query);
  const reads = exchange.reads(call.staleMs);
  const all = newestFirst(
    ownersOf(exchange, call),
    (owner): Iterable<SettlementRecord> => reads.settlements(owner),
    settlement => settlement.settledAt,
  );
  const list = {
    limit: query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX),
    idOf: ({ owner, market }: SettlementRecord) => `${owner.subaccount}/${market.ticker}`,
    admits: (settlement: SettlementRecord) => isListed(settlement.market, settlement.settledAt),
  };
  return query.reply('settlements', all, list, settlementObject);
}

const EVERY_SHARD = -1;

/** Returns whether an item matches `ticker`, `event_ticker`, `exchange_index` and the times of a query. */
function listFilter(query: QueryReader, shardMin = EVERY_SHARD): (market: VenueBMarket, at: UnixMillis) => boolean {
  const ticker = query.text('ticker');
  const events = query.list('event_ticker');
  if (events !== null && events.size > EVENTS_PER_LIST_MAX)
    query.reject(`at most ${EVENTS_PER_LIST_MAX} event tickers`);
  const fromS = query.time('min_ts');
  const untilS = query.time('max_ts');
  // Without a ticker the list has all markets (as the official client says).
  const shard = query.integer('exchange_index', shardMin, Number.MAX_SAFE_INTEGER) ?? EVERY_SHARD;
  return (market, at) =>
    (shard === EVERY_SHARD || shard === market.shard) &&
    (ticker === null || market.ticker === ticker) &&
    (events === null || events.has(market.event.eventTicker)) &&
    (fromS === null || at >= fromS * 1000) &&
    (untilS === null || at <= untilS * 1000);
}

/** Merges the lists of several owners, each newest first. It reads no further than its caller does. */
function* newestFirst<T>(
  owners: readonly Owner[],
  listOf: (owner: Owner) => Iterable<T>,
  timeOf: (item: T) => UnixMillis,
): Iterable<T> {
  const lists = owners.flatMap(owner => {
    const rest = listOf(owner)[Symbol.iterator]();
    const first = rest.next();
    return first.done === true ? [] : [{ next: first.value, rest }];
  });
  while (lists.length > 0) {
    const list = lists.reduce((newest, other) => (timeOf(other.next) > timeOf(newest.next) ? other : newest));
    yield list.next;
    const next = list.rest.next();
    if (next.done === true) lists.splice(lists.indexOf(list), 1);
    else list.next = next.value;
  }
}

function orderObject(order: OrderRecord): JsonObject {
  return {
    action: legacyAction(order.side),
    book_side: bookSide(order.side),
    ...(order.isCancelledOnPause ? { cancel_order_on_pause: true } : {}),
    client_order_id: order.clientOrderId,
    created_time: timeText(order.createdAt),
    exchange_index: order.market.shard,
    ...(order.expiresAt === null ? {} : { expiration_time: timeText(order.expiresAt) }),
    fill_count_fp: countText(order.filled),
    initial_count_fp: countText(order.initial),
    last_update_time: timeText(order.updatedAt),
    maker_fees_dollars: moneyText(order.makerFees),
    maker_fill_cost_dollars: moneyText(order.makerFillCost),
    no_price_dollars: noPriceText(order.price),
    ...(order.orderGroupId === null ? {} : { order_group_id: order.orderGroupId }),
    order_id: order.orderId,
    outcome_side: outcomeSide(order.side),
    remaining_count_fp: countText(order.remaining),
    self_trade_prevention_type: order.selfTrade,
    side: 'yes',
    status: order.status,
    subaccount_number: order.owner.subaccount,
    taker_fees_dollars: moneyText(order.takerFees),
    taker_fill_cost_dollars: moneyText(order.takerFillCost),
    ticker: order.market.ticker,
    type: 'limit',
    user_id: order.owner.userId,
    yes_price_dollars: priceText(order.price),
  };
}

function fillObject({ trade, orderId, owner, side, isTaker, fee }: FillRecord): JsonObject {
  const { tradeId, market, price, size, at } = trade;
  return {
    action: legacyAction(side),
    book_side: bookSide(side),
    count_fp: countText(size),
    created_time: timeText(at),
    exchange_index: market.shard,
    fee_cost: moneyText(fee),
    fill_id: tradeId,
    is_taker: isTaker,
    market_ticker: market.ticker,
    no_price_dollars: noPriceText(price),
    order_id: orderId,
    outcome_side: outcomeSide(side),
    side: 'yes',
    subaccount_number: owner.subaccount,
    ticker: market.ticker,
    trade_id: tradeId,
    ts: seconds(at),
    yes_price_dollars: priceText(price),
  };
}

/** Returns the action in the older fields, which show every order as an order for YES (recorded, venue-b.md §5.6). */
function legacyAction(side: Side): 'buy' | 'sell' {
  return side === BID ? 'buy' : 'sell';
}

function marketPositionObject(position: PositionRecord): JsonObject {
  return {
    exchange_index: position.market.shard,
    fees_paid_dollars: moneyText(position.fees),
    last_updated_ts: timeText(position.updatedAt),
    market_exposure_dollars: moneyText(position.exposure),
    position_fp: countText(position.position),
    realized_pnl_dollars: moneyText(position.realizedPnl),
    ticker: position.market.ticker,
    total_traded_dollars: moneyText(position.traded),
  };
}

/** Returns one object for each event of the positions, in the order of the positions. */
function eventPositionObjects(positions: readonly PositionRecord[]): JsonObject[] {
  const byEvent = Map.groupBy(positions, ({ market }) => market.event.eventTicker);
  return [...byEvent].map(([eventTicker, ofEvent]) => {
    const dollars = (of: (position: PositionRecord) => MicroDollars) =>
      moneyText(ofEvent.reduce((sum, position) => sum + of(position), 0) as MicroDollars);
    const volume = ofEvent.reduce((sum, position) => sum + position.volume, 0) as MicroShares;
    return {
      event_exposure_dollars: dollars(position => position.exposure),
      event_ticker: eventTicker,
      fees_paid_dollars: dollars(position => position.fees),
      realized_pnl_dollars: dollars(position => position.realizedPnl),
      total_cost_dollars: dollars(position => position.traded),
      total_cost_shares_fp: countText(volume),
    };
  });
}

function settlementObject(settlement: SettlementRecord): JsonObject {
  const { market } = settlement;
  return {
    event_ticker: market.event.eventTicker,
    exchange_index: market.shard,
    fee_cost: moneyText(settlement.fees),
    market_result: settlement.result,
    no_count_fp: countText(settlement.noCount),
    no_total_cost_dollars: moneyText(settlement.noCost),
    revenue: centsOf(settlement.revenue),
    settled_time: timeText(settlement.settledAt),
    ticker: market.ticker,
    value: Math.floor(settlement.yesValue / TICKS_PER_CENT),
    yes_count_fp: countText(settlement.yesCount),
    yes_total_cost_dollars: moneyText(settlement.yesCost),
  };
}
