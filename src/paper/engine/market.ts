// One market: its rules, its state, its book, who holds its shares, and the collateral pot that will pay for them.

import type { MicroShares } from '../../domain/numbers.ts';
import { type Account, Holding } from './accounts.ts';
import type { MarketId, MarketSpec, MarketState } from './engine-types.ts';
import { OrderBook } from './order-book.ts';

export class Market {
  readonly id: MarketId;
  readonly spec: MarketSpec;
  readonly book: OrderBook;
  /** By account; a place is empty until that account trades here. */
  readonly holdings: (Holding | undefined)[] = [];
  state: MarketState = 'OPEN';
  /** The pairs there are, a dollar for each: Σ YES = Σ NO = pot. */
  pot = 0 as MicroShares;

  constructor(id: MarketId, spec: MarketSpec) {
    this.id = id;
    this.spec = spec;
    this.book = new OrderBook(id);
  }

  holdingOf(account: Account): Holding {
    let holding = this.holdings[account.id];
    if (holding === undefined) {
      holding = new Holding();
      this.holdings[account.id] = holding;
    }
    return holding;
  }
}
