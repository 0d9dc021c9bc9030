// Converts a probability to the two prices of a quote, from floats to ticks of the market's grid. Pure.

import { TICKS_PER_DOLLAR, type Ticks } from '../../domain/numbers.ts';

/** A side is null without a price left on the grid: no bid is below the lowest. */
export interface Quote {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
}

type IsOnGrid = (price: Ticks) => boolean;

/** The nearest price of the grid at `from` or beyond it in direction `step`; null if there is none. */
export function priceAt(isOnGrid: IsOnGrid, from: number, step: 1 | -1): Ticks | null {
  const start = step === 1 ? Math.ceil(from) : Math.floor(from);
  for (let ticks = start; ticks > 0 && ticks < TICKS_PER_DOLLAR; ticks += step) {
    if (isOnGrid(ticks as Ticks)) return ticks as Ticks;
  }
  return null;
}

/** Makers keep this distance even if prices are finer than a cent. */
const WIDTH_MIN = 50;

/** The tightest quote around a value, `wider` steps wider; the first step goes to the side of `widerFirst`. */
export function quoteAround(isOnGrid: IsOnGrid, fair: number, wider: number, widerFirst: 'bid' | 'ask'): Quote {
  let bid = priceAt(isOnGrid, fair, -1);
  let ask = priceAt(isOnGrid, bid === null ? 1 : bid + 1, 1);
  if (bid !== null && ask !== null && ask - bid < WIDTH_MIN) {
    bid = priceAt(isOnGrid, fair - WIDTH_MIN / 2, -1);
    ask = priceAt(isOnGrid, fair + WIDTH_MIN / 2, 1);
  }
  for (let step = 0; step < wider; step += 1) {
    const widensBid = (step % 2 === 0) === (widerFirst === 'bid');
    if (widensBid && bid !== null) bid = priceAt(isOnGrid, bid - 1, -1);
    if (!widensBid && ask !== null) ask = priceAt(isOnGrid, ask + 1, 1);
  }
  return { bid, ask };
}
