// Rows for turns of HTTP load; turns.ts has those for any load.

import { type BenchRow, overRounds } from '../harness.ts';
import type { Turn } from './rig.ts';
import type { Measure } from './turns.ts';

export const requestRateMeasure: Measure = {
  unit: 'requests/s',
  better: 'more',
  of: turn => (1_000 * turn.deliveries) / turn.elapsedMs,
};

/** Processor time of the server's process, all threads. */
export const perRequestMeasure: Measure = {
  unit: 'µs/request',
  better: 'less',
  of: turn => (10 * turn.cpuPercent * turn.elapsedMs) / turn.deliveries,
};

/** The median over turns, without a baseline. */
export function row(name: string, turns: readonly Turn[], { unit, of }: Measure): BenchRow {
  return { name, ...overRounds(turns.map(of)), unit, baseline: '', ratio: null };
}
