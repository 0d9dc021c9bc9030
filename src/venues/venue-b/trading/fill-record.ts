// A fill as venue B reports it, by REST or on the stream (venue-b.md §6, §10.4). Both give it the same id, made of the trade and
// the order: an account that trades with itself has two fills of one trade. Pure.

import { isUnsaid, type JsonObject, textOf } from '../../../domain/json.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../domain/numbers.ts';
import { priceInFrame } from '../../../domain/order-frame.ts';
import type { OrderRequest } from '../../../domain/order-request.ts';
import { unreadRow } from '../../listed.ts';
import type { UnreadRow, VenueFill } from '../../venue.ts';
import { venueAddressOf, venueIdOf } from '../../venue-names.ts';
import { moneyOf, priceOf, sizeOf, timeOf } from './amounts.ts';
import { bookSideOf, namesIn } from './order-record.ts';

/** Price in terms of YES; the owner of the order converts it. Null if unreadable. */
export function fillRecordOf(fill: JsonObject): VenueFill | null {
  const venueTradeId = venueIdOf(fill.trade_id) || venueIdOf(fill.fill_id);
  const venueOrderId = venueIdOf(fill.order_id);
  const address = venueAddressOf(fill.market_ticker) || venueAddressOf(fill.ticker);
  const side = bookSideOf(fill);
  const [price, size] = [priceOf(fill.yes_price_dollars), sizeOf(fill.count_fp)];
  const fee = isUnsaid(fill.fee_cost) ? (0 as MicroDollars) : moneyOf(fill.fee_cost);
  const executedAt = timeIn(fill);
  if (venueTradeId === '' || venueOrderId === '' || address === '' || side === null) return null;
  if (price === null || size === null || size === 0 || fee === null || executedAt === null) return null;
  const clientOrderId = textOf(fill.client_order_id);
  return {
    fillId: `${venueTradeId}.${venueOrderId}`,
    venueTradeId,
    venueOrderId,
    clientOrderId: clientOrderId === '' ? null : clientOrderId,
    address,
    price,
    addressPrice: price,
    size,
    positionChange: (side === 'bid' ? size : -size) as MicroShares,
    fee,
    liquidity: typeof fill.is_taker === 'boolean' ? (fill.is_taker ? 'TAKER' : 'MAKER') : null,
    settlement: 'CONFIRMED',
    executedAt,
  };
}

/** The readable names in an unreadable fill. */
export function unreadFillOf(fill: JsonObject): UnreadRow {
  const tradeId = venueIdOf(fill.trade_id) || venueIdOf(fill.fill_id);
  const named = namesIn(fill);
  const orderId = named.orders[0]?.venueOrderId ?? '';
  return unreadRow('fill', tradeId && `${tradeId}.${orderId}`, fill, { ...named, tradeId, at: timeIn(fill) });
}

function timeIn(fill: JsonObject): UnixMillis | null {
  return timeOf(fill.ts_ms, fill.created_time) ?? timeOf(undefined, fill.ts);
}

/** The fill in the frame of its order. */
export function fillInFrame(request: OrderRequest, fill: VenueFill): VenueFill {
  return { ...fill, price: priceInFrame(request, fill.addressPrice) };
}
