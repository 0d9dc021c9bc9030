// The holding of one owner in one market, as lots by their time of purchase, and with one average cost. Its cash moves as the cash at the
// venue does. Amounts are in ticks × micro-shares (1e-10 dollars), and exact. Pure.

import type { Venue } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR, type UnixMillis } from '../../core/domain/numbers.ts';

/** A change of a holding. Positive changes are YES at venue B, and the token at venue A. */
export interface Movement {
  readonly at: UnixMillis;
  readonly change: bigint;
  /** The cash that the movement pays, if it does not follow from the price. Null means that it follows from the price. */
  readonly cash: bigint | null;
  /** The price of a unit of the address in ticks. At venue B it is the price of YES. */
  readonly addressPrice: bigint;
}

/** The units that were bought at one time. */
export interface Lot {
  readonly openedAt: UnixMillis;
  /** The units, with the sign of the holding. */
  readonly units: bigint;
  readonly cost: bigint;
}

export interface ClosedLot extends Lot {
  /** The lot's share of the whole holding's cost. */
  readonly averageCost: bigint;
  readonly proceeds: bigint;
}

const DOLLAR = BigInt(TICKS_PER_DOLLAR);

export class Holding {
  readonly #venue: Venue;
  #size = 0n;
  #cost = 0n;
  #cash = 0n;
  #lots: Lot[] = [];

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  get size(): bigint {
    return this.#size;
  }

  /** The cash that all movements have paid, fees excluded. */
  get cash(): bigint {
    return this.#cash;
  }

  /** The lots that are held, each with its average cost. */
  held(): readonly Omit<ClosedLot, 'proceeds'>[] {
    return this.#lots.map(lot => ({ ...lot, averageCost: shareOf(this.#cost, lot.units, this.#size) }));
  }

  /**
   * Applies a movement. It closes the holding first, and opens a holding with the rest. If `cash` is given and anything is closed, the cash
   * belongs to the closing.
   */
  move({ at, change, cash, addressPrice: price }: Movement): {
    readonly cash: bigint;
    readonly closed: readonly ClosedLot[];
  } {
    const isClosing = this.#size !== 0n && this.#size > 0n !== change > 0n;
    const closing = !isClosing ? 0n : magnitude(change) < magnitude(this.#size) ? -change : this.#size;
    const opening = change + closing;
    const paysOpening = opening !== 0n && closing === 0n;
    const proceeds = cash === null ? this.#worthOf(closing, price) : paysOpening ? 0n : cash;
    const cost = cash === null ? this.#worthOf(opening, price) : paysOpening ? -cash : 0n;
    const closed = this.#close(closing, proceeds);
    if (opening !== 0n) this.#lots.push({ openedAt: at, units: opening, cost });
    this.#size += change;
    this.#cost += cost;
    this.#cash += proceeds - cost;
    return { cash: proceeds - cost, closed };
  }

  /** The worth of units, which have the sign of the holding. A negative holding is NO at venue B, and a debt at venue A. */
  #worthOf(units: bigint, price: bigint): bigint {
    return this.#venue === 'venue_b' && units < 0n ? -units * (DOLLAR - price) : units * price;
  }

  #close(units: bigint, proceeds: bigint): readonly ClosedLot[] {
    const closed: ClosedLot[] = [];
    let [left, paid] = [units, proceeds];
    while (left !== 0n) {
      const lot = this.#lots.shift()!;
      const taken = magnitude(lot.units) < magnitude(left) ? lot.units : left;
      const part: ClosedLot = {
        openedAt: lot.openedAt,
        units: taken,
        cost: shareOf(lot.cost, taken, lot.units),
        averageCost: shareOf(this.#cost, taken, this.#size - (units - left)),
        proceeds: shareOf(paid, taken, left),
      };
      if (taken !== lot.units) this.#lots.unshift({ ...lot, units: lot.units - taken, cost: lot.cost - part.cost });
      this.#cost -= part.averageCost;
      left -= taken;
      paid -= part.proceeds;
      closed.push(part);
    }
    return closed;
  }
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** A part of an amount, rounded down. The remainder stays with what is left, so that nothing is lost. */
function shareOf(amount: bigint, part: bigint, whole: bigint): bigint {
  return (amount * part) / whole;
}
