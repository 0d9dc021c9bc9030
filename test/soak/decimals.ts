// Converts decimal text to integers of millionths, for the audit. It shares no code with the product's own reader, so that a mistake there cannot
// hide.

/** Converts `-12.5` to -12500000n. Throws for anything finer than a millionth, and for a text that is not a decimal. */
export function micros(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`${text} is no decimal`);
  const [, sign, whole = '', decimals = ''] = match;
  const kept = decimals.replace(/0+$/, '');
  if (kept.length > 6) throw new Error(`${text} is finer than a millionth`);
  const value = BigInt(whole) * 1_000_000n + BigInt(kept.padEnd(6, '0'));
  return sign === '-' ? -value : value;
}

export function total(values: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const value of values) sum += value;
  return sum;
}
