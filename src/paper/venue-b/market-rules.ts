// Rules of a market of venue B for the engine: price grid, minimum size, fees of its series. Thread of the paper
// exchanges.

import { type Grid, isOnGrid } from '../../domain/grid.ts';
import {
  type MicroDollars,
  type MicroShares,
  parseTicks,
  TICKS_PER_CENT,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../domain/numbers.ts';
import { assert } from '../../domain/result.ts';
import type { PriceGrid, VenueBSeries } from '../catalog/listings.ts';
import type { FeeSchedule, MarketSpec } from '../engine/engine-types.ts';
import { fractionOf } from '../fees/fee-math.ts';
import { DIRECT_MEMBER_STEP, VenueBFees } from '../fees/venue-b-fees.ts';

/** Counts have two decimals (venue-b.md §3). */
const SIZE_STEP = 10_000 as MicroShares;

export class MarketRules {
  /** One table for each grid; markets share few of them. */
  readonly #tables = new Map<string, Uint8Array>();

  spec(grid: PriceGrid, series: VenueBSeries): MarketSpec {
    const prices = this.#pricesOf(gridOf(grid));
    return { isOnGrid: price => prices[price] === 1, sizeStep: SIZE_STEP, fees: feesOf(series) };
  }

  #pricesOf(grid: Grid): Uint8Array {
    const key = JSON.stringify(grid);
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = Uint8Array.from({ length: TICKS_PER_DOLLAR }, (_, price) => (isOnGrid(grid, price as Ticks) ? 1 : 0));
      this.#tables.set(key, table);
    }
    return table;
  }
}

function gridOf({ name, ranges }: PriceGrid): Grid {
  return ranges.map(range => {
    const [start, end, step] = [parseTicks(range.start), parseTicks(range.end), parseTicks(range.step)];
    assert(start !== null && end !== null && step !== null && step > 0, `the bands of ${name} are not prices`);
    return { start, end, step };
  });
}

/**
 * The venue reserves the cost of one fill at the limit, so an order must be able to pay that. At whole cents every cost is a multiple of
 * the balance's step, and nothing is rounded. If many small fills, or fills at better prices, cost a little more in fees, the engine takes
 * what is left.
 */
function feesOf({ feeType, feeMultiplier }: VenueBSeries): FeeSchedule {
  const fees = new VenueBFees({
    feeType,
    multiplier: fractionOf(feeMultiplier),
    isWaived: false,
    balanceStep: DIRECT_MEMBER_STEP,
  });
  return {
    most(price, size) {
      const rounding = price % TICKS_PER_CENT === 0 ? DIRECT_MEMBER_STEP - 1 : 0;
      return (fees.mostInOneFill(price, size) - rounding) as MicroDollars;
    },
    meter: side => fees.meter(side),
  };
}
