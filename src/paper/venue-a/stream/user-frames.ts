// Messages of venue A's user channel as text (venue-a.md §6.2, §6.3). Thread of the paper exchanges.

import { formatMicroShares, formatTicks, type UnixMillis } from '../../../domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { MakerFill, OrderRecord, TradeRecord } from '../records.ts';
import { secondsText } from '../rest/decimal-text.ts';
import { makerCommon, sideText } from '../rest/order-views.ts';

type OrderChange = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';

export function orderFrame(order: OrderRecord, change: OrderChange): string {
  const { market, token, reason } = order;
  const { listing } = market;
  // An order that was refused at once was never open; those fields do not apply.
  const isRefused = change === 'CANCELLATION' && reason !== '' && order.status !== 'INVALID';
  return JSON.stringify({
    id: order.orderId,
    owner: order.owner,
    market: listing.conditionId,
    asset_id: listing.tokens[token],
    side: sideText(order.isBuy),
    order_owner: order.owner,
    original_size: formatMicroShares(order.size),
    size_matched: isRefused ? '' : formatMicroShares(order.matched),
    price: formatTicks(order.price),
    associate_trades: order.tradeIds,
    outcome: isRefused ? '' : listing.outcomes[token],
    type: change,
    created_at: isRefused ? '' : secondsText(order.createdAt),
    expiration: String(order.expirationS),
    order_type: order.type,
    status: reason === '' ? order.status : `${order.status}_${reason}`,
    maker_address: order.makerAddress,
    timestamp: String(order.updatedAt),
    event_type: 'order',
  });
}

/** The taker's trade, for all its listeners: a maker finds its part in `maker_orders`. */
export function tradeFrame(trade: TradeRecord, role: 'TAKER' | 'MAKER', at: UnixMillis): string {
  const { market, token } = trade;
  const { listing } = market;
  return JSON.stringify({
    type: 'TRADE',
    id: trade.tradeId,
    taker_order_id: trade.takerOrderId,
    market: listing.conditionId,
    asset_id: listing.tokens[token],
    side: sideText(trade.isBuy),
    size: formatMicroShares(trade.size),
    price: formatTicks(trade.price),
    fee_rate_bps: '0',
    status: trade.status,
    match_time: secondsText(trade.matchedAt),
    last_update: secondsText(trade.updatedAt),
    outcome: listing.outcomes[token],
    owner: trade.owner,
    trade_owner: trade.owner,
    maker_address: trade.makerAddress,
    transaction_hash: trade.transactionHash,
    bucket_index: 0,
    maker_orders: trade.makers.map(maker => makerOrder(maker, market)),
    trader_side: role,
    timestamp: String(at),
    event_type: 'trade',
  });
}

function makerOrder(maker: MakerFill, market: VenueAMarket): object {
  return { ...makerCommon(maker, market), outcome_index: maker.token, side: sideText(maker.isBuy) };
}
