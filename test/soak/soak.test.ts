// A short soak of the real processes (issue: exactly once). `npm run soak` has no hurry, and waits until every order is decided.

import { expect, it } from 'vitest';
import { soak } from './soak.ts';

const SEED = Number(process.env.SOAK_SEED ?? 1);

it('every order exactly once, through all kills', { timeout: 600_000 }, async () => {
  const { faults } = await soak({ seed: SEED, orders: 200, kills: 2, isPatient: false, settleMs: 45_000 });
  expect(faults, `SOAK_SEED=${SEED}`).toEqual([]);
});
