// Signatures and keys that need mathematics to make: points of small order, points with a part of small order, encodings out of range.
// Written from RFC 8032 §5.1 on the points of @noble/ed25519; nothing of src is used.

import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

const { n: L, p: P } = Point.CURVE();

export interface Crafted {
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

const littleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));

const integerOf = (bytes: Uint8Array): bigint => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

export const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

const sha512 = (...parts: readonly Uint8Array[]): Uint8Array =>
  createHash('sha512')
    .update(join(...parts))
    .digest();

/** Returns the scalar of a seed (RFC 8032 §5.1.5). */
export function scalarOf(seed: Uint8Array): bigint {
  const half = sha512(seed).subarray(0, 32);
  return BigInt.asUintN(254, (integerOf(half) >> 3n) << 3n) | (1n << 254n);
}

/** The eight points of small order, neutral point first. They are the multiples of a point of order 8. */
export const SMALL_ORDER_POINTS: readonly Point[] = (() => {
  for (let y = 2n; ; y++) {
    const point = decode(littleEndian(y));
    if (point === null) continue;
    // L·Q is the part of Q that has small order. Strict multiplication stops below L.
    const torsion = point.multiply(L - 1n).add(point);
    if (torsion.double().double().is0()) continue;
    return Array.from({ length: 8 }, (_, times) => torsion.multiply(BigInt(times), false));
  }
})();

/** The encodings that strict decoding refuses, because of their sign bit or because y ≥ p. */
export const NON_CANONICAL_POINTS: readonly (readonly [name: string, encoding: Uint8Array])[] = [
  ['y = p, for 0', littleEndian(P)],
  ['y = p + 1, for 1', littleEndian(P + 1n)],
  ['y = p + 3, for 3', littleEndian(P + 3n)],
  ['y = 2^255 − 1', littleEndian((1n << 255n) - 1n)],
  ['x = 0 with its sign bit set, y = 1', littleEndian((1n << 255n) | 1n)],
  ['x = 0 with its sign bit set, y = −1', littleEndian((1n << 255n) | (P - 1n))],
  ['all bits set', littleEndian((1n << 256n) - 1n)],
];

/** Returns a signature with the given R. Its S solves the equation for a key that is `a·B` plus any point of small order. */
export function solve(a: bigint, r: bigint, R: Uint8Array, publicKey: Uint8Array, message: Uint8Array): Uint8Array {
  const k = integerOf(sha512(R, publicKey, message)) % L;
  return join(R, littleEndian((r + k * a) % L));
}

/** Returns changed copies of a valid signature. Some have an S of the same value modulo L, and some an S that cannot be valid. */
export function scalarsOutOfRange(signature: Uint8Array): (readonly [name: string, signature: Uint8Array])[] {
  const [R, S] = [signature.slice(0, 32), integerOf(signature.slice(32))];
  const multiples = Array.from({ length: 15 }, (_, at) => BigInt(at + 1));
  const bits = [252n, 253n, 254n, 255n];
  return [
    ...multiples.map(times => [`S + ${times}·L`, join(R, littleEndian(S + times * L))] as const),
    ...bits.map(bit => [`S with bit ${bit} set`, join(R, littleEndian(S | (1n << bit)))] as const),
    ['S = L', join(R, littleEndian(L))],
    ['S = 0', join(R, littleEndian(0n))],
    ['S = 2^256 − 1', join(R, littleEndian((1n << 256n) - 1n))],
  ];
}

export const basePointTimes = (scalar: bigint): Point => Point.BASE.multiply(scalar % L);

/** Decodes a point strictly (RFC 8032 §5.1.3). Returns null if the encoding is not that of a point. */
export function decode(encoding: Uint8Array): Point | null {
  try {
    return Point.fromBytes(encoding, false);
  } catch {
    return null;
  }
}
