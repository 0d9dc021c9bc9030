// The NO book, derived from the YES book and never stored (contract §8): a NO bid is a YES ask seen from the other side,
// at one dollar less its price, with the same size; and the other way round.

import type { Level } from '../domain/market.ts';
import { complementTicks } from '../domain/numbers.ts';

export interface Sides {
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export function deriveNo(yes: Sides): Sides {
  return { bids: yes.asks.map(mirrored), asks: yes.bids.map(mirrored) };
}

function mirrored(level: Level): Level {
  return { price: complementTicks(level.price), size: level.size };
}
