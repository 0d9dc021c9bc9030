// Venue B's exchange as an order taker. It signs no bodies (venue-b.md §2).

import { randomUUID } from 'node:crypto';
import { textOf } from '../../src/domain/json.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { bytesOf, type OrderTaker, type VenueBData } from './order-taker.ts';

const HTTP_CREATED = 201;
const ORDERS = '/portfolio/events/orders';

export function venueBTaker({ account, market: { ticker } }: VenueBData): OrderTaker {
  const { restUrl, keyId, privateKeyPem } = account;
  const sign = createVenueBSigner(keyId, privateKeyPem);
  const port = Number(new URL(restUrl).port);
  const signed = async (method: 'POST' | 'DELETE', path: string, body: string): Promise<Buffer> => {
    const url = new URL(restUrl + path);
    const headers = { ...sign(method, url.href, Date.now()), 'Content-Type': 'application/json' };
    return bytesOf(port, { method, target: url.pathname + url.search, headers, body });
  };
  const order = {
    side: 'bid',
    count: '1.00',
    price: '0.0100',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
  };
  return {
    port,
    cancelPort: port,
    madeStatus: HTTP_CREATED,
    order: () => signed('POST', ORDERS, JSON.stringify({ ticker, client_order_id: randomUUID(), ...order })),
    cancel: made => signed('DELETE', `${ORDERS}/${textOf(made.order_id)}?market_ticker=${ticker}`, ''),
  };
}
