// One wallet's shares of one token: size, average cost, realised profit of sales (venue-a.md §8), without fees. Pure.

import type { MicroDollars, MicroShares } from '../../domain/numbers.ts';

export class Position {
  size = 0 as MicroShares;
  /** Σ of all purchases. */
  bought = 0 as MicroShares;
  /** Cost of the present size. */
  cost = 0 as MicroDollars;
  realizedPnl = 0 as MicroDollars;

  buy(size: MicroShares, paid: MicroDollars): void {
    this.#add(size, paid, 0);
    this.bought = (this.bought + size) as MicroShares;
  }

  /** Returns the cost of the sold shares. */
  sell(size: MicroShares, proceeds: MicroDollars): MicroDollars {
    const cost = partOf(this.cost, size, this.size);
    this.#add(-size, -cost, proceeds - cost);
    return cost;
  }

  /** Reverts a purchase that failed. */
  undoBuy(size: MicroShares, paid: MicroDollars): void {
    this.#add(-size, -paid, 0);
    this.bought = (this.bought - size) as MicroShares;
  }

  /** Reverts a sale that failed; `cost` is the result of that sale. */
  undoSell(size: MicroShares, proceeds: MicroDollars, cost: MicroDollars): void {
    this.#add(size, cost, cost - proceeds);
  }

  /**
   * A sale between a purchase and its reversal used an average that is no longer valid. No shares have no cost, no cost is
   * negative; the difference counts as profit or loss.
   */
  #add(moreShares: number, moreCost: number, pnl: number): void {
    const [sizeNow, costNow] = [this.size + moreShares, this.cost + moreCost];
    const excess = sizeNow === 0 ? costNow : Math.min(costNow, 0);
    this.size = sizeNow as MicroShares;
    this.cost = (costNow - excess) as MicroDollars;
    this.realizedPnl = (this.realizedPnl + pnl - excess) as MicroDollars;
  }
}

/** ⌊whole × part ÷ of⌋, exact: the product exceeds 2^53. */
function partOf(whole: MicroDollars, part: MicroShares, of: MicroShares): MicroDollars {
  return Number((BigInt(whole) * BigInt(part)) / BigInt(of)) as MicroDollars;
}
