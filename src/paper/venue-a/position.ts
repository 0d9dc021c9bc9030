// One wallet's shares of one token: how many, what they cost on average, what sales have brought over their cost (venue-a.md
// §8). Fees are no part of it. Pure.

import type { MicroDollars, MicroShares } from '../../domain/numbers.ts';

export class Position {
  size = 0 as MicroShares;
  /** Σ of what was ever bought. */
  bought = 0 as MicroShares;
  /** What the present size cost. */
  cost = 0 as MicroDollars;
  realizedPnl = 0 as MicroDollars;

  buy(size: MicroShares, paid: MicroDollars): void {
    this.#add(size, paid, 0);
    this.bought = (this.bought + size) as MicroShares;
  }

  /** Returns what the shares sold had cost. */
  sell(size: MicroShares, proceeds: MicroDollars): MicroDollars {
    const cost = partOf(this.cost, size, this.size);
    this.#add(-size, -cost, proceeds - cost);
    return cost;
  }

  /** The purchase did not happen. */
  undoBuy(size: MicroShares, paid: MicroDollars): void {
    this.#add(-size, -paid, 0);
    this.bought = (this.bought - size) as MicroShares;
  }

  /** The sale did not happen; `cost` is what it returned. */
  undoSell(size: MicroShares, proceeds: MicroDollars, cost: MicroDollars): void {
    this.#add(size, cost, cost - proceeds);
  }

  /**
   * A sale between a purchase and its undoing has taken an average that is no longer true: no shares cost nothing, none cost
   * less than nothing, and the difference was made or lost.
   */
  #add(moreShares: number, moreCost: number, pnl: number): void {
    const [sizeNow, costNow] = [this.size + moreShares, this.cost + moreCost];
    const excess = sizeNow === 0 ? costNow : Math.min(costNow, 0);
    this.size = sizeNow as MicroShares;
    this.cost = (costNow - excess) as MicroDollars;
    this.realizedPnl = (this.realizedPnl + pnl - excess) as MicroDollars;
  }
}

/** ⌊whole × part ÷ of⌋, exactly: the product passes 2^53. */
function partOf(whole: MicroDollars, part: MicroShares, of: MicroShares): MicroDollars {
  return Number((BigInt(whole) * BigInt(part)) / BigInt(of)) as MicroDollars;
}
