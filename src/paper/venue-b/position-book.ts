// Positions by owner and by market; a settlement pays those of a market. Thread of the paper exchanges.

import type { MarketId } from '../engine/engine-types.ts';
import type { VenueBMarket } from './market.ts';
import type { OwnerAccount } from './owners.ts';
import { Position } from './position.ts';

export class PositionBook {
  readonly #byMarket = new Map<MarketId, Position[]>();

  of(account: OwnerAccount, market: VenueBMarket): Position {
    let position = account.positions.get(market.id);
    if (position === undefined) {
      position = new Position(account, market);
      account.positions.set(market.id, position);
      const others = this.#byMarket.get(market.id);
      if (others === undefined) this.#byMarket.set(market.id, [position]);
      else others.push(position);
    }
    return position;
  }

  /** Its owners keep their positions in the last such markets. */
  forget(market: VenueBMarket): void {
    for (const { account } of this.in(market)) account.leave(market.id);
    this.#byMarket.delete(market.id);
  }

  in(market: VenueBMarket): readonly Position[] {
    return this.#byMarket.get(market.id) ?? [];
  }
}
