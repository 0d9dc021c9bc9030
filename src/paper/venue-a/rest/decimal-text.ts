// Money and prices between ticks as venue A writes them, and times. Edge of the paper exchanges: inside all are integers.

import {
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';

/** Half a tick in millionths of a dollar. */
const HALF_TICK_MICROS = 50;

/** `"9.6"`: dollars and shares have six decimals both. */
export function dollarsText(amount: MicroDollars): string {
  return formatMicroShares(amount as number as MicroShares);
}

/** The middle of two prices, of which this is the sum: `"0.535"`. */
export function middleText(sum: Ticks): string {
  return dollarsText((sum * HALF_TICK_MICROS) as MicroDollars);
}

/** Seconds as text: `"1790000000"`. */
export function secondsText(at: UnixMillis): string {
  return String(secondsOf(at));
}

export function secondsOf(at: UnixMillis): number {
  return Math.floor(at / 1_000);
}

/** A time such as `2026-05-08T20:00:00Z`. */
export function isoText(at: UnixMillis): string {
  return `${new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`;
}
