// Signs requests. This signer works in every runtime; node-signer.ts is faster on Node. The private key never leaves a signer.

import { signPortable } from '../auth/key-pair.ts';

export interface Signer {
  readonly keyId: string;
  /** The 64-byte Ed25519 signature of a message. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** SHA-256 in lower-case hex; WebCrypto if the signer has none. */
  readonly sha256Hex?: (bytes: Uint8Array) => string;
}

export interface SigningKeyPair {
  readonly keyId: string;
  /** The 32-byte Ed25519 seed, hex. */
  readonly seedHex: string;
}

/** Takes about a millisecond, in JavaScript. */
export function portableSigner({ keyId, seedHex }: SigningKeyPair): Signer {
  return { keyId, sign: message => signPortable(message, seedHex) };
}
