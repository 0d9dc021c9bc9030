// An operation belongs to one thread: to the first thread that claims it.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { Claims } from '../../../src/orders/engine/claims.ts';

it('an operation is taken once', () => {
  const claims = new Claims();
  const [one, two] = [claims.offer(), claims.offer()];
  expect([claims.isOffered(one), claims.take(one), claims.take(one), claims.isOffered(one)]).toEqual([
    ...[true, true, false, false],
  ]);
  expect([claims.isOffered(two), claims.take(two)]).toEqual([true, true]);
});

it('an operation that is not claimed keeps its place, however many come after it', () => {
  const claims = new Claims();
  const kept = claims.offer();
  const later = Array.from({ length: 2 * limits.engineClaimsMax }, () => {
    const number = claims.offer();
    expect(claims.take(number)).toBe(true);
    return number;
  });
  expect(new Set(later).size).toBe(later.length);
  expect(claims.take(kept)).toBe(true);
});

it('operations beyond engineClaimsMax are refused', () => {
  const claims = new Claims();
  for (let count = 0; count < limits.engineClaimsMax; count++) claims.offer();
  expect(() => claims.offer()).toThrow('engineClaimsMax');
});

it('two threads that want the same operations share them', async () => {
  const claims = new Claims();
  const worker = new Worker(new URL('./claiming-worker.ts', import.meta.url), { workerData: claims.memory });
  await once(worker, 'online');
  let [ours, theirs] = [0, 0];
  // The loop goes on as long as one of the two threads was never first.
  for (let round = 0; round < 1_000 && (round < 10 || ours === 0 || theirs === 0); round++) {
    const numbers = Array.from({ length: 10_000 }, () => claims.offer());
    const answered = once(worker, 'message');
    worker.postMessage(numbers);
    const taken = numbers.toReversed().filter(number => claims.take(number));
    const [takenThere] = (await answered) as [readonly number[]];
    expect([...taken, ...takenThere].sort((one, other) => one - other)).toEqual(numbers);
    ours += taken.length;
    theirs += takenThere.length;
  }
  expect(ours).toBeGreaterThan(0);
  expect(theirs).toBeGreaterThan(0);
  await worker.terminate();
});
