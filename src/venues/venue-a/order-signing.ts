// Signs and checks venue A's orders (venue-a.md §2.1). The digest is the order's id: known before sending, and independent of the
// signature. There are four kinds of signer. A deposit wallet's owner signs a wrapped order (ERC-7739).

import { fail, ok, type Result } from '../../core/domain/result.ts';
import { WORD_BYTES } from './abi-words.ts';
import { type Address, writeHex } from './address.ts';
import type { Exchange } from './exchanges.ts';
import { type PrivateKey, recoverAddress, SIGNATURE_BYTES, sign } from './secp256k1.ts';
import type { VenueAOrder } from './typed-data.ts';
import { depositWalletStructHash, EOA, ORDER_TYPE, orderStructHash, POLY_1271, typedDataDigest } from './typed-data.ts';

/** `0x` and 64 hex digits: the venue's `orderID`. */
type VenueAOrderId = string & { readonly of: 'venue A order id' };

/**
 * The type text in a deposit wallet's signature. The signature has its owner's 65 bytes, the exchange's domain separator and the order's
 * struct hash. The order's type as text and the length of that text follow.
 */
const TYPE_TEXT = Buffer.from(ORDER_TYPE, 'ascii');
const TYPE_LENGTH = Buffer.from([TYPE_TEXT.length >> 8, TYPE_TEXT.length & 0xff]);
const SEPARATOR_AT = SIGNATURE_BYTES;
const CONTENTS_AT = SEPARATOR_AT + WORD_BYTES;
const TYPE_AT = CONTENTS_AT + WORD_BYTES;
const TYPE_LENGTH_AT = TYPE_AT + TYPE_TEXT.length;
export const WRAPPED_SIGNATURE_BYTES = TYPE_LENGTH_AT + TYPE_LENGTH.length;

interface OrderHashes {
  readonly contents: Uint8Array;
  /** The 32 bytes that a signer other than a deposit wallet's owner signs. */
  readonly digest: Uint8Array;
}

export function orderHashes(order: VenueAOrder, exchange: Exchange): OrderHashes {
  const contents = orderStructHash(order);
  return { contents, digest: typedDataDigest(exchange.domainSeparator, contents) };
}

export function orderDigest(order: VenueAOrder, exchange: Exchange): Uint8Array {
  return orderHashes(order, exchange).digest;
}

export function orderId(digest: Uint8Array): VenueAOrderId {
  return writeHex(digest) as VenueAOrderId;
}

/**
 * Returns the signature of the order's signer, or of its wallet's owner: 65 bytes, or 317 bytes for type 3. Does not check who owns the
 * key. `hashes` are the order's hashes, if already known.
 */
export function signOrder(
  order: VenueAOrder,
  key: PrivateKey,
  exchange: Exchange,
  { contents, digest } = orderHashes(order, exchange),
): Uint8Array {
  if (order.signatureType !== POLY_1271) return sign(digest, key);
  const { domainSeparator } = exchange;
  const signature = sign(wrappedDigest(order, exchange, contents), key);
  return Buffer.concat([signature, domainSeparator, contents, TYPE_TEXT, TYPE_LENGTH]);
}

/**
 * Checks the signature against this order and exchange. Returns the address of the signing key, or the fault. For types 0 to 2 this address
 * is the order's signer. For type 3 it is the address of the key that signed for the wallet. **The caller must check that this key belongs
 * to the wallet's owner**, or anyone could trade for anyone. The caller also checks whether a proxy or Safe belongs to its signer. `digest`
 * is the order's digest, if already known.
 */
export function verifyOrder(
  order: VenueAOrder,
  signature: Uint8Array,
  exchange: Exchange,
  digest = orderDigest(order, exchange),
): Result<Address, string> {
  if ((order.signatureType === EOA || order.signatureType === POLY_1271) && order.maker !== order.signer)
    return fail(`maker and signer must be the same under signatureType ${order.signatureType}`);
  if (order.signatureType === POLY_1271) return verifyWrapped(order, signature, exchange);
  const signer = recoverAddress(digest, signature);
  if (signer === null) return fail('no key has made the signature');
  if (signer !== order.signer) return fail(`the signature is not the signer's over this order: recovers ${signer}`);
  return ok(signer);
}

function verifyWrapped(order: VenueAOrder, signature: Uint8Array, exchange: Exchange): Result<Address, string> {
  if (signature.length !== WRAPPED_SIGNATURE_BYTES)
    return fail(`a deposit wallet's signature has ${WRAPPED_SIGNATURE_BYTES} bytes, not ${signature.length}`);
  const contents = orderStructHash(order);
  const holds = (at: number, part: Uint8Array) => part.every((byte, index) => signature[at + index] === byte);
  if (!holds(SEPARATOR_AT, exchange.domainSeparator)) return fail('the wrapped domain is not that of the exchange');
  if (!holds(CONTENTS_AT, contents)) return fail('the wrapped contents are not the order');
  if (!holds(TYPE_AT, TYPE_TEXT)) return fail('the wrapped type is not that of an order');
  if (!holds(TYPE_LENGTH_AT, TYPE_LENGTH)) return fail('the length of the wrapped type is wrong');
  const owner = recoverAddress(wrappedDigest(order, exchange, contents), signature.subarray(0, SIGNATURE_BYTES));
  return owner === null ? fail('no key has made the signature') : ok(owner);
}

/** Returns the digest that a deposit wallet's owner signs. */
function wrappedDigest({ signer }: VenueAOrder, exchange: Exchange, contents: Uint8Array): Uint8Array {
  return typedDataDigest(exchange.domainSeparator, depositWalletStructHash(contents, exchange.chainId, signer));
}
