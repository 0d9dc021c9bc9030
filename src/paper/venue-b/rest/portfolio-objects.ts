// Orders, fills, positions and settlements as venue B shows them to their owner (venue-b.md §5.6, §6): keys in alphabetical order, unset
// fields left out. Thread of the paper exchanges.

import type { JsonObject } from '../../../core/domain/json.ts';
import { BID, type Side } from '../../../core/domain/market.ts';
import { type MicroDollars, type MicroShares, TICKS_PER_CENT } from '../../../core/domain/numbers.ts';
import type { FillRecord, OrderRecord, PositionRecord, SettlementRecord } from '../records.ts';
import {
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

export function orderObject(order: OrderRecord): JsonObject {
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

export function fillObject({ trade, orderId, owner, side, isTaker, fee }: FillRecord): JsonObject {
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

/** Older fields: every order is shown as one for YES (recorded, venue-b.md §5.6). */
function legacyAction(side: Side): 'buy' | 'sell' {
  return side === BID ? 'buy' : 'sell';
}

export function marketPositionObject(position: PositionRecord): JsonObject {
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

/** One object for each event of the positions, in their order. */
export function eventPositionObjects(positions: readonly PositionRecord[]): JsonObject[] {
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

export function settlementObject(settlement: SettlementRecord): JsonObject {
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
