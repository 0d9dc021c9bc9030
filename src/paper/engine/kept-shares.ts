// Gives accounts the shares that they held before a restart: a rich account of the house mints the pairs, and keeps the other side.

import { ASK, BID } from '../../core/domain/market.ts';
import type { MicroShares } from '../../core/domain/numbers.ts';
import { assert, type Result } from '../../core/domain/result.ts';
import type { Engine } from './engine.ts';
import type { AccountId, EngineRefusal, HoldingView, MarketId } from './engine-types.ts';

export function giveKeptShares(
  engine: Engine,
  [from, to]: readonly [from: AccountId, to: AccountId],
  market: MarketId,
  { yes, no }: Pick<HoldingView, 'yes' | 'no'>,
): void {
  const pairs = Math.max(yes, no) as MicroShares;
  if (pairs > 0) mustBeDone(engine.mintPair(from, market, pairs));
  if (yes > 0) mustBeDone(engine.giveShares(from, to, market, BID, yes));
  if (no > 0) mustBeDone(engine.giveShares(from, to, market, ASK, no));
}

function mustBeDone(result: Result<void, EngineRefusal>): void {
  assert(result.ok, `kept shares cannot be given: ${result.ok ? '' : result.error}`);
}
