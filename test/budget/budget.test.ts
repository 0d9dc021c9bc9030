// The work of one order stays below its ceilings. `npm run budget -- --lower` lowers them.

import { expect, it } from 'vitest';
import { type ActorLimits, NO_LIMITS } from '../../src/core/domain/identity.ts';
import { THREADS } from '../../src/threads.ts';
import { faultsOf, readCeilings } from './ceilings.ts';
import { measureBudgets, measureShares, SIZES, TOGETHER } from './measure.ts';
import { EVERY_LIMIT, OPERATIONS } from './operations.ts';

/** The part of an order's calls that all limits of its actor add: they are all made by the engine's thread. */
const LIMITS_SHARE_MAX = 0.03;
/** A function whose calls of an order are further from a whole number is called by time, such as those that sign requests ahead. */
const WHOLE = 0.05;
/** An order on a busy machine wakes the thread up to so many calls more often. The checks of all limits make 37 calls; they once made 71. */
const NOISE_CALLS = 12;
const ORDER = OPERATIONS[0]!;

it('each operation costs no more than its ceilings allow', { timeout: 1_200_000 }, async () => {
  const measured = await measureBudgets(OPERATIONS, SIZES, () => {}, NO_LIMITS);
  expect(faultsOf(measured, readCeilings())).toEqual([]);
});

it('all limits of an actor add at most 3 % to the calls of an order', { timeout: 600_000 }, async () => {
  const callsWith = async (limits: ActorLimits) =>
    (await measureShares(ORDER, THREADS.engine.name, SIZES, () => {}, limits)).calls;
  const [without, limited] = [await callsWith(NO_LIMITS), await callsWith(EVERY_LIMIT)];
  const isWhole = (calls: number): boolean => Math.abs(calls - Math.round(calls)) <= WHOLE;
  const added = [...new Set([...without.keys(), ...limited.keys()])]
    .map(it => [without.get(it) ?? 0, limited.get(it) ?? 0] as const)
    .filter(calls => calls.every(isWhole))
    .reduce((sum, [before, after]) => sum + Math.round(after) - Math.round(before), 0);
  expect(added).toBeGreaterThan(0);
  expect(added).toBeLessThanOrEqual(LIMITS_SHARE_MAX * readCeilings()[ORDER.name]![TOGETHER]!.calls! + NOISE_CALLS);
});
