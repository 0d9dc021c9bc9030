// The work of one order stays below its ceilings. `npm run budget -- --lower` lowers them.

import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import { THREADS } from '../../src/threads.ts';
import { faultsOf, readCeilings } from './ceilings.ts';
import { measureBudgets, SIZES } from './measure.ts';
import { EVERY_LIMIT, OPERATIONS } from './operations.ts';

/** The part of an order's calls that all limits of its actor add: they are all made by the engine's thread. */
const LIMITS_SHARE_MAX = 0.03;
/** Two runs of the same code differ by up to so many calls of the engine. The checks of all limits make some 40 calls; they once made 71. */
const NOISE_CALLS = 20;
const ORDER = OPERATIONS[0]!;

it('each operation costs no more than its ceilings allow', { timeout: 1_200_000 }, async () => {
  const measured = await measureBudgets(OPERATIONS, SIZES, () => {}, NO_LIMITS);
  expect(faultsOf(measured, readCeilings())).toEqual([]);
});

it('all limits of an actor add at most 3 % to the calls of an order', { timeout: 600_000 }, async () => {
  const callsWith = async (limits: typeof NO_LIMITS) => {
    const budget = (await measureBudgets([ORDER], SIZES, () => {}, limits))[ORDER.name]!;
    return { engine: budget[THREADS.engine.name]!.calls, all: budget.together!.calls };
  };
  const [without, limited] = [await callsWith(NO_LIMITS), await callsWith(EVERY_LIMIT)];
  expect(limited.engine - without.engine).toBeLessThanOrEqual(LIMITS_SHARE_MAX * without.all + NOISE_CALLS);
});
