// The work of one order stays below its ceilings. `npm run budget -- --lower` lowers them.

import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import { THREADS } from '../../src/threads.ts';
import { faultsOf, readCeilings } from './ceilings.ts';
import { measureBudgets, SIZES } from './measure.ts';
import { EVERY_LIMIT, OPERATIONS } from './operations.ts';

/** Calls of the engine's thread that all limits of an actor add to an order. */
const LIMITS_CALLS_MAX = 80;
const ORDER = OPERATIONS[0]!;

it('each operation costs no more than its ceilings allow', { timeout: 1_200_000 }, async () => {
  const measured = await measureBudgets(OPERATIONS, SIZES, () => {}, NO_LIMITS);
  expect(faultsOf(measured, readCeilings())).toEqual([]);
});

it('all limits of an actor add few calls to an order', { timeout: 600_000 }, async () => {
  const engineCalls = async (limits: typeof NO_LIMITS): Promise<number> => {
    const measured = await measureBudgets([ORDER], SIZES, () => {}, limits);
    return measured[ORDER.name]![THREADS.engine.name]!.calls;
  };
  const without = await engineCalls(NO_LIMITS);
  expect((await engineCalls(EVERY_LIMIT)) - without).toBeLessThanOrEqual(LIMITS_CALLS_MAX);
});
