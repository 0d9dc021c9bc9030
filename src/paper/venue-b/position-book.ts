// Positions by owner, and by market their holders; a settlement pays those of a market. Thread of the paper exchanges.

import type { MarketId } from '../engine/engine-types.ts';
import type { VenueBMarket } from './market.ts';
import { Position } from './position.ts';
import type { OwnerAccount } from './venue-b-order.ts';

export class PositionBook {
  readonly #holders = new Map<MarketId, OwnerAccount[]>();

  of(account: OwnerAccount, market: VenueBMarket): Position {
    let position = account.positions.get(market.id);
    if (position === undefined) {
      position = new Position(account.owner, market);
      account.positions.set(market.id, position);
      const others = this.#holders.get(market.id);
      if (others === undefined) this.#holders.set(market.id, [account]);
      else others.push(account);
    }
    return position;
  }

  /** Its holders keep their positions in the last such markets. */
  forget(market: VenueBMarket): void {
    for (const account of this.holders(market)) account.leave(market.id);
    this.#holders.delete(market.id);
  }

  /** Accounts with a position in the market, by its first fill. */
  holders(market: VenueBMarket): readonly OwnerAccount[] {
    return this.#holders.get(market.id) ?? [];
  }
}
