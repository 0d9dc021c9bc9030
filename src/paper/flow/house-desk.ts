// What the market flow may do at a paper exchange: quote and take on the exchange's own accounts, through the same engine as
// every caller, so that callers see it on books and tapes. Prices and sides are those of YES (of the first token).

import type { Level, Side } from '../../domain/market.ts';
import type { MicroShares, Ticks } from '../../domain/numbers.ts';
import type { PricedBy } from '../catalog/listings.ts';
import type { OrderId } from '../engine/engine-types.ts';

export interface HouseMarket {
  /** Ticker or condition id. */
  readonly address: string;
  readonly pricedBy: PricedBy;
  /** Whether an order may carry this price. */
  isOnGrid(price: Ticks): boolean;
  /** Whether it takes orders now. */
  isOpen(): boolean;
}

export interface HouseDesk {
  readonly markets: readonly HouseMarket[];
  best(market: HouseMarket, side: Side): Level | null;
  /** Best first. */
  levels(market: HouseMarket, side: Side): Iterable<Level>;
  /**
   * `rest` rests what does not match; `take` cancels it. Null if the engine refuses, or nothing rests. The house has as many
   * accounts as it needs: its orders never meet their own.
   */
  place(market: HouseMarket, side: Side, price: Ticks, size: MicroShares, kind: 'rest' | 'take'): OrderId | null;
  /** Harmless if the order is done. */
  cancel(order: OrderId): void;
  /** Null of an order that is done. */
  resting(order: OrderId): MicroShares | null;
}
