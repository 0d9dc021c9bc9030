// What rows say of turns of HTTP load, beside what turns.ts says of any load.

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

/** The median over turns that nothing is compared with. */
export function row(name: string, turns: readonly Turn[], { unit, of }: Measure): BenchRow {
  return { name, ...overRounds(turns.map(of)), unit, baseline: '', ratio: null };
}
