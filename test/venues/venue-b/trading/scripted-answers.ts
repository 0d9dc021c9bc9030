// Requests to venue B, and the venue's answers as they arrive.

import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../../src/core/domain/order.ts';
import type { Intent, VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { OutboundOutcome } from '../../../../src/core/net/outbound.ts';
import { price, size } from '../../trading-rig.ts';

export const INTENT: Intent = { payload: Buffer.alloc(0), venueOrderId: null, clientOrderId: 'ours' };

/** Returns a request to buy ten contracts of YES at 0.60, with the changes. */
export function request(changes: Partial<VenueBOrderRequest> = {}): VenueBOrderRequest {
  const market = { venue: 'venue_b', ticker: 'KXA', side: 'YES', action: 'BUY' } as const;
  return { ...market, size: size('10'), price: price('0.6'), timeInForce: 'GTC', ...changes };
}

export function orderOf(wanted: VenueBOrderRequest, at = 1_780_000_000_000): Order<'PENDING'> {
  const names = { podId: 'p', actorId: 'a', keyId: 'k', idempotencyKey: 'i', orderId: 'id' as OrderId };
  return createOrder({ ...names, request: wanted, at: at as UnixMillis });
}

/** Returns an answer. The body is a text, or a value that becomes JSON. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): OutboundOutcome {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { type: 'answer', status, headers: new Map(Object.entries(headers)), body: text };
}

/** Returns the body of an error in the venue's form. */
export const error = (code: string, details?: string): { readonly error: object } => ({
  error: { code, message: code.toLowerCase().replaceAll('_', ' '), ...(details === undefined ? {} : { details }) },
});
