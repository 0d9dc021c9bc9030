// Hundreds of seeded schedules of the whole life of orders against a venue where everything goes wrong that can (issue: exactly
// once). `SIM_SCHEDULES` says how many, `SIM_SEED` from which on; a failing one prints its seed, and `SIM_SCHEDULES=1` runs it alone.
// It is shrunk to few of its happenings: `SIM_HAPPENINGS` plays it with these alone.

import { expect, it } from 'vitest';
import { PROTECTION_EVENTS } from '../../src/core/domain/protection.ts';
import { type Coverage, failureOf, simulate } from './simulation.ts';

/** The happenings to play. Null means all happenings. */
const HAPPENINGS = process.env.SIM_HAPPENINGS?.split(',').map(Number) ?? null;
const SCHEDULES = HAPPENINGS === null ? Number(process.env.SIM_SCHEDULES ?? 500) : 1;
/** The most milliseconds per schedule on a slow machine. */
const MS_PER_SCHEDULE_MAX = 250;
const FIRST_SEED = Number(process.env.SIM_SEED ?? 1);

/** The transitions of contract §4.5, all of them. */
const TRANSITIONS = [
  'PENDING → SUBMITTED',
  'PENDING → REJECTED',
  'PENDING → CANCELLED',
  'SUBMITTED → OPEN',
  'SUBMITTED → FILLED',
  'SUBMITTED → CANCELLED',
  'SUBMITTED → REJECTED',
  'OPEN → FILLED',
  'OPEN → CANCELLED',
  'FILLED → OPEN',
  'FILLED → CANCELLED',
  'CANCELLED → FILLED',
  'REJECTED → CANCELLED',
  'REJECTED → FILLED',
  'REJECTED → PENDING',
];

/** An order that was taken for ended, as after a power cut, had traded. This is too rare to be expected. */
const RARE = 'CANCELLED → FILLED';

/** The states of an order that replaces another. */
const REPLACED = ['OPEN', 'FILLED', 'CANCELLED', 'REJECTED'];

it('every order exactly once, over all faults', {
  timeout: 600_000 + SCHEDULES * MS_PER_SCHEDULE_MAX,
}, async () => {
  const coverage: Coverage = new Map();
  let orders = 0;
  let seed = FIRST_SEED;
  // An error outside all promises would end the run without its seed.
  process.on('uncaughtExceptionMonitor', () => console.error(`SIM_SEED=${seed} SIM_SCHEDULES=1`));
  for (; seed < FIRST_SEED + SCHEDULES; seed += 1) {
    const outcome = await simulate(seed, coverage, HAPPENINGS && new Set(HAPPENINGS));
    orders += outcome.orders;
    const failure = await failureOf(seed, outcome);
    if (failure !== null) expect.fail(failure);
  }
  const table = [...coverage].sort().map(([what, times]) => `${String(times).padStart(9)}  ${what}`);
  console.log(`${SCHEDULES} schedules from seed ${FIRST_SEED}, ${orders} orders at the venue\n${table.join('\n')}`);
  const visited = [...coverage.keys()].filter(what => what.includes(' → '));
  expect(visited.filter(what => !TRANSITIONS.includes(what))).toEqual([]);
  const protections = [...PROTECTION_EVENTS.map(event => `protection ${event}`), 'group triggered'];
  if (SCHEDULES >= 1_000) expect(protections.filter(what => !coverage.has(what))).toEqual([]);
  const replaces = [...REPLACED.map(status => `replace ${status}`), 'killed in a replace', 'killed in a batch'];
  if (SCHEDULES >= 1_000) expect(replaces.filter(what => !coverage.has(what))).toEqual([]);
  const outside = [
    'by hand: accepted',
    'market closed',
    'redeemed',
    'cancel-all',
    'transferred',
    'payout amended',
    'a fraction closed',
    'redeem of itself CONFIRMED',
  ];
  if (SCHEDULES >= 1_000) expect(outside.filter(what => !coverage.has(what))).toEqual([]);
  if (SCHEDULES >= 1_000) expect(coverage.has('spell: hanging syncs')).toBe(true);
  if (SCHEDULES >= 1_000)
    expect(['loss limit REACHED', 'refused for a loss'].filter(what => !coverage.has(what))).toEqual([]);
  const refused = [
    ...['notionalMax', 'sizeMax', 'openOrdersMax', 'positionMax', 'collar', 'orderRateMax', 'collarWithoutBook'],
    ...['exposureMax', 'podExposureMax', 'cancelRateMax'],
  ].map(limit => `refused for ${limit}`);
  if (SCHEDULES >= 1_000) expect(refused.filter(what => !coverage.has(what))).toEqual([]);
  const expected = TRANSITIONS.filter(what => what !== RARE);
  if (SCHEDULES >= 1_000) expect(expected.filter(what => !visited.includes(what))).toEqual([]);
});
