// Ed25519 by OpenSSL, for the hot path: strict verification after RFC 8032 §5.1.7. OpenSSL itself refuses S ≥ L and compares
// R by its bytes, but takes public keys of small order and in other encodings; those are refused where a key is first seen.
// Synchronous: for the pool's workers, each with its own cache of keys, and for the upgrade of a stream on the main thread.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { assert } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { validatePublicKey } from './public-key.ts';

export interface NativeCheck {
  /** Lower-case hex. */
  readonly publicKeyHex: string;
  /** Of a string its UTF-8 bytes are meant. */
  readonly message: string | Uint8Array;
  readonly signature: Uint8Array;
}

/** By public key in hex; null for one that is not acceptable. */
const keys = new Map<string, KeyObject | null>();

export function verifySignature({ publicKeyHex, message, signature }: NativeCheck): boolean {
  const cached = keys.get(publicKeyHex);
  const key = cached === undefined ? remember(publicKeyHex) : cached;
  return key !== null && verify(null, typeof message === 'string' ? Buffer.from(message) : message, key, signature);
}

const PROOF_ROUNDS = 100;

/**
 * Asserts that signatures are told right from wrong on this machine, and leaves the code warm: the first check of a caller
 * costs what the thousandth does. About 20 ms.
 */
export function proveVerification(): void {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicKeyHex = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
  for (let round = 0; round < PROOF_ROUNDS; round++) {
    const message = `round ${round}`;
    const signature = sign(null, Buffer.from(message), privateKey);
    assert(verifySignature({ publicKeyHex, message, signature }), 'a signature is right');
    const at = round % signature.length;
    signature[at] = signature[at]! ^ 1;
    assert(!verifySignature({ publicKeyHex, message, signature }), 'a changed signature is wrong');
  }
}

/** DER of RFC 8410 §7: what comes before the 32 bytes of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The 64 bytes of the seed's signature. For clients on Node, load generators and tests; keeps no copy of the seed. */
export function signNative(message: string | Uint8Array, seedHex: string): Uint8Array {
  assert(/^[0-9a-f]{64}$/i.test(seedHex), 'an Ed25519 seed is 32 bytes in hex');
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seedHex, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return sign(null, typeof message === 'string' ? Buffer.from(message) : message, key);
}

function remember(publicKeyHex: string): KeyObject | null {
  const [oldest] = keys.keys();
  if (oldest !== undefined && keys.size >= limits.signingKeysMax) keys.delete(oldest);
  const key = importKey(publicKeyHex);
  keys.set(publicKeyHex, key);
  return key;
}

function importKey(publicKeyHex: string): KeyObject | null {
  if (!validatePublicKey(publicKeyHex).ok) return null;
  const x = Buffer.from(publicKeyHex, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
