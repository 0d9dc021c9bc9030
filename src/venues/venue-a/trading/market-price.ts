// The limit of a market order that its sender has not limited (contract §4.1): the level of the book at which what is asked for is
// there, counted from the best. Pure.

import type { Level } from '../../../domain/market.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, type Ticks } from '../../../domain/numbers.ts';

/** What can be taken: the asks for a buyer, the bids for a seller, best first. */
export type Depth = readonly Level[];

export interface Reach {
  /** The worst level that is needed, or the worst that there is. */
  readonly price: Ticks;
  /** Whether all of it is there. */
  readonly isEnough: boolean;
}

/** Null of a side without a level. */
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
