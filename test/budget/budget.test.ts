// The work of one order stays below its ceilings. `npm run budget -- --lower` lowers them.

import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import { faultsOf, readCeilings } from './ceilings.ts';
import { measureBudgets, SIZES } from './measure.ts';
import { OPERATIONS } from './operations.ts';

it('each operation costs no more than its ceilings allow', { timeout: 1_200_000 }, async () => {
  const measured = await measureBudgets(OPERATIONS, SIZES, () => {}, NO_LIMITS);
  expect(faultsOf(measured, readCeilings())).toEqual([]);
});
