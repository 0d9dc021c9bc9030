// How much longer one path of orders takes than the venue's own round trip. In each round one caller has asked both in turns. Makes
// the rows for it.

import { type BenchRow, percentile, row, timesLess } from '../harness.ts';
import type { OneCallerAnswer } from './order-messages.ts';

export const PERCENTILES = [
  ['p50', 0.5],
  ['p99', 0.99],
] as const;

/** Returns the round trips of each round, in microseconds. */
export function roundTrips(rounds: readonly OneCallerAnswer[], way: string, fraction: number): number[] {
  return rounds.map(({ us }) => percentile(us[way]!, fraction));
}

/** For each round, in microseconds. `straight`: the direct path to the same venue. */
export function added(rounds: readonly OneCallerAnswer[], way: string, fraction: number, straight = 'venue'): number[] {
  const direct = roundTrips(rounds, straight, fraction);
  return roundTrips(rounds, way, fraction).map((us, round) => us - direct[round]!);
}

/** Its ratio compares whole round trips. `baseline`: names the venue's. */
export function addedRow(
  name: string,
  rounds: readonly OneCallerAnswer[],
  { way, fraction, baseline }: { readonly way: string; readonly fraction: number; readonly baseline: string },
): BenchRow {
  const direct = roundTrips(rounds, 'venue', fraction);
  const ratio = timesLess(roundTrips(rounds, way, fraction), direct);
  return { ...row(name, added(rounds, way, fraction), 'µs'), baseline, ratio };
}
