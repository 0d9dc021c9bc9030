// Prices and sizes of tests, from their decimal text. These functions throw where the program's own would return null.

import { type MicroShares, parseMicroShares, parseTicks, type Ticks } from '../../src/core/domain/numbers.ts';

export function ticks(text: string): Ticks {
  const value = parseTicks(text);
  if (value === null) throw new Error(`${text} is no price`);
  return value;
}

export function micros(text: string): MicroShares {
  const value = parseMicroShares(text);
  if (value === null) throw new Error(`${text} is no size`);
  return value;
}
