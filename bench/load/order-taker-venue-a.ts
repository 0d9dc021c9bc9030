// Venue A's exchange as an order taker: the wallet's key signs each order, the API secret its request.

import { randomInt, randomUUID } from 'node:crypto';
import { textOf } from '../../src/domain/json.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { OrderId } from '../../src/domain/order.ts';
import { ZERO_BYTES32 } from '../../src/venues/venue-a/abi-words.ts';
import { l2Signature } from '../../src/venues/venue-a/auth.ts';
import { exchangeOf, POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { buildIntent, type OrderTerms, orderSigner } from '../../src/venues/venue-a/trading/order-body.ts';
import { BUY } from '../../src/venues/venue-a/typed-data.ts';
import { bytesOf, type OrderTaker, SHARES, type VenueAData } from './order-taker.ts';

const HTTP_OK = 200;
const PATH = '/order';
const SALT_MAX = 2 ** 48;

export function venueATaker({ account, market }: VenueAData): OrderTaker {
  const { restUrl, secret, apiKey, passphrase, funder } = account;
  const signer = orderSigner(account);
  if (signer === null) throw new Error('an account that cannot sign');
  const exchange = exchangeOf('2', POLYGON, market.isNegRisk);
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
