// The bodies of new orders, batches and cancels at venue B (venue-b.md §3, §5.1, §5.5). The venue has one book, the book of YES: a purchase
// of NO at q is an ask for YES at 1 − q. Pure.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import type { Ticks } from '../../../core/domain/numbers.ts';
import { priceInFrame } from '../../../core/domain/order-frame.ts';
import type { VenueBOrderRequest, VenueBTerms } from '../../../core/domain/order-request.ts';
import { assert } from '../../../core/domain/result.ts';
import { countText, priceText } from './amounts.ts';

/** The path of new orders. */
export const ORDERS = '/portfolio/events/orders';
/**
 * The path of batches. A single cancel is sent as a batch, too: this path names no order, so its signature can be made before the order
 * exists.
 */
export const BATCHES = `${ORDERS}/batched`;

export type BookSide = 'bid' | 'ask';

const TIMES_IN_FORCE = {
  GTC: 'good_till_canceled',
  IOC: 'immediate_or_cancel',
  FOK: 'fill_or_kill',
  // The venue has no word for GTD: an expiry together with this word is enough.
  GTD: 'good_till_canceled',
} as const;

/** Returns the side and price of the request in terms of YES. */
export function yesTerms(request: VenueBOrderRequest): { readonly side: BookSide; readonly price: Ticks } {
  const isBid = (request.side === 'YES') === (request.action === 'BUY');
  return { side: isBid ? 'bid' : 'ask', price: priceInFrame(request, request.price) };
}

/**
 * Returns the exact text to send. It names no shard, because the venue derives the shard from the ticker. `groupId` is null for an order
 * without a group.
 */
export function orderBody(request: VenueBOrderRequest, clientOrderId: string, groupId: string | null = null): string {
  assert(request.size > 0, 'an order is for more than nothing');
  const { side, price } = yesTerms(request);
  const { expiresAt, postOnly, reduceOnly, selfTrade } = request.terms ?? USUAL_TERMS;
  // JSON.stringify leaves out undefined members.
  return JSON.stringify({
    ticker: request.ticker,
    client_order_id: clientOrderId,
    side,
    count: countText(request.size),
    price: priceText(price),
    time_in_force: TIMES_IN_FORCE[request.timeInForce],
    self_trade_prevention_type: selfTrade === 'CANCEL_MAKER' ? 'maker' : 'taker_at_cross',
    order_group_id: groupId ?? undefined,
    post_only: postOnly || undefined,
    reduce_only: reduceOnly || undefined,
    expiration_time: expiresAt === null ? undefined : expiresAt / SECOND_MS,
  });
}

const USUAL_TERMS: VenueBTerms = { expiresAt: null, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' };

/** Whether the order in a body belongs to a group. */
export function isGrouped(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('"order_group_id":');
}

/** Returns the body of a batch of prepared orders, each of which is JSON text. */
export function batchBody(orders: readonly Uint8Array[]): Uint8Array {
  const items = orders.flatMap((order, index) => (index === 0 ? [order] : [COMMA, order]));
  return Buffer.concat([Buffer.from('{"orders":['), ...items, Buffer.from(']}')]);
}

const COMMA = Buffer.from(',');

export interface NamedOrder {
  readonly venueOrderId: string;
  readonly ticker: string;
}

/** Returns the body of a batch of cancels. It has the tickers, by which the venue finds the shards. */
export function cancelBody(orders: readonly NamedOrder[]): string {
  return JSON.stringify({
    orders: orders.map(({ venueOrderId, ticker }) => ({ order_id: venueOrderId, market_ticker: ticker })),
  });
}
