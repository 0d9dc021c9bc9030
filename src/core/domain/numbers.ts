// Prices, sizes and times as integers. The whole program uses these units; decimal text exists only at the edges (wire/, a venue's
// own files). No float carries money, price or size (contract §1).

/** A price in ticks of $0.0001: 0 … 10 000, of which 1 … 9 999 can trade. */
export type Ticks = number & { readonly unit: 'ticks' };
/** A size in micro-shares (1e-6 of a share or contract), exact up to 2^53. */
export type MicroShares = number & { readonly unit: 'microShares' };
/** Money in micro-dollars ($0.000001), exact up to 2^53. */
export type MicroDollars = number & { readonly unit: 'microDollars' };
/** Unix time in whole milliseconds, UTC; 0 means "not stated by the venue". */
export type UnixMillis = number & { readonly unit: 'unixMillis' };

/** The latest time, 9999-12-31T23:59:59.999Z: later times do not fit the four-digit year format. */
export const TIME_MAX = 253_402_300_799_999 as UnixMillis;

export const TICKS_PER_DOLLAR = 10_000;
/** The number of ticks × micro-shares that make one micro-dollar. */
export const COST_PER_MICRO_DOLLAR = 10_000n;
export const TICKS_PER_CENT = 100;
export const MICROS_PER_SHARE = 1_000_000;
export const MICROS_PER_DOLLAR = 1_000_000;
const PRICE_DECIMALS = 4;
const SIZE_DECIMALS = 6;
const DOLLAR_DECIMALS = 6;
/** The code of the digit 0; the code of a point is lower. */
const DIGIT_0 = 0x30;

/** Returns the price of the other outcome: NO = 1 − YES (contract §1). */
export function complementTicks(ticks: Ticks): Ticks {
  return (TICKS_PER_DOLLAR - ticks) as Ticks;
}

/** Parses a price such as `"0.5300"`. Returns null unless the text is a plain decimal from 0 to 1 with at most 4 significant decimals. */
export function parseTicks(text: string): Ticks | null {
  const value = parseScaled(text, PRICE_DECIMALS);
  return value === null || value > TICKS_PER_DOLLAR ? null : (value as Ticks);
}

/**
 * Parses a size such as `"94084.89"`. Returns null unless the text is a plain decimal with at most 6 significant decimals, below 2^53
 * micros.
 */
export function parseMicroShares(text: string): MicroShares | null {
  return parseScaled(text, SIZE_DECIMALS) as MicroShares | null;
}

/** Returns the canonical text of a price: no trailing zeros, no trailing point (`"0.53"`, `"0"`, `"1"`). */
export function formatTicks(ticks: Ticks): string {
  return formatScaled(ticks, PRICE_DECIMALS);
}

/** Returns the canonical text of a size: no exponent, no trailing zeros (`"24.37"`, `"10"`, `"0"`), `-` before a negative size. */
export function formatMicroShares(micros: MicroShares): string {
  return formatScaled(micros, SIZE_DECIMALS);
}

/** Returns the canonical text of money, in the form of a size (`"-0.5"`). */
export function formatMicroDollars(micros: MicroDollars): string {
  return formatScaled(micros, DOLLAR_DECIMALS);
}

/** Parses a number of milliseconds from outside. Returns null unless the number is whole, after 1970 and not after `TIME_MAX`. */
export function unixMillisOf(millis: number): UnixMillis | null {
  return Number.isInteger(millis) && millis > 0 && millis <= TIME_MAX ? (millis as UnixMillis) : null;
}

/** The pattern stands outside the function, because V8 would otherwise make the pattern anew for each number. */
const DECIMAL = /^\d{1,16}(?:\.\d{1,30})?$/;
const LAST_ZEROS = /0+$/;

/**
 * Parses plain decimal text to an integer scaled by 10^decimals. Venues pad (`"0.530000"`), so zeros beyond the scale are accepted. Any
 * other digit beyond the scale makes the result null: nothing is rounded.
 */
function parseScaled(text: string, decimals: number): number | null {
  if (!DECIMAL.test(text)) return null;
  let scaled = 0;
  let decimalsLeft = decimals;
  let isFraction = false;
  // A loop avoids the half kilobyte of garbage that splitting the text would cost for each number of an order.
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - DIGIT_0;
    if (digit < 0) isFraction = true;
    else if (isFraction && decimalsLeft === 0) {
      if (digit > 0) return null;
    } else {
      scaled = scaled * 10 + digit;
      if (isFraction) decimalsLeft -= 1;
    }
  }
  scaled *= 10 ** decimalsLeft;
  return Number.isSafeInteger(scaled) ? scaled : null;
}

function formatScaled(value: number, decimals: number): string {
  if (value < 0) return `-${formatScaled(-value, decimals)}`;
  const scale = 10 ** decimals;
  const whole = Math.floor(value / scale);
  const fraction = value - whole * scale;
  if (fraction === 0) return String(whole);
  return `${whole}.${String(fraction).padStart(decimals, '0').replace(LAST_ZEROS, '')}`;
}
