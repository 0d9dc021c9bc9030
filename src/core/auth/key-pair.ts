// Ed25519 in plain TypeScript; the only importer of @noble/ed25519. This code makes keys, and signs where node:crypto is missing. Portable:
// client, CLI and browser.

import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';
import { assert } from '../domain/result.ts';

/** `seedHex` is the private key (RFC 8032 §5.1.5); both are 32 bytes in lower-case hex. */
interface KeyPair {
  readonly seedHex: string;
  readonly publicKeyHex: string;
}

/** Makes a new key pair from the platform's secure randomness. */
export async function createKeyPair(): Promise<KeyPair> {
  const seedHex = hexOf(utils.randomSecretKey());
  return { seedHex, publicKeyHex: await publicKeyOf(seedHex) };
}

/** Returns the seed's public key in lower-case hex. */
export async function publicKeyOf(seedHex: string): Promise<string> {
  return hexOf(await getPublicKeyAsync(bytesOf(seedHex)));
}

/** Signs the message with the seed. Returns 64 bytes. */
export function signPortable(message: Uint8Array, seedHex: string): Promise<Uint8Array> {
  return signAsync(message, bytesOf(seedHex));
}

/**
 * Returns the bytes of a key. Asserts the form of the key, which the code that reads the key must check. No error shows the text of a key.
 */
function bytesOf(keyHex: string): Uint8Array {
  assert(/^[0-9a-f]{64}$/i.test(keyHex), 'an Ed25519 key is 32 bytes in hex');
  return Uint8Array.from(keyHex.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
