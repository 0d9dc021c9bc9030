// Alternates turns of load on two paths, so that a busy neighbour slows both alike, and makes their rows. A figure is
// the median over the turns; a ratio is the median over pairs that ran side by side.

import { type BenchRow, overRounds, row, timesLess } from '../harness.ts';
import type { Turn } from './rig.ts';

export interface Turns {
  readonly ours: readonly Turn[];
  readonly baseline: readonly Turn[];
  /** Name of the baseline. */
  readonly words: string;
}

export async function alternateTurns(
  rounds: number,
  words: string,
  ours: () => Promise<Turn>,
  baseline: () => Promise<Turn>,
): Promise<Turns> {
  const turns: { ours: Turn[]; baseline: Turn[]; words: string } = { ours: [], baseline: [], words };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 1) turns.baseline.push(await baseline());
    turns.ours.push(await ours());
    if (round % 2 === 0) turns.baseline.push(await baseline());
  }
  return turns;
}

/** The measure of a turn that a row shows. `better` is the direction of the ratio. */
export interface Measure {
  readonly unit: string;
  readonly better: 'less' | 'more';
  of(turn: Turn): number;
}

export function percentileMeasure(fraction: number): Measure {
  return { unit: 'µs', better: 'less', of: turn => turn.latencies.percentileUs(fraction) };
}

export const maxMeasure: Measure = { unit: 'µs', better: 'less', of: turn => turn.latencies.maxUs };
export const cpuMeasure: Measure = { unit: '% of a core', better: 'less', of: turn => turn.cpuPercent };
export const rateMeasure: Measure = {
  unit: 'deliveries/s',
  better: 'more',
  of: turn => (1_000 * turn.deliveries) / turn.elapsedMs,
};

export const requestRateMeasure: Measure = { ...rateMeasure, unit: 'requests/s' };
/** The processor time of the server's process, of all threads. */
export const perRequestMeasure: Measure = {
  unit: 'µs/request',
  better: 'less',
  of: turn => (10 * turn.cpuPercent * turn.elapsedMs) / turn.deliveries,
};

/** Makes a row of our figure with its ratio, and a row of the baseline's figure. */
export function rowPair(
  name: string,
  baselineName: string,
  { ours, baseline, words }: Turns,
  measure: Measure,
): BenchRow[] {
  const { unit, better } = measure;
  const own = ours.map(turn => measure.of(turn));
  const other = baseline.map(turn => measure.of(turn));
  const ratio = better === 'less' ? timesLess(own, other) : timesLess(other, own);
  return [{ name, ...overRounds(own), unit, baseline: words, ratio }, row(baselineName, other, unit)];
}

/** Makes a row of the median over turns, without a baseline. */
export function turnsRow(name: string, turns: readonly Turn[], { unit, of }: Measure): BenchRow {
  return row(name, turns.map(of), unit);
}

export function lostRow(name: string, { ours }: Turns): BenchRow {
  const value = ours.reduce((sum, turn) => sum + turn.lost, 0);
  return row(name, value, 'deliveries');
}
