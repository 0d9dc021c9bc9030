// The limit of a market order without one (contract §4.1): the level at which the book, counted from its best, holds the requested
// amount. Pure.

import type { Level } from '../../../domain/market.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, type Ticks } from '../../../domain/numbers.ts';

/** What the order can take: asks for a buyer, bids for a seller, best first. */
export type Depth = readonly Level[];

export interface Reach {
  /** The worst level that is needed, or the worst one of the book. */
  readonly price: Ticks;
  /** Whether the book holds the whole amount. */
  readonly isEnough: boolean;
}

/** Null if the side has no level. */
export function reachOfDollars(depth: Depth, dollars: MicroDollars): Reach | null {
  const wanted = BigInt(dollars) * COST_PER_MICRO_DOLLAR;
  return reach(depth, wanted, ({ price, size }) => BigInt(price) * BigInt(size));
}

export function reachOfShares(depth: Depth, shares: MicroShares): Reach | null {
  return reach(depth, BigInt(shares), ({ size }) => BigInt(size));
}

function reach(depth: Depth, wanted: bigint, worth: (level: Level) => bigint): Reach | null {
  let found = 0n;
  for (const level of depth) {
    found += worth(level);
    if (found >= wanted) return { price: level.price, isEnough: true };
  }
  const worst = depth.at(-1);
  return worst === undefined ? null : { price: worst.price, isEnough: false };
}
