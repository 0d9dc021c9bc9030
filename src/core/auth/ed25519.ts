// Ed25519 on the hot path: strict verification by RFC 8032 §5.1.7, with the equation without the cofactor. The registration of keys refuses
// weak public keys, and libsodium refuses their signatures. Synchronous: for the pool's workers. The main thread checks upgrades, and the
// first signatures of a turn of its event loop.

import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { assert } from '../domain/result.ts';
import { isEd25519Signature } from '../runtime/libsodium.ts';
import { isOfSmallOrder, validatePublicKey } from './public-key.ts';

const SIGNATURE_BYTES = 64;
const R_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;

interface NativeCheck {
  /** The key in lower-case hex. */
  readonly publicKeyHex: string;
  /** A string stands for its UTF-8 bytes. */
  readonly message: string | Uint8Array;
  /** A string is base64 or base64url, as `isSignature` accepts it. */
  readonly signature: string | Uint8Array;
}

/** The key that is being used. */
const keyBytes = Buffer.alloc(PUBLIC_KEY_BYTES);
/** The signature that is being checked. */
const decoded = Buffer.alloc(SIGNATURE_BYTES);

export function verifySignature({ publicKeyHex, message, signature: given }: NativeCheck): boolean {
  if (publicKeyHex.length !== 2 * PUBLIC_KEY_BYTES) return false;
  if (keyBytes.write(publicKeyHex, 'hex') !== PUBLIC_KEY_BYTES) return false;
  const signature = typeof given === 'string' ? decodedFrom(given) : given;
  if (signature.length !== SIGNATURE_BYTES) return false;
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  if (isEd25519Signature(signature, bytes, keyBytes)) return true;
  // libsodium refuses an R of small order that RFC 8032 accepts. Only the key's owner could make one, and no signer does.
  return isOfSmallOrder(signature.subarray(0, R_BYTES)) && isRightForOpenSsl(publicKeyHex, bytes, signature);
}

/** Unlike libsodium, OpenSSL accepts weak public keys. */
function isRightForOpenSsl(publicKeyHex: string, message: Uint8Array, signature: Uint8Array): boolean {
  const x = keyBytes.toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature) && validatePublicKey(publicKeyHex).ok;
}

function decodedFrom(text: string): Uint8Array {
  const length = decoded.write(text, 'base64');
  return length === SIGNATURE_BYTES ? decoded : decoded.subarray(0, length);
}

const PROOF_ROUNDS = 100;

/**
 * Asserts that verification works on this machine, and warms the code up, so that a caller's first check costs no more than later ones.
 * Takes about 20 ms.
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
