// Rows of venue A's trades for tests: whole rows, and rows with the parties that a test names.

import { isObject } from '../../../../src/core/domain/json.ts';
import { readTrade, type Trade, type Wanted } from '../../../../src/venues/venue-a/trading/trades.ts';

/** Returns the trade of a row. Throws if the row has no readable id or status. */
export function tradeIn(row: unknown): Trade {
  const trade = readTrade(row);
  if (trade.type === 'unread') throw new Error(`no trade: ${isObject(row) ? JSON.stringify(row) : String(row)}`);
  return trade;
}

export function partiesThat(is: Wanted['is']): Wanted {
  return { is, mayBe: () => false };
}

export const EVERYBODY = partiesThat(() => true);
