// Ed25519 in plain TypeScript, the only importer of @noble/ed25519: making keys, and signing where there is no node:crypto.
// Portable: client, CLI and browser. An independent implementation for the gateway's own (ed25519.ts) to be tested against.

import { getPublicKeyAsync, hashes, Point, signAsync, utils, verifyAsync } from '@noble/ed25519';
import { assert } from '../domain/result.ts';

/** `seedHex` is the private key (RFC 8032 §5.1.5); both are 32 bytes in lower-case hex. */
export interface KeyPair {
  readonly seedHex: string;
  readonly publicKeyHex: string;
}

/** A new key pair from the platform's secure randomness. */
export async function createKeyPair(): Promise<KeyPair> {
  const seedHex = hexOf(utils.randomSecretKey());
  return { seedHex, publicKeyHex: await publicKeyOf(seedHex) };
}

/** Lower-case hex of the seed's public key. */
export async function publicKeyOf(seedHex: string): Promise<string> {
  return hexOf(await getPublicKeyAsync(bytesOf(seedHex)));
}

/** The 64 bytes of the seed's signature of the message. */
export function signPortable(message: Uint8Array, seedHex: string): Promise<Uint8Array> {
  return signAsync(message, bytesOf(seedHex));
}

export interface PortableCheck {
  readonly publicKeyHex: string;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * The gateway's verdict, to the last degenerate case. RFC 8032 §5.1.7 leaves two equations open: noble takes the one
 * multiplied by the cofactor, libsodium the one without, which refuses points R and A with a part of small order.
 */
export async function verifyPortable({ publicKeyHex, message, signature }: PortableCheck): Promise<boolean> {
  const publicKey = bytesOf(publicKeyHex);
  if (signature.length !== 64) return false;
  if (!(await verifyAsync(signature, message, publicKey, { zip215: false }))) return false;
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const k = integerOf(await hashes.sha512Async(new Uint8Array([...r, ...publicKey, ...message])));
  const rightSide = Point.fromBytes(r).add(Point.fromBytes(publicKey).multiply(k % Point.CURVE().n, false));
  return Point.BASE.multiply(integerOf(s), false).equals(rightSide);
}

/** A malformed key is its reader's mistake; the text of a key is in no error. */
function bytesOf(keyHex: string): Uint8Array {
  assert(/^[0-9a-f]{64}$/i.test(keyHex), 'an Ed25519 key is 32 bytes in hex');
  return Uint8Array.from(keyHex.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Of little-endian bytes. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${hexOf(bytes.toReversed())}`);
}
