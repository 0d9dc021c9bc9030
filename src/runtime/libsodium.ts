// Ed25519 by libsodium, half of OpenSSL's time for a check and for a signature (ADR 0004). The only importer of sodium-native.
// Synchronous. Any thread.

import { createRequire } from 'node:module';

interface Libsodium {
  /** The signature may be longer than 64 bytes, of which the first count; the key must be 32 bytes. */
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** Fills the signature's 64 bytes. */
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
}

// CommonJS: to `import` it, each thread would first search its text for names (docs/PERFORMANCE.md, Starting).
const libsodium = createRequire(import.meta.url)('sodium-native') as Libsodium;

const SIGNATURE_BYTES = 64;

/** Strict, by the equation without the cofactor; no R of small order is accepted. `signature`: 64 bytes. `publicKey`: 32. */
export function isEd25519Signature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return libsodium.crypto_sign_verify_detached(signature, message, publicKey);
}

/** `secretKey`: 64 bytes, the seed and the public key that it makes. */
export function signEd25519(message: Uint8Array, secretKey: Uint8Array): Buffer {
  const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
  libsodium.crypto_sign_detached(signature, message, secretKey);
  return signature;
}
