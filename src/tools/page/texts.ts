// Numbers and times as the page writes them. Pure.

import {
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../core/domain/numbers.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const MICROS_PER_TICK = MICROS_PER_DOLLAR / TICKS_PER_DOLLAR;

/** An age or a duration in its two largest units; `ms` milliseconds. */
export function ageText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < MINUTE_S) return `${s} s`;
  if (s < HOUR_S) return `${Math.floor(s / MINUTE_S)} min ${s % MINUTE_S} s`;
  if (s < DAY_S) return `${Math.floor(s / HOUR_S)} h ${Math.floor((s % HOUR_S) / MINUTE_S)} min`;
  return `${Math.floor(s / DAY_S)} d ${Math.floor((s % DAY_S) / HOUR_S)} h`;
}

/** Microseconds, in the unit in which it has few digits. */
export function durationText(us: number | null): string {
  if (us === null) return '–';
  if (us < 1_000) return `${Math.round(us)} µs`;
  return us < 1_000_000 ? `${Math.round(us / 100) / 10} ms` : `${Math.round(us / 100_000) / 10} s`;
}

/** Time of day, UTC, of an ISO-8601 text. */
export function clockText(iso: string): string {
  return iso.slice(11, 23);
}

/** A size by its whole shares where it is large: the ladder is for the eye. */
export function sizeText(size: MicroShares): string {
  if (size < 10_000 * MICROS_PER_SHARE) return formatMicroShares(size);
  return Math.round(size / MICROS_PER_SHARE).toLocaleString('en');
}

/** A venue as people write it, of either spelling. */
export function venueText(venue: string): string {
  return venue.toLowerCase().replace('_', ' ');
}

/** Dollars as the gateway writes them, perhaps negative. */
export function dollarsText(dollars: string): string {
  return dollars.startsWith('-') ? `-$${dollars.slice(1)}` : `$${dollars}`;
}

/** The payout of shares of resolved markets, by the worth of each share. Nobody has the money before they are redeemed. Empty if there are no such shares. */
export function redeemableText(worths: readonly string[]): string {
  const waiting = worths.map(worth => parseMicroShares(worth) ?? 0).filter(micros => micros > 0);
  if (waiting.length === 0) return '';
  const sum = waiting.reduce<number>((total, micros) => total + micros, 0) as MicroDollars;
  return `${waiting.length} can be redeemed for ${dollarsText(formatMicroDollars(sum))}`;
}

/** Dollars as the gateway writes them, perhaps negative, in cents to a hundredth. */
export function dollarsInCents(dollars: string): string {
  const micros = parseMicroShares(dollars.replace('-', '')) ?? 0;
  const cents = centsText(Math.round(micros / MICROS_PER_TICK) as Ticks);
  return dollars.startsWith('-') ? `-${cents}` : cents;
}

/** A price in cents. */
export function centsText(price: Ticks | undefined): string {
  if (price === undefined) return '–';
  return `${formatTicks((price * 100) as Ticks)}¢`;
}

/** Long names by their ends. */
export function shortText(text: string, lengthMax = 18): string {
  if (text.length <= lengthMax) return text;
  const half = Math.floor((lengthMax - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
