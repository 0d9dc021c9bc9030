// Which thread gets a task, by what each of them has already.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { balanceOf } from '../../src/threads/pool-balance.ts';

const [FEW, FULL] = [limits.operationsTogetherMax, limits.poolTasksPerWorkerMax];

/** The place of the thread that is chosen. */
function chosen(name: 'verify' | 'operate', usages: readonly number[], cores: number): number | null {
  const threads = usages.map((currentUsage, id) => ({ currentUsage, id }));
  return balanceOf(usages.length, cores)({ name }, threads)?.id ?? null;
}

it.each([
  ['a check goes to whoever has least', 'verify', [3, 1, 2], 2, 1],
  ['an operation does, where each thread has a core', 'operate', [3, 1, 2], 4, 1],
  ['the first of equals gets it', 'verify', [0, 0], 2, 0],
  ['operations stay together where cores are shared', 'operate', [1, 3], 2, 1],
  ['until that thread has many', 'operate', [1, FEW], 2, 0],
  ['and go to whoever has least when all have many', 'operate', [FEW + 1, FEW], 2, 1],
  ['a single thread gets everything', 'operate', [FEW + 1], 1, 0],
  ['nobody has room', 'operate', [FULL, FULL], 2, null],
  ['nobody is there', 'verify', [], 2, null],
] as const)('%s', (_, name, usages, cores, place) => {
  expect(chosen(name, usages, cores)).toBe(place);
});

it('each is closed once, the busiest, too; and then one that has taken a place', () => {
  const choose = balanceOf(2, 2);
  const threads = [
    { id: 4, currentUsage: FULL },
    { id: 7, currentUsage: 0 },
  ];
  const closed = Array.from({ length: 3 }, () => choose({ name: 'close' }, threads)?.id ?? null);
  expect(closed).toEqual([4, 7, null]);
  expect(choose({ name: 'close' }, [...threads, { id: 9, currentUsage: 0 }])?.id).toBe(9);
});
