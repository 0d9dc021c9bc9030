// What a market of venue B has paid, by its own description (venue-b.md §4.2): the account's list of settlements may have no row of one
// in which the account as a whole holds nothing. Executions thread.

import { isObject, type JsonObject } from '../../../domain/json.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { priceOf } from './amounts.ts';
import type { VenueBRest } from './rest.ts';

const YES_WINS = TICKS_PER_DOLLAR as Ticks;
const NO_WINS = 0 as Ticks;
/** Before that a result may be amended still. */
const HAS_PAID: readonly unknown[] = ['finalized', 'settled'];

/** Null: it has not, or the venue does not say how much, or does not know it any more. */
export async function payoutOf(rest: VenueBRest, ticker: string): Promise<Result<Ticks | null, string>> {
  const answer = await rest.read(`/markets/${encodeURIComponent(ticker)}`, rest.soon());
  if (answer.type === 'unavailable') return fail(answer.message);
  const market = answer.type === 'body' ? answer.body.market : null;
  return ok(isObject(market) && market.ticker === ticker ? paidBy(market) : null);
}

function paidBy({ status, result, settlement_value_dollars }: JsonObject): Ticks | null {
  if (!HAS_PAID.includes(status)) return null;
  return binaryValueOf(result) ?? priceOf(settlement_value_dollars);
}

/** What one YES pays; null of any other result. */
export function binaryValueOf(result: unknown): Ticks | null {
  return result === 'yes' ? YES_WINS : result === 'no' ? NO_WINS : null;
}
