// Keys of accounts at the paper exchanges, as the venues' own sites issue them. They use the system's randomness, unlike the
// rest of a session: a value that follows from a seed is no secret. Thread of the paper exchanges.

import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { checksumAddress } from '../../venues/venue-a/address.ts';
import { addressOf, readPrivateKey } from '../../venues/venue-a/secp256k1.ts';

export const VENUE_B_KEY_TYPES = ['ed25519', 'rsa'] as const;
export type VenueBKeyType = (typeof VENUE_B_KEY_TYPES)[number];

interface VenueBKeyPair {
  readonly publicKeyPem: string;
  readonly privateKeyPem: string;
}

const generate = promisify(generateKeyPair);

/**
 * venue-b.md §2: RSA keys of 2048 bits as PKCS#1, Ed25519 keys as PKCS#8. Generated on another thread, because RSA is slow.
 */
export async function createVenueBKey(type: VenueBKeyType): Promise<VenueBKeyPair> {
  const { publicKey, privateKey } =
    type === 'rsa' ? await generate('rsa', { modulusLength: 2_048 }) : await generate('ed25519', {});
  const privateKeyPem = privateKey.export({ type: type === 'rsa' ? 'pkcs1' : 'pkcs8', format: 'pem' });
  return { publicKeyPem: spki(publicKey), privateKeyPem: privateKeyPem.toString() };
}

/** The public half of an RSA or Ed25519 key; the PEM may be either half. Null if it is no such key. */
export function publicKeyPemOf(pem: string): string | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ed25519' ? spki(key) : null;
  } catch {
    return null;
  }
}

/** Null if the PEM is no private RSA or Ed25519 key. */
export function privateKeyTypeOf(pem: string): VenueBKeyType | null {
  try {
    const type = createPrivateKey(pem).asymmetricKeyType;
    return VENUE_B_KEY_TYPES.find(it => it === type) ?? null;
  } catch {
    return null;
  }
}

interface VenueAKey {
  /** `0x` and 64 hex digits. */
  readonly privateKey: string;
  /** The address with its checksum. */
  readonly address: string;
}

export function createVenueAKey(): VenueAKey {
  for (;;) {
    const privateKey = `0x${randomBytes(32).toString('hex')}`;
    const address = venueAAddressOf(privateKey);
    // Null for one key in 2^127.
    if (address !== null) return { privateKey, address };
  }
}

/** The checksummed address of a private key; null if it is not one. */
export function venueAAddressOf(privateKey: string): string | null {
  const key = readPrivateKey(privateKey);
  return key.ok ? checksumAddress(addressOf(key.value)) : null;
}

function spki(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
