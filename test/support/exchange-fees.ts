// Fee schedules for tests of a matching engine: no fees, a part of the size, and a schedule with a meter. The meter remembers what an order
// has traded before, as venue B's does.

import { BID, type Side } from '../../src/core/domain/market.ts';
import type { MicroDollars } from '../../src/core/domain/numbers.ts';
import type { FeeSchedule } from '../../src/paper/engine/engine-types.ts';

export const noFees: FeeSchedule = { maxCharge: () => part(0), meter: () => ({ charge: () => part(0) }) };

/** The taker pays a fiftieth of the size to buy and a fortieth to sell; the maker pays a two-hundredth. Each fill's fee is rounded down. */
export const linearFees: FeeSchedule = {
  maxCharge: (_price, size, side) => part(wholes(size, takerDivisor(side))),
  meter: side => ({ charge: (role, _price, size) => part(wholes(size, role === 'taker' ? takerDivisor(side) : 200)) }),
};

function takerDivisor(side: Side): number {
  return side === BID ? 50 : 40;
}

/**
 * The fee is a three-hundredth of all that an order trades, rounded up once for the whole order. Many small fills cost as much as one large
 * fill. Because nobody knows how an order will be filled, the maximum fee rounds up at each hundred micro-shares.
 */
export const rememberingFees: FeeSchedule = {
  maxCharge: (_price, size) => part(wholesUp(size, 100)),
  meter: () => {
    let traded = 0;
    let charged = 0;
    return {
      charge: (_role, _price, size) => {
        traded += size;
        const more = wholesUp(traded, 300) - charged;
        charged += more;
        return part(more);
      },
    };
  },
};

function wholesUp(size: number, divisor: number): number {
  return wholes(size, divisor) + (size % divisor === 0 ? 0 : 1);
}

/** Returns the exact quotient in whole numbers, where a quotient rounded to a double is not exact. */
function wholes(size: number, divisor: number): number {
  return (size - (size % divisor)) / divisor;
}

function part(amount: number): MicroDollars {
  return amount as MicroDollars;
}
