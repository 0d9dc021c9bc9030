// Who signs requests, and with what. This one signs in every runtime; node-signer.ts does it faster where there is Node.
// The private key stays inside: a signer hands out signatures only.

import { signPortable } from '../auth/key-pair.ts';

export interface Signer {
  readonly keyId: string;
  /** The 64-byte Ed25519 signature of a message. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** SHA-256 in lower-case hex; WebCrypto where a signer does not bring its own. */
  readonly sha256Hex?: (bytes: Uint8Array) => string;
}

export interface SigningKeyPair {
  readonly keyId: string;
  /** The 32-byte Ed25519 seed, hex. */
  readonly seedHex: string;
}

/** Signs in about a millisecond, in JavaScript. */
export function portableSigner({ keyId, seedHex }: SigningKeyPair): Signer {
  return { keyId, sign: message => signPortable(message, seedHex) };
}
