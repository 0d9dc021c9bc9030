// The payout of a venue B market, by its own description (venue-b.md §4.2). The account's list of settlements may lack a market in which
// the account holds nothing on balance. Engine thread.

import { isObject, type JsonObject } from '../../../domain/json.ts';
import { MICROS_PER_DOLLAR, TICKS_PER_DOLLAR, type Ticks } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { moneyOf } from './amounts.ts';
import type { VenueBRest } from './rest.ts';

const YES_WINS = TICKS_PER_DOLLAR as Ticks;
const NO_WINS = 0 as Ticks;
/** Before this status the venue may still amend a result. */
const HAS_PAID: readonly unknown[] = ['finalized', 'settled'];

/** Null: not paid, or the venue states no amount, or no longer knows the market. */
export async function payoutOf(rest: VenueBRest, ticker: string): Promise<Result<Ticks | null, string>> {
  const answer = await rest.read(`/markets/${encodeURIComponent(ticker)}`, rest.soon());
  if (answer.type === 'unavailable') return fail(answer.message);
  const market = answer.type === 'body' ? answer.body.market : null;
  return ok(isObject(market) && market.ticker === ticker ? paidBy(market) : null);
}

function paidBy({ status, result, settlement_value_dollars }: JsonObject): Ticks | null {
  if (!HAS_PAID.includes(status)) return null;
  return binaryValueOf(result) ?? partValueOf(settlement_value_dollars);
}

/** What one YES pays; null for any other result. */
export function binaryValueOf(result: unknown): Ticks | null {
  return result === 'yes' ? YES_WINS : result === 'no' ? NO_WINS : null;
}

const MICROS_PER_TICK = MICROS_PER_DOLLAR / TICKS_PER_DOLLAR;

/**
 * What one YES pays of a dollar, with up to six decimals (venue-b.md §3). A third is no whole number of ticks: the nearest tick is taken.
 */
export function partValueOf(dollars: unknown): Ticks | null {
  const value = moneyOf(dollars);
  return value === null || value > MICROS_PER_DOLLAR ? null : (Math.round(value / MICROS_PER_TICK) as Ticks);
}
