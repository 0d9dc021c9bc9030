// Ids of trades, transactions and heartbeats at venue A, drawn from the seed of the exchange. Pure.

import type { Random } from '../../runtime/random.ts';

/** A UUID of version 4. Joined: a text made by `+` keeps all of its parts in memory. */
export function uuid(random: Random): string {
  const hex = random.hex(32);
  const variant = '89ab'[random.below(4)]!;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** `0x` and 64 hex digits. */
export function hash32(random: Random): string {
  return ['0x', random.hex(64)].join('');
}
