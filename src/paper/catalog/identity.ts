// Ids of the catalog. They are derived from names: with any seed a slug or a ticker gives the same id. Pure.

import { createHash } from 'node:crypto';

const BINARY_MODULE = '01';

/** Returns `0x` and 64 hex digits. */
export function hashOf(...name: readonly string[]): string {
  return `0x${digest(name).toString('hex')}`;
}

/** Returns a uint256 of 77 decimal digits, as nearly all of venue A's token ids have. */
export function tokenOf(...name: readonly string[]): string {
  const smallest = 10n ** 76n;
  const value = BigInt(`0x${digest(name).toString('hex')}`);
  return String(smallest + (value % (9n * smallest)));
}

/** Returns a binary condition of Protocol V2 as its CLOB shows it, and the position ids of YES and NO (venue-a.md §0.1). */
export function positionsOf(...name: readonly string[]): {
  readonly conditionId: string;
  readonly tokens: readonly [string, string];
} {
  const condition = `${BINARY_MODULE}${digest(name).toString('hex').slice(0, 32)}${'0'.repeat(28)}`;
  const yes = BigInt(`0x${condition}00`);
  return { conditionId: `0x${condition}00`, tokens: [String(yes), String(yes + 1n)] };
}

/** Returns a UUID of RFC 9562, version 8, whose bits may have any meaning. */
export function uuidOf(...name: readonly string[]): string {
  const bytes = digest(name).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Returns a number of `digits` digits. Its first digit is not 0. */
export function numberOf(digits: number, ...name: readonly string[]): number {
  const smallest = 10 ** (digits - 1);
  return smallest + (digest(name).readUIntBE(0, 6) % (9 * smallest));
}

function digest(name: readonly string[]): Buffer {
  return createHash('sha256').update(name.join('\n')).digest();
}
