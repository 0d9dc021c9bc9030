// The most that an actor or a pod may lose in a day (beyond §12). A limit counts from a base: the profit of its scope when the day began,
// or when the limit was reset. Once a limit is reached, it stays reached until the day ends or an operator resets it. Pure.

import { DAY_MS, HOUR_MS } from './durations.ts';
import { isObject, parseJson } from './json.ts';
import type { MicroDollars, UnixMillis } from './numbers.ts';
import { exactOf, microDollarsOf } from './position.ts';
import { assert } from './result.ts';

export const lossLimitBounds = {
  /** The interval at which the prices of holdings under a loss limit are read. */
  lossLookMs: 500,
  /** The interval at which changed prices are recorded, 100 bytes for each market held. */
  lossPricesKeptMs: 10_000,
} as const;

/** The events of a loss limit. RENEWED means that a day began, and losses count from its beginning. */
export const LOSS_LIMIT_EVENTS = ['SET', 'REACHED', 'RESET', 'RENEWED', 'ENDED'] as const;

export type LossLimitEvent = (typeof LOSS_LIMIT_EVENTS)[number];

export interface LossTerms {
  /** The loss of a day at which the limit is reached. A limit of 0 is reached at once. */
  readonly lossMax: MicroDollars;
  /** Whether working orders that raise risk are cancelled once the limit is reached. */
  readonly cancels: boolean;
}

export interface LossLimit extends LossTerms {
  /** The id of a pod, or the full id of an actor. */
  readonly scope: string;
  /** The time from which losses count. */
  readonly since: UnixMillis;
  /** The end of the day that contains `since`. */
  readonly until: UnixMillis;
  /** Realized and unrealized profit less fees at `since`, in units of 1e-16 dollars. */
  readonly base: bigint;
  /** When the limit was reached, and with which loss. Null means that the limit is not reached. */
  readonly reached: { readonly at: UnixMillis; readonly loss: MicroDollars } | null;
}

/** Returns the loss since the base; negative after a gain. `profit` has the unit of the base. */
export function lossOf({ base }: LossLimit, profit: bigint): MicroDollars {
  return microDollarsOf(base - profit);
}

/**
 * Returns the limit with its state at `now`: a new day begins with a new base, and a loss may reach the limit. Returns the same object if
 * nothing changes.
 */
export function lossLimitAt(limit: LossLimit, profit: bigint, now: UnixMillis, zone: string): LossLimit {
  if (now >= limit.until) return lossLimitAt(begunAt(limit, profit, now, zone), profit, now, zone);
  // The clock was ahead when the day began, and has been set back: compute the day's end from the present time.
  const until = now < limit.since ? nextDay(now, zone) : limit.until;
  if (until !== limit.until) return lossLimitAt({ ...limit, since: now, until }, profit, now, zone);
  if (limit.reached !== null || limit.base - profit < exactOf(limit.lossMax)) return limit;
  return { ...limit, reached: { at: now, loss: lossOf(limit, profit) } };
}

/** Returns the limit with its base and its day beginning now. */
export function begunAt(
  { scope, lossMax, cancels }: LossTerms & Pick<LossLimit, 'scope'>,
  profit: bigint,
  now: UnixMillis,
  zone: string,
): LossLimit {
  return { scope, lossMax, cancels, since: now, until: nextDay(now, zone), base: profit, reached: null };
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The length that no day of any time zone exceeds. */
const DAY_MS_MAX = DAY_MS + 3 * HOUR_MS;

/** Returns the time at which the next day begins in a time zone such as `Europe/Vienna`. */
export function nextDay(now: UnixMillis, zone: string): UnixMillis {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const today = format.format(now);
  let [same, other] = [Number(now), now + DAY_MS_MAX];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (format.format(middle) === today) same = middle;
    else other = middle;
  }
  return other as UnixMillis;
}

/** Returns the limits as one text, as the ledger stores them. */
export function lossLimitsText(limits: readonly LossLimit[]): string {
  return JSON.stringify(limits.map(limit => ({ ...limit, base: String(limit.base) })));
}

export function lossLimitsOf(text: string): readonly LossLimit[] {
  const rows = parseJson(text);
  assert(Array.isArray(rows) && rows.every(isObject), 'the ledger keeps limits as this program writes them');
  return rows.map(row => ({ ...row, base: BigInt(String(row.base)) }) as unknown as LossLimit);
}
