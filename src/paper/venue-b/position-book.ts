// Positions by owner, and by market their holders; a settlement records their payouts, while the engine moves the money. Thread of the paper
// exchanges.

import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { MarketId } from '../engine/engine-types.ts';
import type { Journal } from './journal.ts';
import type { MarketResult, VenueBMarket } from './market.ts';
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

  /** The holders keep their positions in the last such markets. */
  forget(market: VenueBMarket): void {
    for (const account of this.holders(market)) account.leave(market.id);
    this.#holders.delete(market.id);
  }

  /** Accounts with a position in the market, by its first fill. */
  holders(market: VenueBMarket): readonly OwnerAccount[] {
    return this.#holders.get(market.id) ?? [];
  }
}

const NO_SHARES = 0 as MicroShares;
const NO_MONEY = 0 as MicroDollars;

interface Outcome extends MarketResult {
  readonly settledAt: UnixMillis;
}

export function settlePositions(
  positions: PositionBook,
  market: VenueBMarket,
  outcome: Outcome,
  journal: Journal,
): void {
  const { result, yesValue, settledAt } = outcome;
  for (const account of positions.holders(market)) {
    const position = positions.of(account, market);
    const { size, exposure, fees } = position;
    const revenue = position.settle(yesValue);
    journal.touchPosition(account, position);
    if (size === 0) continue;
    const isYes = size > 0;
    const settlement = {
      owner: account.owner,
      market,
      result,
      yesValue,
      yesCount: isYes ? size : NO_SHARES,
      yesCost: isYes ? exposure : NO_MONEY,
      noCount: isYes ? NO_SHARES : (-size as MicroShares),
      noCost: isYes ? NO_MONEY : exposure,
      revenue,
      fees,
      settledAt,
    };
    account.settlements.push(settlement);
    journal.settled(settlement);
  }
}
