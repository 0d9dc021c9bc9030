// Derives the NO book from the YES book; it is never stored (contract §8). A YES ask at p is a NO bid at one dollar less p, of the same
// size. A YES bid becomes a NO ask in the same way.

import type { Level } from '../../core/domain/market.ts';
import { complementTicks } from '../../core/domain/numbers.ts';

export interface Sides {
  /** The best level comes first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export function deriveNo(yes: Sides): Sides {
  return { bids: yes.asks.map(mirrored), asks: yes.bids.map(mirrored) };
}

function mirrored(level: Level): Level {
  return { price: complementTicks(level.price), size: level.size };
}
