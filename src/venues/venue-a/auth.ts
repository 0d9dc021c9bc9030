// Venue A's two levels of authentication (venue-a.md §1). A wallet attests once, by EIP-712, that it may create and read its API keys. An HMAC
// with the secret of such a key covers each private request. Clients sign; the local servers that simulate the venue verify. No I/O, no clock.

import { timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../../core/domain/bounded-map.ts';
import { assert, fail, ok, type Result } from '../../core/domain/result.ts';
import { HmacKey } from '../../core/runtime/hmac.ts';
import { type Address, readAddress, readHex } from './address.ts';
import { AMOY, type ChainId, POLYGON } from './exchanges.ts';
import { recoverAddress, SIGNATURE_BYTES } from './secp256k1.ts';
import { type ClobAuth, clobAuthDomainSeparator, clobAuthStructHash, typedDataDigest } from './typed-data.ts';

/** The values of `POLY_ADDRESS`, `POLY_SIGNATURE`, `POLY_TIMESTAMP` and `POLY_NONCE`. An absent header is the empty string. */
export interface L1Headers {
  readonly address: string;
  readonly signature: string;
  /** The value of `POLY_TIMESTAMP` in Unix seconds. */
  readonly timestamp: string;
  readonly nonce: string;
}

export interface L1Claim {
  /** Address of the signing key. */
  readonly address: Address;
  /** The time of the attestation in Unix seconds. The caller checks its age. */
  readonly timestampS: number;
  /** The nonce: an address has one API key for each nonce. */
  readonly nonce: bigint;
}

const DOMAIN_SEPARATORS: Readonly<Record<ChainId, Uint8Array>> = {
  [POLYGON]: clobAuthDomainSeparator(POLYGON),
  [AMOY]: clobAuthDomainSeparator(AMOY),
};

const TIMESTAMP = /^\d{1,12}$/;
const NONCE = /^\d{1,77}$/;

/** Returns the 32 bytes that a wallet signs. */
export function clobAuthDigest(auth: ClobAuth, chainId: ChainId): Uint8Array {
  return typedDataDigest(DOMAIN_SEPARATORS[chainId], clobAuthStructHash(auth));
}

/** Returns the attested values if the address itself has signed them for this chain, or else the fault. */
export function verifyL1(headers: L1Headers, chainId: ChainId): Result<L1Claim, string> {
  const address = readAddress(headers.address);
  if (address === null) return fail('POLY_ADDRESS: must be 0x and 40 hex digits');
  if (!TIMESTAMP.test(headers.timestamp)) return fail('POLY_TIMESTAMP: must be Unix seconds');
  if (!NONCE.test(headers.nonce)) return fail('POLY_NONCE: must be a whole number');
  const signature = readHex(headers.signature, SIGNATURE_BYTES);
  if (signature === null) return fail(`POLY_SIGNATURE: must be 0x and ${SIGNATURE_BYTES} bytes in hex`);
  const nonce = BigInt(headers.nonce);
  const signer = recoverAddress(clobAuthDigest({ address, timestamp: headers.timestamp, nonce }, chainId), signature);
  if (signer !== address) return fail('POLY_SIGNATURE: must be made by the key of POLY_ADDRESS');
  return ok({ address, timestampS: Number(headers.timestamp), nonce });
}

interface L2Request {
  /** The value of `POLY_TIMESTAMP`, in Unix seconds. */
  readonly timestamp: string;
  /** The method in upper case, as sent. */
  readonly method: string;
  /** The path from the host's root; a query is cut off and not signed. */
  readonly path: string;
  /** The bytes of the body as sent; empty if the request has no body. */
  readonly body: Uint8Array;
}

/** Whether the text can be a secret: base64 of either alphabet, padded or not. Call this where a secret enters. */
export function isL2Secret(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '');
  const isPadded = digits.length < text.length;
  return /^[\w+/-]+$/.test(digits) && digits.length % 4 !== 1 && (!isPadded || text.length % 4 === 0);
}

/** Returns the value of `POLY_SIGNATURE`: 44 characters of url-safe base64, padded. No error contains the secret. */
export function l2Signature(request: L2Request & { readonly secret: string }): string {
  const { timestamp, method, path, body } = request;
  const key = l2Keys.get(request.secret) ?? l2Key(request.secret);
  const queryAt = path.indexOf('?');
  const text = timestamp + method + (queryAt < 0 ? path : path.slice(0, queryAt));
  return `${key.sign(text, body, 'base64url')}=`;
}

const L2_KEYS_MAX = 1_000;
const l2Keys = new BoundedMap<string, HmacKey>(L2_KEYS_MAX);

function l2Key(secret: string): HmacKey {
  assert(isL2Secret(secret), 'the API secret of venue A is base64');
  // Node reads both alphabets, padded or not.
  const key = new HmacKey(Buffer.from(secret, 'base64'));
  l2Keys.set(secret, key);
  return key;
}

/**
 * Whether `signature`, as the header's text, matches this request and secret. Takes constant time. The caller checks the age of the
 * timestamp, the key and the passphrase.
 */
export function verifyL2(request: L2Request & { readonly secret: string; readonly signature: string }): boolean {
  const expected = Buffer.from(l2Signature(request));
  const signature = Buffer.from(request.signature);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
