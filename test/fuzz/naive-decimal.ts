// Decimal text as an integer, by big integers: the twin of every reader of prices and sizes.

/** Returns the scaled integer. Null means that the text is not a plain decimal, has too many decimals, or is not below 2^53. */
export function naiveScaled(text: unknown, decimals: number): number | null {
  const [, whole, fraction = ''] = (typeof text === 'string' && /^(\d+)(?:\.(\d+))?$/.exec(text)) || [];
  if (whole === undefined || /[^0]/.test(fraction.slice(decimals))) return null;
  const scaled = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return scaled <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(scaled) : null;
}

/** Returns the scaled integer of a text that may have a minus sign. */
export function naiveSigned(text: unknown, decimals: number): number | null {
  const isNegative = typeof text === 'string' && text.startsWith('-');
  const size = naiveScaled(isNegative ? text.slice(1) : text, decimals);
  return size === null ? null : isNegative ? 0 - size : size;
}

/** Returns the nearest tradable tick for a price between two ticks, or null for any other value. */
export function naiveNearestTick(text: unknown): number | null {
  // The number is below a millionth.
  if (typeof text === 'string' && /^\d(?:\.\d+)?e-\d+$/.test(text)) return 1;
  const [, decimals = ''] = (typeof text === 'string' && /^0?\.(\d+)$/.exec(text)) || [];
  if (!/[1-9]/.test(decimals)) return null;
  const tenths = BigInt(decimals.padEnd(5, '0').slice(0, 5));
  return Math.min(Math.max(Number((tenths + 5n) / 10n), 1), 9_999);
}
