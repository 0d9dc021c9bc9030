// ECDSA on secp256k1 as Ethereum uses it: 65-byte signatures r‖s‖v, from which the signer is recovered. libsecp256k1 does the work. The
// package's JavaScript fallback is never loaded, because its signing time depends on the key.

import { createSecretKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { assert, fail, ok, type Result } from '../../core/domain/result.ts';
import { type Address, readHex, writeHex } from './address.ts';
import { keccak256 } from './keccak.ts';

interface NativeSecp256k1 {
  privateKeyVerify(key: Uint8Array): boolean;
  publicKeyCreate(key: Uint8Array, compressed: false, output: Uint8Array): Uint8Array;
  /** Signs deterministically (RFC 6979), with s in the lower half. */
  ecdsaSign(digest: Uint8Array, key: Uint8Array, options: object, output: Uint8Array): { readonly recid: number };
  /** Recovers the public key. Throws if no key can have made the signature. */
  ecdsaRecover(
    signature: Uint8Array,
    recid: number,
    digest: Uint8Array,
    compressed: false,
    output: Uint8Array,
  ): Uint8Array;
}
// This is loaded as CommonJS, because `import` would make each thread scan its text for export names first (docs/PERFORMANCE.md, Starting).
const native = createRequire(import.meta.url)('secp256k1/bindings.js') as NativeSecp256k1;

/** A key object; logs and errors cannot show its content. */
export type PrivateKey = KeyObject & { readonly of: 'secp256k1' };

export const SIGNATURE_BYTES = 65;
const RS_BYTES = 64;
const KEY_BYTES = 32;
const DIGEST_BYTES = 32;
/** The value of v says for which of two points r stands. */
const V_EVEN = 27;
const V_ODD = 28;

/** Reads a key from 64 hex digits, with or without `0x`. No error contains the text. */
export function readPrivateKey(text: string): Result<PrivateKey, string> {
  const bytes = readHex(text.startsWith('0x') ? text : `0x${text}`, KEY_BYTES);
  if (bytes?.length !== KEY_BYTES || !native.privateKeyVerify(bytes))
    return fail('a private key of venue A is 64 hex digits, above zero and below the order of secp256k1');
  return ok(createSecretKey(bytes) as PrivateKey);
}

/** Returns a signature of 65 bytes: s in the lower half, v 27 or 28. The same digest and key give the same signature. */
export function sign(digest: Uint8Array, key: PrivateKey): Uint8Array {
  assert(digest.length === DIGEST_BYTES, 'a digest has 32 bytes');
  const signature = new Uint8Array(SIGNATURE_BYTES);
  const { recid } = native.ecdsaSign(digest, key.export(), {}, signature.subarray(0, RS_BYTES));
  signature[RS_BYTES] = V_EVEN + recid;
  return signature;
}

/** The public key that was recovered last: a tag and both coordinates. */
const publicKey = new Uint8Array(SIGNATURE_BYTES);

/**
 * Returns the signer's address. Returns null if the length is not 65, or v is not 27 or 28. Returns null also if r or s is zero or beyond
 * the curve's order, or no point has the abscissa r. A high s is accepted, as the exchange's contract does. So an order has two valid
 * signatures, and only its digest may be its id.
 */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): Address | null {
  assert(digest.length === DIGEST_BYTES, 'a digest has 32 bytes');
  const v = signature[RS_BYTES];
  if (signature.length !== SIGNATURE_BYTES || (v !== V_EVEN && v !== V_ODD)) return null;
  try {
    native.ecdsaRecover(signature.subarray(0, RS_BYTES), v - V_EVEN, digest, false, publicKey);
  } catch {
    return null;
  }
  return addressOfPublicKey();
}

export function addressOf(key: PrivateKey): Address {
  native.publicKeyCreate(key.export(), false, publicKey);
  return addressOfPublicKey();
}

/** Returns the address: the last 20 bytes of the hash of the coordinates. */
function addressOfPublicKey(): Address {
  return writeHex(keccak256(publicKey.subarray(1)).subarray(12)) as Address;
}
