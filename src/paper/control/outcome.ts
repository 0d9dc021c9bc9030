// The results of the control API's operations, and the accounts that they open. Pure.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import { fail, type Result } from '../../core/domain/result.ts';

/** Default opening balance: $10 000. */
export const OPENING_BALANCE = 10_000_000_000 as MicroDollars;

/** A negative amount withdraws. */
export interface Deposit {
  readonly subaccount: number;
  readonly shard: number;
  readonly amount: MicroDollars;
}

/** Why nothing was done: an HTTP status, and `field: rule`. */
interface Refusal {
  readonly status: 400 | 404 | 409;
  readonly error: string;
}

export type Outcome<T> = Result<T, Refusal>;

export function refused(status: Refusal['status'], error: string): { readonly ok: false; readonly error: Refusal } {
  return fail({ status, error });
}
