// A new order and a cancel in venue B's words (venue-b.md §3, §5.1, §5.5). The venue has one book, of YES: to buy NO at q is to ask
// 1 − q for YES. Pure.

import { MICROS_PER_SHARE, type Ticks } from '../../../domain/numbers.ts';
import { priceInFrame } from '../../../domain/order-frame.ts';
import type { VenueBOrderRequest } from '../../../domain/order-request.ts';
import { assert } from '../../../domain/result.ts';
import { priceText } from './amounts.ts';

/** New orders are posted here. */
export const ORDERS = '/portfolio/events/orders';
/** Cancels are made here, each a batch of one: its path names no order, so that it can be signed before there is one. */
export const CANCELS = `${ORDERS}/batched`;

export type BookSide = 'bid' | 'ask';

const TIMES_IN_FORCE = {
  GTC: 'good_till_canceled',
  IOC: 'immediate_or_cancel',
  FOK: 'fill_or_kill',
} as const;

/** What is wished, in terms of YES. */
export function yesTerms(request: VenueBOrderRequest): { readonly side: BookSide; readonly price: Ticks } {
  const isBid = (request.side === 'YES') === (request.action === 'BUY');
  return { side: isBid ? 'bid' : 'ask', price: priceInFrame(request, request.price) };
}

/** The very bytes that are sent. The shard is left to the venue, which knows it by the ticker. */
export function orderBody(request: VenueBOrderRequest, clientOrderId: string): string {
  assert(request.size > 0 && request.size % MICROS_PER_SHARE === 0, 'venue B is sent whole contracts');
  const { side, price } = yesTerms(request);
  return JSON.stringify({
    ticker: request.ticker,
    client_order_id: clientOrderId,
    side,
    count: `${request.size / MICROS_PER_SHARE}.00`,
    price: priceText(price),
    time_in_force: TIMES_IN_FORCE[request.timeInForce],
    self_trade_prevention_type: 'taker_at_cross',
  });
}

/** By the ticker the venue finds the shard. */
export function cancelBody(venueOrderId: string, ticker: string): string {
  return JSON.stringify({ orders: [{ order_id: venueOrderId, market_ticker: ticker }] });
}
