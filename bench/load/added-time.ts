// What a way of orders takes longer than the venue's own round trip, by rounds in which one caller has asked both in turns, and the
// rows of it.

import { type BenchRow, median, overRounds, percentile } from '../harness.ts';
import type { OneCallerAnswer } from './order-messages.ts';

export const PERCENTILES = [
  ['p50', 0.5],
  ['p99', 0.99],
] as const;

/** Of each round, in microseconds. */
export function roundTrips(rounds: readonly OneCallerAnswer[], way: string, fraction: number): number[] {
  return rounds.map(({ us }) => percentile(us[way]!, fraction));
}

/** Of each round, in microseconds. `straight`: the way to the same venue that is no gateway's. */
export function added(rounds: readonly OneCallerAnswer[], way: string, fraction: number, straight = 'venue'): number[] {
  const direct = roundTrips(rounds, straight, fraction);
  return roundTrips(rounds, way, fraction).map((us, round) => us - direct[round]!);
}

/** Its ratio is of the whole round trips. `baseline`: the venue's, in words. */
export function addedRow(
  name: string,
  rounds: readonly OneCallerAnswer[],
  { way, fraction, baseline }: { readonly way: string; readonly fraction: number; readonly baseline: string },
): BenchRow {
  const direct = roundTrips(rounds, 'venue', fraction);
  const ratio = median(roundTrips(rounds, way, fraction).map((us, round) => direct[round]! / us));
  return { ...usRow(name, added(rounds, way, fraction)), baseline, ratio };
}

export function usRow(name: string, rounds: readonly number[]): BenchRow {
  return { name, ...overRounds(rounds), unit: 'µs', baseline: '', ratio: null };
}
