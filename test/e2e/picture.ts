// A book as one line of text, for comparison and for sets.

import type { Level } from '../../src/core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks } from '../../src/core/domain/numbers.ts';

/** A book with the best level of each side first. */
export interface PicturedBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export function pictureOf({ bids, asks }: PicturedBook): string {
  return `${rowOf(bids)} | ${rowOf(asks)}`;
}

/** Levels of a side in a map, best first. */
export function levelsOf(sizes: ReadonlyMap<number, number>, side: 'bid' | 'ask'): Level[] {
  return [...sizes]
    .filter(([, size]) => size !== 0)
    .sort(([a], [b]) => (side === 'bid' ? b - a : a - b))
    .map(([price, size]) => ({ price: price as Ticks, size: size as MicroShares }));
}

/** Returns the levels of a side, as the other outcome prices them. */
export function mirrored(levels: readonly Level[]): Level[] {
  return levels.map(({ price, size }) => ({ price: complementTicks(price), size }));
}

function rowOf(levels: readonly Level[]): string {
  return levels.map(({ price, size }) => `${price}:${size}`).join(' ');
}
