// A failing schedule of the simulation shrinks to the happenings that it needs to fail.

import { expect, it } from 'vitest';
import { shrunk } from './shrink.ts';
import { type Coverage, failureOf, shrink, simulate } from './simulation.ts';

const SEEDS = 40;

it('leaves out what is not needed, wherever it is', async () => {
  const happened = Array.from({ length: 200 }, (_, number) => 3 * number);
  const needed = [9, 303, 306, 540];
  const replay = async (kept: ReadonlySet<number>) =>
    needed.every(number => kept.has(number)) ? [...kept].sort((one, other) => one - other) : null;
  expect(await shrunk(happened, replay, 500)).toEqual(needed);
});

it('goes on with what has happened, also where that is less than was kept', async () => {
  const replay = async (kept: ReadonlySet<number>) => (kept.has(2) ? [2] : null);
  expect(await shrunk([1, 2, 3, 4], replay, 500)).toEqual([2]);
});

it('keeps all where everything is needed, and ends where it may play no more', async () => {
  let plays = 0;
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  const replay = async (kept: ReadonlySet<number>) => {
    plays += 1;
    return kept.size === all.length ? all : null;
  };
  expect(await shrunk(all, replay, 500)).toEqual(all);
  const needed = plays;
  plays = 0;
  expect(await shrunk(all, replay, 5)).toEqual(all);
  expect([needed > 5, plays]).toEqual([true, 5]);
});

it('a whole schedule shrinks to few happenings, with which it plays the same again', {
  timeout: 120_000,
}, async () => {
  // A triggered dead man's switch needs few happenings. A lost record needs most of them, because they decide which record is lost.
  const triggered = (coverage: Coverage): boolean => coverage.has('protection TRIGGERED');
  const triggering: { readonly seed: number; readonly happened: readonly number[] }[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const coverage: Coverage = new Map();
    const { happened, faults } = await simulate(seed, coverage);
    expect(faults).toEqual([]);
    if (triggered(coverage)) triggering.push({ seed, happened });
  }
  // The shortest schedule shrinks in the fewest plays.
  const [shortest] = triggering.toSorted((one, other) => one.happened.length - other.happened.length);
  if (shortest === undefined) return expect.fail('no protection has triggered');
  const { seed, happened } = shortest;
  const few = await shrink(seed, happened, (_faults, again) => triggered(again));
  expect(few.length).toBeLessThan(happened.length / 2);
  const again: Coverage = new Map();
  const replayed = await simulate(seed, again, new Set(few));
  expect([triggered(again), replayed.happened]).toEqual([true, few]);
});

it('a failing schedule says how to play it again, and one that succeeds says nothing', async () => {
  const outcome = await simulate(1, new Map());
  expect(await failureOf(1, outcome)).toBeNull();
  const words = await failureOf(1, { ...outcome, faults: ['order 0123456789ab is at the venue 2 times'] });
  expect(words?.split('\n').slice(0, 2)).toEqual([
    'SIM_SEED=1 SIM_SCHEDULES=1',
    'order 0123456789ab is at the venue 2 times',
  ]);
});
