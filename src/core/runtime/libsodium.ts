// Ed25519 by libsodium, which takes half of OpenSSL's time to check and to sign (ADR 0004). The only importer of
// sodium-native. Synchronous. Any thread.

import { createRequire } from 'node:module';

interface Libsodium {
  /** Checks a signature. A signature may be longer than 64 bytes, of which the first 64 count. The key must have 32 bytes. */
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** Fills the 64 bytes of the signature. */
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
}

// The package is CommonJS: for an `import`, each thread would first scan its text for names (docs/PERFORMANCE.md, Starting).
const libsodium = createRequire(import.meta.url)('sodium-native') as Libsodium;

/**
 * Checks a signature strictly: by the equation without the cofactor, and with no R of small order. `signature` has 64 bytes, `publicKey`
 * 32.
 */
export function isEd25519Signature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  return libsodium.crypto_sign_verify_detached(signature, message, publicKey);
}

/** Fills the 64 bytes of the signature. `secretKey` has 64 bytes: the seed, then the public key of the seed. */
export function signEd25519(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void {
  libsodium.crypto_sign_detached(signature, message, secretKey);
}
