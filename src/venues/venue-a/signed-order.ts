// Reads the `order` of a POST /order body (venue-a.md §2.1, §3.1) from JSON to the hashed record. Amounts and ids are decimal text of up to
// 78 digits and never pass through a double. Fields of the retired version 1 are ignored.

import { isObject, textOf } from '../../core/domain/json.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { type Bytes32, WORD_BYTES } from './abi-words.ts';
import { readAddress, readHex } from './address.ts';
import { WRAPPED_SIGNATURE_BYTES } from './order-signing.ts';
import { BUY, type OrderSide, SELL, type SignatureType, type VenueAOrder } from './typed-data.ts';

export interface SignedOrder {
  readonly order: VenueAOrder;
  readonly signature: Uint8Array;
  /** The expiry in Unix seconds; 0 means never. This field is not signed. */
  readonly expirationS: number;
}

const UINT256_DIGITS_MAX = 78;
const UINT256_MAX = 2n ** 256n - 1n;

/** Returns the order with its signature, which is not verified; or the field that is missing or malformed. */
export function readSignedOrder(json: unknown): Result<SignedOrder, string> {
  if (!isObject(json)) return fail('order: must be an object');
  const fields = {
    salt: readUint256(json.salt),
    maker: readAddress(textOf(json.maker)),
    signer: readAddress(textOf(json.signer)),
    tokenId: readUint256(json.tokenId),
    makerAmount: readUint256(json.makerAmount),
    takerAmount: readUint256(json.takerAmount),
    side: readSide(json.side),
    signatureType: readSignatureType(json.signatureType),
    timestamp: readUint256(json.timestamp),
    metadata: readBytes32(json.metadata),
    builder: readBytes32(json.builder),
    signature: readHex(textOf(json.signature), WRAPPED_SIGNATURE_BYTES),
    expirationS: readSeconds(json.expiration),
  };
  const missing = Object.entries(fields).find(([, value]) => value === null);
  if (missing !== undefined) return fail(`order.${missing[0].replace(/S$/, '')}: missing or malformed`);
  const { signature, expirationS, ...order } = fields as Present<typeof fields>;
  return ok({ order, signature, expirationS });
}

type Present<T> = { readonly [K in keyof T]: NonNullable<T[K]> };

/** Reads decimal text, or an exact number, because the official client sends the salt as a number. */
function readUint256(value: unknown): bigint | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
  if (text.length > UINT256_DIGITS_MAX || !/^\d+$/.test(text)) return null;
  const number = BigInt(text);
  return number > UINT256_MAX ? null : number;
}

function readSeconds(value: unknown): number | null {
  const seconds = Number(readUint256(value) ?? Number.NaN);
  return Number.isSafeInteger(seconds) ? seconds : null;
}

function readBytes32(value: unknown): Bytes32 | null {
  const text = textOf(value);
  return readHex(text, WORD_BYTES)?.length === WORD_BYTES ? (text.toLowerCase() as Bytes32) : null;
}

function readSide(value: unknown): OrderSide | null {
  return value === 'BUY' ? BUY : value === 'SELL' ? SELL : null;
}

function readSignatureType(value: unknown): SignatureType | null {
  return value === 0 || value === 1 || value === 2 || value === 3 ? value : null;
}
