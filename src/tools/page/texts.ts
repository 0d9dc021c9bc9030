// Numbers and times as the page shows them. Pure.

import {
  formatMicroDollars,
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  TICKS_PER_CENT,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../core/domain/numbers.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const MICROS_PER_TICK = MICROS_PER_DOLLAR / TICKS_PER_DOLLAR;

/** An age or a duration in its two largest units. `ms` is in milliseconds. */
export function ageText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < MINUTE_S) return `${s} s`;
  if (s < HOUR_S) return `${Math.floor(s / MINUTE_S)} min ${s % MINUTE_S} s`;
  if (s < DAY_S) return `${Math.floor(s / HOUR_S)} h ${Math.floor((s % HOUR_S) / MINUTE_S)} min`;
  return `${Math.floor(s / DAY_S)} d ${Math.floor((s % DAY_S) / HOUR_S)} h`;
}

/** A duration in microseconds, in the unit in which it has few digits. */
export function durationText(us: number | null): string {
  if (us === null) return '–';
  if (us < 1_000) return `${Math.round(us)} µs`;
  return us < 1_000_000 ? `${Math.round(us / 100) / 10} ms` : `${Math.round(us / 100_000) / 10} s`;
}

/** The time of day (UTC) of an ISO-8601 text. */
export function clockText(iso: string): string {
  return iso.slice(11, 23);
}

/** The number formats by their number of decimals. A tick is a hundredth of a cent. */
const FIXED = [0, 1, 2].map(
  digits => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const HUNDREDTHS = FIXED[2]!;

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** The day and time (UTC) of an ISO-8601 text, such as `29 Nov 18:00`. */
export function dayText(iso: string): string {
  return DAY.format(new Date(iso)).replace(',', '');
}

/** A size. All sizes have the same number of decimals, so that a column of sizes can be compared. */
export function sizeText(size: MicroShares): string {
  return HUNDREDTHS.format(size / MICROS_PER_SHARE);
}

/** A size from the gateway's text, which may be negative. */
export function sharesText(size: string): string {
  return HUNDREDTHS.format(Number(size));
}

/** The shares ahead of an order as a range. The range is null for an order that does not rest. */
export function aheadText(range: { readonly low: string; readonly high: string | null } | null | undefined): string {
  if (range == null) return '–';
  const { low, high } = range;
  if (high === null) return 'unknown';
  return low === high ? sharesText(low) : `${sharesText(low)}–${sharesText(high)}`;
}

/** Dollars from the gateway's text, which may be negative, rounded to a cent. */
export function dollarsText(dollars: string): string {
  const text = HUNDREDTHS.format(Math.abs(Number(dollars)));
  return dollars.startsWith('-') && text !== '0.00' ? `-$${text}` : `$${text}`;
}

/** The decimals of a price in cents on a grid. `step` is the step of the grid in dollars. */
export function centDecimals(step: string): number {
  return Math.min(2, Math.max(0, (step.split('.')[1]?.length ?? 0) - 2));
}

/**
 * The payout of shares of resolved markets, by the worth of each share. No account has the money before the shares are redeemed. Empty if
 * there are no such shares.
 */
export function redeemableText(worths: readonly string[]): string {
  const waiting = worths.map(worth => parseMicroShares(worth) ?? 0).filter(micros => micros > 0);
  if (waiting.length === 0) return '';
  const sum = waiting.reduce<number>((total, micros) => total + micros, 0) as MicroDollars;
  return `${waiting.length} can be redeemed for ${dollarsText(formatMicroDollars(sum))}`;
}

/** The millionths in a decimal of the gateway, which may be negative. */
export function signedMicros(text: string): number {
  const micros = parseMicroShares(text.replace('-', '')) ?? 0;
  return text.startsWith('-') ? -micros : micros;
}

/** Dollars from the gateway's text, which may be negative, in cents to a hundredth. */
export function dollarsInCents(dollars: string): string {
  return centsText(Math.round(signedMicros(dollars) / MICROS_PER_TICK) as Ticks, 2);
}

/** A price in cents, with as many decimals as all prices beside it. */
export function centsText(price: Ticks | undefined, decimals: number): string {
  return price === undefined ? '–' : `${FIXED[decimals]!.format(price / TICKS_PER_CENT)}¢`;
}

/** Shortens a long name to its two ends. */
export function shortText(text: string, lengthMax = 18): string {
  if (text.length <= lengthMax) return text;
  const half = Math.floor((lengthMax - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
