// Decimal text as an integer, by big integers: the twin of every reader of prices and sizes.

/** Null: no plain decimal text, more decimals than are kept, or not below 2^53. */
export function naiveScaled(text: unknown, decimals: number): number | null {
  const [, whole, fraction = ''] = (typeof text === 'string' && /^(\d+)(?:\.(\d+))?$/.exec(text)) || [];
  if (whole === undefined || /[^0]/.test(fraction.slice(decimals))) return null;
  const scaled = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return scaled <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(scaled) : null;
}

/** With a minus sign before it, perhaps. */
export function naiveSigned(text: unknown, decimals: number): number | null {
  const isNegative = typeof text === 'string' && text.startsWith('-');
  const size = naiveScaled(isNegative ? text.slice(1) : text, decimals);
  return size === null ? null : isNegative ? 0 - size : size;
}

/** For a price between two ticks: the nearest that can be traded at; null for anything else. */
export function naiveNearestTick(text: unknown): number | null {
  // A number below a millionth.
  if (typeof text === 'string' && /^\d(?:\.\d+)?e-\d+$/.test(text)) return 1;
  const [, decimals = ''] = (typeof text === 'string' && /^0?\.(\d+)$/.exec(text)) || [];
  if (!/[1-9]/.test(decimals)) return null;
  const tenths = BigInt(decimals.padEnd(5, '0').slice(0, 5));
  return Math.min(Math.max(Number((tenths + 5n) / 10n), 1), 9_999);
}
