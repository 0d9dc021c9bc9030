// Makes an order taker from its data: the gateway, the least gateway, or a venue itself.

import { randomInt, randomUUID } from 'node:crypto';
import { textOf } from '../../src/core/domain/json.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import { unreachable } from '../../src/core/domain/result.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { type RequestToSign, signRequest } from '../../src/tools/client/signer.ts';
import { UuidV7Source } from '../../src/tools/client/uuid-v7.ts';
import { ZERO_BYTES32 } from '../../src/venues/venue-a/abi-words.ts';
import { l2Signature } from '../../src/venues/venue-a/auth.ts';
import { exchangeOf, POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { protocolOf } from '../../src/venues/venue-a/position-ids.ts';
import { buildIntent, type OrderTerms, orderSigner } from '../../src/venues/venue-a/trading/order-body.ts';
import { BUY } from '../../src/venues/venue-a/typed-data.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import {
  bytesOf,
  type GatewayData,
  type LeastGatewayData,
  type OrderMarket,
  type OrderTaker,
  type OrderTakerData,
  SHARES,
  type VenueAData,
  type VenueBData,
} from './order-taker.ts';

/** Makes the taker. `isTimed` says that the gateway's answers have the durations of their stages. */
export function openTaker(data: OrderTakerData, isTimed = false): OrderTaker {
  switch (data.taker) {
    case 'gateway':
      return gatewayTaker(data, isTimed);
    case 'least-gateway':
      return leastGatewayTaker(data);
    case 'venue_a':
      return venueATaker(data);
    case 'venue_b':
      return venueBTaker(data);
    default:
      return unreachable(data);
  }
}

const HTTP_CREATED = 201;
const NOTHING = new Uint8Array(0);
/** The time by which the signing clock is ahead: half of the tolerance (contract §2). A busy machine may take long to send. */
const AHEAD_MS = 15_000;

function gatewayTaker({ port, key, market }: GatewayData, isTimed = false): OrderTaker {
  const signed = requestsTo({ port, key }, isTimed);
  const keys = new UuidV7Source(Date.now);
  const { path, order } = orderOf(market);
  const body = new TextEncoder().encode(JSON.stringify(order));
  return {
    port,
    cancelPort: port,
    madeStatus: HTTP_CREATED,
    order: () => signed('POST', { target: path, body, idempotencyKey: keys.next() }),
    cancel: made => signed('DELETE', { target: `${path}/${textOf(made.orderId)}` }),
  };
}

type SignedParts = Pick<RequestToSign, 'target'> & Partial<Pick<RequestToSign, 'body' | 'idempotencyKey'>>;

/** Returns functions that make requests to the gateway. */
export function requestsTo({ port, key }: Pick<GatewayData, 'port' | 'key'>, isTimed = false) {
  const signer = nodeSigner(key);
  return async (method: 'POST' | 'DELETE', parts: SignedParts): Promise<Buffer> => {
    const { target, body = NOTHING, idempotencyKey = '' } = parts;
    const request = { method, target, body, idempotencyKey, notAfterMillis: null };
    const headers = await signRequest(signer, request, Date.now() + AHEAD_MS);
    const type = body.length === 0 ? {} : { 'Content-Type': 'application/json' };
    const timing = isTimed ? { 'SVC-Timing': '1' } : {};
    return bytesOf(port, { method, target, headers: { ...headers, ...type, ...timing }, body });
  };
}

/** Makes the taker of a least gateway, whose orders are cancelled directly at the venue. */
function leastGatewayTaker({ port, key, market, account }: LeastGatewayData): OrderTaker {
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

const HTTP_OK = 200;
const PATH = '/order';
const SALT_MAX = 2 ** 48;

function venueATaker({ account, market }: VenueAData): OrderTaker {
  const { restUrl, secret, apiKey, passphrase, funder } = account;
  const signer = orderSigner(account);
  if (signer === null) throw new Error('an account that cannot sign');
  const exchange = exchangeOf(protocolOf(market.tokenId), POLYGON, market.isNegRisk);
  const port = Number(new URL(restUrl).port);
  const signed = async (method: 'POST' | 'DELETE', body: Uint8Array): Promise<Buffer> => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = {
      POLY_ADDRESS: funder,
      POLY_SIGNATURE: l2Signature({ timestamp, method, path: PATH, body, secret }),
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: apiKey,
      POLY_PASSPHRASE: passphrase,
      'Content-Type': 'application/json',
    };
    return bytesOf(port, { method, target: PATH, headers, body });
  };
  const terms = (): OrderTerms => ({
    tokenId: market.tokenId,
    side: BUY,
    amounts: { makerAmount: BigInt(SHARES * 10_000), takerAmount: BigInt(SHARES * 1_000_000) },
    orderType: 'GTC',
    postOnly: false,
    salt: BigInt(randomInt(SALT_MAX - 1)),
    timestamp: Date.now() as UnixMillis,
    builder: ZERO_BYTES32,
    expirationS: 0,
  });
  return {
    port,
    cancelPort: port,
    madeStatus: HTTP_OK,
    order: () => signed('POST', buildIntent(terms(), signer, exchange, randomUUID() as OrderId).payload),
    cancel: made => signed('DELETE', Buffer.from(JSON.stringify({ orderID: textOf(made.orderID) }))),
  };
}

const ORDERS = '/portfolio/events/orders';

function venueBTaker({ account, market: { ticker } }: VenueBData): OrderTaker {
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
