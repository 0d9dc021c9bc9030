// Finds the account of a call at venue B: the caller's primary account, the named subaccount, or the only one that the key may use
// (venue-b.md §2). Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Owner } from '../records.ts';
import { errorOf, OTHER_SUBACCOUNT, type VenueBError } from './errors.ts';
import type { Caller, SignedCall } from './route.ts';

/** `named`: the subaccount; null if the request names none. */
export function ownerOf({ userId, subaccount: only }: Caller, named: number | null): Result<Owner, VenueBError> {
  if (named === null) return ok({ userId, subaccount: only ?? 0 });
  if (!Number.isInteger(named) || named < 0 || named >= limits.paperSubaccountsMax) {
    return fail(errorOf(400, 'invalid_subaccount'));
  }
  return only === null || only === named ? ok({ userId, subaccount: named }) : fail(OTHER_SUBACCOUNT);
}

/** Subaccount of a body; the checks of the body handle a value that is no number. */
export function subaccountIn({ subaccount }: JsonObject): number | null {
  return typeof subaccount === 'number' ? subaccount : null;
}

/** For calls that mean all subaccounts unless one is named. */
export function ownersOf(exchange: VenueBExchange, { caller, query, owner }: SignedCall): readonly Owner[] {
  return caller.subaccount === null && !query.has('subaccount') ? allOwnersOf(exchange, caller.userId) : [owner];
}

export function allOwnersOf(exchange: VenueBExchange, userId: string): readonly Owner[] {
  const [primary, ...others] = exchange.subaccounts(userId);
  const numbers = primary === 0 ? [primary, ...others] : [0, ...exchange.subaccounts(userId)];
  return numbers.map(subaccount => ({ userId, subaccount }));
}

export function hasSubaccount(exchange: VenueBExchange, userId: string, subaccount: number): boolean {
  return subaccount === 0 || exchange.subaccounts(userId).includes(subaccount);
}
