// One market: its rules, its state, its book, who holds its shares, and the collateral pot that will pay for them.

import type { MicroShares } from '../../domain/numbers.ts';
import { type Account, Holding } from './accounts.ts';
import type { MarketId, MarketSpec, MarketState } from './engine-types.ts';
import { OrderBook } from './order-book.ts';

/** Of all settled markets: no order ever enters it. */
const EMPTY_BOOK = new OrderBook(-1 as MarketId);

export class Market {
  readonly id: MarketId;
  readonly spec: MarketSpec;
  book: OrderBook;
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

  /** It is settled: nothing can rest or be held here any more. An exchange lists games for months, and keeps little of each. */
  clear(): void {
    this.book = EMPTY_BOOK;
    this.holdings.length = 0;
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
