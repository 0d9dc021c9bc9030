// The former owner of a pod, stopped at every happening, killed, or unaware, and the one that takes over: seeded, in virtual time.
// `TAKE_OVER_SCHEDULES` says how many, `SIM_SEED` from which on, `TAKE_OVER_EACH=1` stops it before each happening.

import { expect, it } from 'vitest';
import type { Coverage } from './simulation.ts';
import { simulateTakeOver } from './take-over.ts';

const SCHEDULES = Number(process.env.TAKE_OVER_SCHEDULES ?? 60);
const FIRST_SEED = Number(process.env.SIM_SEED ?? 1);
/** The happenings of the first owner at which it is stopped, each in a schedule of its own. */
const HAPPENINGS = 400;
/** The step between these happenings, ten by default. */
const EACH = Number(process.env.TAKE_OVER_EACH ?? 10);
const LONG = { timeout: 600_000 };

it(
  'a former owner sends nothing whose intent is not in the stream, and no order is lost or doubled',
  LONG,
  async () => {
    const coverage: Coverage = new Map();
    let orders = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed += 1) {
      const outcome = await simulateTakeOver(seed, coverage);
      orders += outcome.orders;
      expect(outcome.faults, `SIM_SEED=${seed} TAKE_OVER_SCHEDULES=1`).toEqual([]);
    }
    report(`${SCHEDULES} schedules from seed ${FIRST_SEED}, ${orders} orders`, coverage);
    if (SCHEDULES < 60) return;
    for (const what of ['stopped', 'killed', 'none']) expect(coverage.get(`taken over: ${what}`)).toBeGreaterThan(0);
    expect(coverage.get('ownership ended')).toBeGreaterThan(0);
  },
);

it('the same holds if the owner is stopped before any one of its happenings', LONG, async () => {
  const coverage: Coverage = new Map();
  for (let happening = 1; happening <= HAPPENINGS; happening += EACH) {
    const outcome = await simulateTakeOver(FIRST_SEED, coverage, happening);
    expect(outcome.faults, `happening ${happening} of SIM_SEED=${FIRST_SEED}`).toEqual([]);
  }
  report(`stopped before every ${EACH}. of ${HAPPENINGS} happenings`, coverage);
});

function report(what: string, coverage: Coverage): void {
  const rows = [...coverage].sort().map(([name, times]) => `${String(times).padStart(9)}  ${name}`);
  console.log(`${what}\n${rows.join('\n')}`);
}
