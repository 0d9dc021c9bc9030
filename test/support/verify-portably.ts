// Verification of signatures by another implementation: the oracle for the gateway's own verification.

import { hashes, Point, verifyAsync } from '@noble/ed25519';

interface PortableCheck {
  readonly publicKeyHex: string;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Returns the same verdict as the gateway, to the last degenerate case. RFC 8032 §5.1.7 allows two equations. noble checks the equation
 * that is multiplied by the cofactor. libsodium checks the equation without the cofactor, which refuses points R and A with a part of small
 * order.
 */
export async function verifyPortably({ publicKeyHex, message, signature }: PortableCheck): Promise<boolean> {
  const publicKey = new Uint8Array(Buffer.from(publicKeyHex, 'hex'));
  if (signature.length !== 64) return false;
  if (!(await verifyAsync(signature, message, publicKey, { zip215: false }))) return false;
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const k = integerOf(await hashes.sha512Async(new Uint8Array([...r, ...publicKey, ...message])));
  const rightSide = Point.fromBytes(r).add(Point.fromBytes(publicKey).multiply(k % Point.CURVE().n, false));
  return Point.BASE.multiply(integerOf(s), false).equals(rightSide);
}

/** Returns the integer of little-endian bytes. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);
}
