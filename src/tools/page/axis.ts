// Puts the ladders of one outcome on one axis of prices, with a row for each price and a cell for each venue. Pure.

import type { Level } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';

interface Sides {
  /** The state of the book. If any ladder is live, only live ladders set the best prices. */
  readonly state: string;
  /** The bids and asks, best level first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

interface Cell {
  readonly side: 'bid' | 'ask';
  readonly size: MicroShares;
}

export interface AxisRow {
  readonly price: Ticks;
  /** The cells in the order of the ladders. Null means that nothing rests there. */
  readonly cells: readonly (Cell | null)[];
}

interface Axis {
  /**
   * `above` has the rows above the spread, with the nearest row last. `below` has the rows below the spread, with the nearest row first.
   */
  readonly above: readonly AxisRow[];
  readonly below: readonly AxisRow[];
  readonly bid: Ticks | undefined;
  readonly ask: Ticks | undefined;
}

/**
 * `rowsMax` is the largest number of rows on each side of the spread. If the venues cross each other, the spread is negative, and stands in
 * their middle.
 */
export function axisOf(ladders: readonly Sides[], rowsMax: number): Axis {
  const live = ladders.filter(({ state }) => state === 'LIVE');
  const decisive = live.length === 0 ? ladders : live;
  const bid = bestOf(decisive.flatMap(({ bids: [best] }) => best?.price ?? []).toSorted((one, other) => other - one));
  const ask = bestOf(decisive.flatMap(({ asks: [best] }) => best?.price ?? []).toSorted((one, other) => one - other));
  const rows = rowsOf(ladders);
  const isAbove = ({ price }: AxisRow): boolean => (ask === undefined ? false : 2 * price > ask + (bid ?? 0));
  return {
    above: rows.filter(isAbove).slice(-rowsMax),
    below: rows.filter(row => !isAbove(row)).slice(0, rowsMax),
    bid: live.length === 0 ? undefined : bid,
    ask: live.length === 0 ? undefined : ask,
  };
}

function bestOf([first]: readonly Ticks[]): Ticks | undefined {
  return first;
}

/** The rows in descending order of their prices. */
function rowsOf(ladders: readonly Sides[]): readonly AxisRow[] {
  const rows = new Map<Ticks, (Cell | null)[]>();
  const put = (at: number, side: Cell['side'], { price, size }: Level): void => {
    const cells = rows.get(price) ?? ladders.map(() => null);
    cells[at] = { side, size };
    rows.set(price, cells);
  };
  for (const [at, { bids, asks }] of ladders.entries()) {
    for (const level of bids) put(at, 'bid', level);
    for (const level of asks) put(at, 'ask', level);
  }
  return [...rows].map(([price, cells]) => ({ price, cells })).toSorted((one, other) => other.price - one.price);
}
