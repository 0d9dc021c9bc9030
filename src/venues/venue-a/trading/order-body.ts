// A signed order of venue A: the exact bytes of POST /order (venue-a.md §3.1), its identity, and the exchange version of its signature. Its
// salt and time are derived from the order's id and key, if possible. So an order that is rebuilt after its record was lost has the same
// digest, and is refused as a duplicate (contract §4.6). Any thread.

import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { OrderId } from '../../../core/domain/order.ts';
import type { Intent } from '../../../core/domain/order-request.ts';
import type { VenueAAccount } from '../../../core/domain/pod-accounts.ts';
import { assert } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import { type Bytes32, ZERO_BYTES32 } from '../abi-words.ts';
import { type Address, checksumAddress, readAddress, writeHex } from '../address.ts';
import type { Exchange } from '../exchanges.ts';
import type { OrderAmounts } from '../order-amounts.ts';
import { orderHashes, orderId, signOrder } from '../order-signing.ts';
import { addressOf, type PrivateKey, readPrivateKey } from '../secp256k1.ts';
import { BUY, EOA, type OrderSide, POLY_1271, type SignatureType, type VenueAOrder } from '../typed-data.ts';

/** The signer of orders, and the owner of the funds. */
export interface OrderSigner {
  readonly key: PrivateKey;
  readonly maker: Address;
  /** The address that signs: that of the key, or for a deposit wallet, which answers for its owner, the wallet's own (venue-a.md §2.1). */
  readonly signer: Address;
  /** Both addresses, `maker` and `signer`, as the venue's clients write them. */
  readonly makerText: string;
  readonly signerText: string;
  readonly signatureType: SignatureType;
  readonly apiKey: string;
}

export interface OrderTerms {
  readonly tokenId: string;
  readonly side: OrderSide;
  readonly amounts: OrderAmounts;
  readonly orderType: 'GTC' | 'GTD' | 'FOK' | 'FAK';
  readonly postOnly: boolean;
  readonly salt: bigint;
  readonly timestamp: UnixMillis;
  /** The code of the client's builder. */
  readonly builder: Bytes32;
  /** The expiry in Unix seconds; 0 means never. This field is not signed. */
  readonly expirationS: number;
}

/** Returns the signer of an account. Returns null if the account cannot sign, without a reason, which could reveal a secret. */
export function orderSigner(account: VenueAAccount): OrderSigner | null {
  const { privateKey, signatureType, apiKey } = account;
  const key = readPrivateKey(privateKey);
  const maker = readAddress(account.funder);
  if (!key.ok || maker === null) return null;
  const owner = addressOf(key.value);
  if (signatureType === EOA && maker !== owner) return null;
  const signer = signatureType === POLY_1271 ? maker : owner;
  const texts = { makerText: checksumAddress(maker), signerText: checksumAddress(signer) };
  return { key: key.value, maker, signer, ...texts, signatureType, apiKey };
}

/** Builds the intent, ready to be sent. */
export function buildIntent(
  terms: OrderTerms,
  signer: OrderSigner,
  exchange: Exchange,
  clientOrderId: OrderId,
): Intent {
  const order = orderOf(terms, signer);
  const hashes = orderHashes(order, exchange);
  const signature = signOrder(order, signer.key, exchange, hashes);
  return {
    payload: Buffer.from(bodyOf(terms, order, signature, signer)),
    venueOrderId: orderId(hashes.digest),
    clientOrderId,
  };
}

function orderOf(terms: OrderTerms, { maker, signer, signatureType }: OrderSigner): VenueAOrder {
  return {
    salt: terms.salt,
    maker,
    signer,
    tokenId: BigInt(terms.tokenId),
    makerAmount: terms.amounts.makerAmount,
    takerAmount: terms.amounts.takerAmount,
    side: terms.side,
    signatureType,
    timestamp: BigInt(terms.timestamp),
    metadata: ZERO_BYTES32,
    builder: terms.builder,
  };
}

function bodyOf(terms: OrderTerms, order: VenueAOrder, signature: Uint8Array, signer: OrderSigner): string {
  const { postOnly, orderType, expirationS } = terms;
  return JSON.stringify({
    deferExec: false,
    postOnly,
    order: {
      salt: Number(order.salt),
      maker: signer.makerText,
      signer: signer.signerText,
      tokenId: terms.tokenId,
      makerAmount: String(order.makerAmount),
      takerAmount: String(order.takerAmount),
      side: order.side === BUY ? 'BUY' : 'SELL',
      signatureType: order.signatureType,
      timestamp: String(order.timestamp),
      expiration: String(expirationS),
      metadata: order.metadata,
      builder: order.builder,
      signature: writeHex(signature),
    },
    owner: signer.apiKey,
    orderType,
  });
}

/** The bits of a salt, which is a JSON number, so it must stay exact. */
const SALT_MASK = 2n ** 53n - 1n;
/** The number of last digits of a UUID that are random or derived, without its version and variant: 60 bits. */
const DERIVED_DIGITS = 15;
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function saltOf(orderId: OrderId): bigint {
  const digits = orderId.replaceAll('-', '').slice(-DERIVED_DIGITS);
  assert(/^[0-9a-f]{15}$/.test(digits), 'an order id is a UUID');
  return BigInt(`0x${digits}`) & SALT_MASK;
}

/** Returns the time of a UUIDv7, or null for any other key. */
export function timeOfKey(idempotencyKey: string): UnixMillis | null {
  const match = UUID_V7.exec(idempotencyKey);
  return match === null ? null : (Number.parseInt(`${match[1]}${match[2]}`, 16) as UnixMillis);
}

/**
 * Gives orders their times. An order gets the time of its key if that is near our clock; otherwise the present time, later than all given
 * before.
 */
export class OrderTimes {
  readonly #now: () => UnixMillis;
  #last = 0;

  constructor(now: () => UnixMillis) {
    this.#now = now;
  }

  of(idempotencyKey: string): UnixMillis {
    const now = this.#now();
    const stated = timeOfKey(idempotencyKey);
    if (stated !== null && Math.abs(stated - now) <= limits.venueAKeyTimeMs) return stated;
    this.#last = Math.max(now, this.#last + 1);
    return this.#last as UnixMillis;
  }
}
