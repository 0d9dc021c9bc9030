// Decides which Ed25519 public keys may be registered (contract §2), by RFC 8032 §5.1.3. The point must have its one encoding, and lie on
// the curve −x² + y² = 1 + d·x²·y² over the integers modulo p. It must not be of small order: anyone can forge signatures of such keys.
// Pure BigInt arithmetic. Any thread; once per key, not per request.

import { fail, ok, type Result } from '../domain/result.ts';

const P = 2n ** 255n - 19n;
/** The constant d of the curve: −121665/121666. */
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;

/** Returns the key in lower-case hex, or an error that continues "public key: ". */
export function validatePublicKey(hex: string): Result<string, string> {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return fail('must be 32 bytes as 64 hex digits');
  const encoded = integerOf(Buffer.from(hex, 'hex'));
  const isNegative = encoded >> 255n === 1n;
  const y = BigInt.asUintN(255, encoded);
  if (y >= P) return fail('is not in its canonical encoding');

  // x² = u/v. As −1/d is no square, v is never 0, and u/v is a square exactly if u·v is.
  const ySquared = (y * y) % P;
  const u = (ySquared + P - 1n) % P;
  const v = (D * ySquared + 1n) % P;
  if (!isSquare((u * v) % P)) return fail('is not a point of the curve');
  if (u === 0n && isNegative) return fail('is not in its canonical encoding');
  if (hasSmallOrder(y, ySquared)) return fail('is a point of small order');
  return ok(hex.toLowerCase());
}

/** Whether 32 bytes are the encoding of a point of small order. */
export function isOfSmallOrder(encoding: Uint8Array): boolean {
  const y = BigInt.asUintN(255, integerOf(encoding));
  return y < P && hasSmallOrder(y, (y * y) % P);
}

/** Returns little-endian bytes as an integer. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/**
 * Whether 8·(x, y) is the neutral point (0, 1). Orders 1 and 2 have y = ±1, order 4 has y = 0. Doubling a point of order 8 gives one of
 * order 4, so 2·(x, y) has the ordinate 0. Its numerator x² + y² is 0. With x² = −y² the equation of the curve becomes d·y⁴ + 2y² − 1 =
 * 0.
 */
function hasSmallOrder(y: bigint, ySquared: bigint): boolean {
  return y === 0n || ySquared === 1n || (D * ySquared * ySquared + 2n * ySquared - 1n) % P === 0n;
}

/** Whether the value is a square, by Euler's criterion. 0 counts as a square. */
function isSquare(value: bigint): boolean {
  let power = 1n;
  let square = value;
  for (let exponent = (P - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) power = (power * square) % P;
    square = (square * square) % P;
  }
  return power <= 1n;
}
