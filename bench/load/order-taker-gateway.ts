// The gateway as an order taker: orders signed as our client signs, each under its own idempotency key.

import { nodeSigner } from '../../src/client/node-client.ts';
import { type RequestToSign, signRequest } from '../../src/client/signer.ts';
import { UuidV7Source } from '../../src/client/uuid-v7.ts';
import { textOf } from '../../src/domain/json.ts';
import {
  bytesOf,
  type GatewayData,
  type LeastGatewayData,
  type OrderMarket,
  type OrderTaker,
  SHARES,
} from './order-taker.ts';
import { venueBTaker } from './order-taker-venue-b.ts';

const HTTP_CREATED = 201;
const NOTHING = new Uint8Array(0);
/** Signs with a clock that is fast by half of the tolerance (contract §2): a busy machine may take long to send. */
const AHEAD_MS = 15_000;

export function gatewayTaker({ port, key, market }: GatewayData): OrderTaker {
  const signer = nodeSigner(key);
  const keys = new UuidV7Source(Date.now);
  const { path, order } = orderOf(market);
  const body = new TextEncoder().encode(JSON.stringify(order));
  const signed = async (
    method: 'POST' | 'DELETE',
    parts: Pick<RequestToSign, 'target' | 'body' | 'idempotencyKey'>,
  ): Promise<Buffer> => {
    const headers = await signRequest(signer, { method, ...parts, notAfterMillis: null }, Date.now() + AHEAD_MS);
    const type = parts.body.length === 0 ? {} : { 'Content-Type': 'application/json' };
    return bytesOf(port, { method, target: parts.target, headers: { ...headers, ...type }, body: parts.body });
  };
  return {
    port,
    cancelPort: port,
    madeStatus: HTTP_CREATED,
    order: () => signed('POST', { target: path, body, idempotencyKey: keys.next() }),
    cancel: made => signed('DELETE', { target: `${path}/${textOf(made.orderId)}`, body: NOTHING, idempotencyKey: '' }),
  };
}

/** Its orders are cancelled directly at the venue. */
export function leastGatewayTaker({ port, key, market, account }: LeastGatewayData): OrderTaker {
  const venue = venueBTaker({ taker: 'venue_b', account, market });
  return {
    ...gatewayTaker({ taker: 'gateway', port, key, market }),
    cancelPort: venue.port,
    cancel: made => venue.cancel({ order_id: made.orderId }),
  };
}

function orderOf(market: OrderMarket): { readonly path: string; readonly order: object } {
  if (market.venue === 'venue_b') {
    const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
    return { path: '/v1/venue-b/orders', order };
  }
  const order = { tokenId: market.tokenId, side: 'BUY', type: 'LIMIT', size: String(SHARES), price: '0.01' };
  return { path: '/v1/venue-a/orders', order };
}
