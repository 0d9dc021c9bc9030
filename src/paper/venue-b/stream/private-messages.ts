// Private messages for their owner (venue-b.md §10.4): fills, orders, positions, order groups. Thread of the paper exchanges.

import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { FillRecord, OrderRecord, PositionRecord, UpdateReason, VenueBEvent } from '../records.ts';
import { bookSide, countText, outcomeSide, priceText, seconds, shortMoneyText, timeText } from '../wire-text.ts';
import { type Message, uniformMessage } from './channels.ts';

type GroupChange = Extract<VenueBEvent, { type: 'group' }>;

export function fillMessage(fill: FillRecord): Message {
  const { trade, owner, side } = fill;
  return uniformMessage({ type: 'fill', channel: 'fill', market: trade.market, owner }, () => ({
    trade_id: trade.tradeId,
    order_id: fill.orderId,
    client_order_id: fill.clientOrderId,
    market_ticker: trade.market.ticker,
    exchange_index: trade.market.shard,
    is_taker: fill.isTaker,
    side: outcomeSide(side),
    action: 'buy',
    purchased_side: outcomeSide(side),
    outcome_side: outcomeSide(side),
    book_side: bookSide(side),
    yes_price_dollars: priceText(trade.price),
    count_fp: countText(trade.size),
    fee_cost: shortMoneyText(fill.fee),
    post_position_fp: countText(fill.positionAfter),
    ts: seconds(trade.at),
    ts_ms: trade.at,
    subaccount: owner.subaccount,
  }));
}

export function orderMessage(order: OrderRecord, reason: UpdateReason | null): Message {
  const { market, owner, side } = order;
  return uniformMessage({ type: 'user_order', channel: 'user_orders', market, owner }, () => ({
    order_id: order.orderId,
    user_id: owner.userId,
    client_order_id: order.clientOrderId,
    ticker: market.ticker,
    exchange_index: market.shard,
    status: order.status,
    side: outcomeSide(side),
    is_yes: outcomeSide(side) === 'yes',
    outcome_side: outcomeSide(side),
    book_side: bookSide(side),
    yes_price_dollars: priceText(order.price),
    initial_count_fp: countText(order.initial),
    fill_count_fp: countText(order.filled),
    remaining_count_fp: countText(order.remaining),
    taker_fill_cost_dollars: shortMoneyText(order.takerFillCost),
    maker_fill_cost_dollars: shortMoneyText(order.makerFillCost),
    taker_fees_dollars: shortMoneyText(order.takerFees),
    maker_fees_dollars: shortMoneyText(order.makerFees),
    ...(order.orderGroupId === null ? {} : { order_group_id: order.orderGroupId }),
    self_trade_prevention_type: order.selfTrade,
    ...timesOf(order),
    ...(reason === null ? {} : { last_update_reason: reason }),
    subaccount_number: owner.subaccount,
  }));
}

function timesOf({ createdAt, updatedAt, expiresAt }: OrderRecord): object {
  const both = (name: string, stamp: string, time: UnixMillis): object => ({
    [name]: timeText(time),
    [stamp]: time,
  });
  return {
    ...both('created_time', 'created_ts_ms', createdAt),
    ...both('last_update_time', 'last_updated_ts_ms', updatedAt),
    ...(expiresAt === null ? {} : both('expiration_time', 'expiration_ts_ms', expiresAt)),
  };
}

export function positionMessage(position: PositionRecord): Message {
  const { owner, market } = position;
  return uniformMessage({ type: 'market_position', channel: 'market_positions', market, owner }, () => ({
    user_id: owner.userId,
    market_ticker: market.ticker,
    position_fp: countText(position.position),
    position_cost_dollars: shortMoneyText(position.exposure),
    realized_pnl_dollars: shortMoneyText(position.realizedPnl),
    fees_paid_dollars: shortMoneyText(position.fees),
    position_fee_cost_dollars: shortMoneyText(position.heldFees),
    volume_fp: countText(position.volume),
    subaccount: owner.subaccount,
  }));
}

export function groupMessage({ group, change, at }: GroupChange): Message {
  const about = {
    type: 'order_group_updates',
    channel: 'order_group_updates',
    market: null,
    owner: group.owner,
  } as const;
  const showsLimit = change === 'created' || change === 'limit_updated';
  return uniformMessage(about, () => ({
    event_type: change,
    order_group_id: group.groupId,
    ...(showsLimit ? { contracts_limit_fp: countText(group.limit) } : {}),
    ts_ms: at,
  }));
}
