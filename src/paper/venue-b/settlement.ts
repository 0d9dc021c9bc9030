// Records of a settlement: positions, their costs, and their payouts. The engine moves the money. Thread of the paper exchanges.

import type { MicroDollars, MicroShares, UnixMillis } from '../../domain/numbers.ts';
import type { Journal } from './journal.ts';
import type { MarketResult, VenueBMarket } from './market.ts';
import type { PositionBook } from './position-book.ts';

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
    account.settlements.push({
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
    });
  }
}
