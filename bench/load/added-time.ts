// How much longer one path of orders takes than the venue's own round trip, and the rows for this time. In each round one caller has used both
// paths in turns.

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

/** Returns the added time of each round, in microseconds. `straight` is the direct path to the same venue. */
export function added(rounds: readonly OneCallerAnswer[], way: string, fraction: number, straight = 'venue'): number[] {
  const direct = roundTrips(rounds, straight, fraction);
  return roundTrips(rounds, way, fraction).map((us, round) => us - direct[round]!);
}

/** Makes the row, whose ratio compares whole round trips. `baseline` is the name of the venue's path. */
export function addedRow(
  name: string,
  rounds: readonly OneCallerAnswer[],
  { way, fraction, baseline }: { readonly way: string; readonly fraction: number; readonly baseline: string },
): BenchRow {
  const direct = roundTrips(rounds, 'venue', fraction);
  const ratio = timesLess(roundTrips(rounds, way, fraction), direct);
  return { ...row(name, added(rounds, way, fraction), 'µs'), baseline, ratio };
}
