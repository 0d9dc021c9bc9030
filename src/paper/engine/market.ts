// One market: its rules, state, book, holders, and the collateral pot that pays them.

import type { MicroShares } from '../../domain/numbers.ts';
import { type Account, Holding } from './accounts.ts';
import type { MarketId, MarketSpec, MarketState } from './engine-types.ts';
import { OrderBook } from './order-book.ts';

/** Shared by all settled markets: no order ever enters it. */
const EMPTY_BOOK = new OrderBook(-1 as MarketId);

export class Market {
  readonly id: MarketId;
  readonly spec: MarketSpec;
  book: OrderBook;
  /** By account; empty until that account trades here. */
  readonly holdings: (Holding | undefined)[] = [];
  state: MarketState = 'OPEN';
  /** Number of pairs, a dollar each: Σ YES = Σ NO = pot. */
  pot = 0 as MicroShares;

  constructor(id: MarketId, spec: MarketSpec) {
    this.id = id;
    this.spec = spec;
    this.book = new OrderBook(id);
  }

  /** Frees the memory of a settled market, which no longer has orders or holders: an exchange lists games for months. */
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
