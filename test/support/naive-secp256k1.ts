// ECDSA public key recovery on secp256k1 by the book (SEC 1 §4.1.6), in BigInt and affine coordinates: the naive twin of
// src/venues/venue-a/secp256k1.ts. One recovery takes tens of milliseconds.

import { keccak_256 } from '@noble/hashes/sha3.js';

const P = 2n ** 256n - 2n ** 32n - 977n;
export const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const G: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];

/** A point of the curve. Null is the point at infinity. */
type Point = readonly [x: bigint, y: bigint] | null;

/** Returns the address that signed, or null if no address can have made the signature. */
export function naiveRecover(digest: Uint8Array, r: bigint, s: bigint, isOdd: boolean): string | null {
  if (r <= 0n || r >= N || s <= 0n || s >= N) return null;
  const square = mod(r ** 3n + 7n, P);
  const root = power(square, (P + 1n) / 4n, P);
  if (mod(root * root, P) !== square) return null;
  const y = (root & 1n) === (isOdd ? 1n : 0n) ? root : P - root;
  const inverse = invert(r, N);
  const key = add(multiply([r, y], mod(s * inverse, N)), multiply(G, mod(-toNumber(digest) * inverse, N)));
  if (key === null) return null;
  const bytes = Buffer.from(toHex(key[0]) + toHex(key[1]), 'hex');
  return `0x${Buffer.from(keccak_256(bytes)).toString('hex').slice(24)}`;
}

export function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

export function toHex(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

function add(a: Point, b: Point): Point {
  if (a === null) return b;
  if (b === null) return a;
  if (a[0] === b[0] && a[1] !== b[1]) return null;
  const slope = a[0] === b[0] ? 3n * a[0] * a[0] * invert(2n * a[1], P) : (b[1] - a[1]) * invert(b[0] - a[0], P);
  const x = mod(slope * slope - a[0] - b[0], P);
  return [x, mod(slope * (a[0] - x) - a[1], P)];
}

function multiply(point: Point, times: bigint): Point {
  let sum: Point = null;
  for (let [rest, double] = [times, point]; rest > 0n; rest >>= 1n, double = add(double, double))
    if (rest & 1n) sum = add(sum, double);
  return sum;
}

/** Returns the inverse by the extended Euclidean algorithm. */
function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [mod(value, modulus), modulus, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return mod(x, modulus);
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n, square = (square * square) % modulus)
    if (rest & 1n) result = (result * square) % modulus;
  return result;
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}
