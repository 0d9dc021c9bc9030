// Operations of the market flow at a paper exchange. It quotes and takes on the exchange's own accounts, through the same engine as
// callers. So callers see its orders on books and tapes. Prices and sides are those of YES (of the first token).

import type { Level, Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import type { PricedBy } from '../catalog/listings.ts';
import type { OrderId } from '../engine/engine-types.ts';

export interface HouseMarket {
  /** The ticker or condition id. */
  readonly address: string;
  readonly pricedBy: PricedBy;
  /** Whether an order may have this price. */
  isOnGrid(price: Ticks): boolean;
  /** Whether the market takes orders now. */
  isOpen(): boolean;
}

export interface HouseDesk {
  readonly markets: readonly HouseMarket[];
  best(market: HouseMarket, side: Side): Level | null;
  /** Levels, best first. */
  levels(market: HouseMarket, side: Side): Iterable<Level>;
  /**
   * `rest` keeps the unmatched part in the book; `take` cancels it. Null if the engine refuses, or if nothing rests. The house has enough
   * accounts to avoid matches with itself.
   */
  place(market: HouseMarket, side: Side, price: Ticks, size: MicroShares, kind: 'rest' | 'take'): OrderId | null;
  /** Cancels an order; does nothing if the order has ended. */
  cancel(order: OrderId): void;
  /** Null for an order that has ended. */
  resting(order: OrderId): MicroShares | null;
}
