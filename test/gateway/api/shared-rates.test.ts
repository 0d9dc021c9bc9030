// Rates in shared memory: a key has one budget over two holders, and over two threads at once.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TokenBucket } from '../../../src/core/runtime/token-bucket.ts';
import { BUCKETS, RateLimits } from '../../../src/gateway/api/rate-limits.ts';
import { SharedRates } from '../../../src/gateway/api/shared-rates.ts';
import { type RateProfile, rateProfiles } from '../../../src/limits.ts';

const few = { perS: 2, burstMax: 5 };
const profile: RateProfile = { ...rateProfiles.default, reads: few, submissions: few, cancels: few };

it('two holders of the memory take from one budget, as one token bucket would', () => {
  const step = fc.record({
    holder: fc.nat(1),
    key: fc.constantFrom('a', 'b'),
    bucket: fc.constantFrom(...BUCKETS),
    does: fc.constantFrom('take', 'reserve', 'giveBack'),
    afterMs: fc.nat(600),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const first = new SharedRates(BUCKETS);
      const holders = [first, new SharedRates(BUCKETS, first.memory)].map(rates => new RateLimits(profile, rates));
      const single = new RateLimits(profile, null);
      let nowMs = 1_000_000.25;
      for (const { holder, key, bucket, does, afterMs } of steps) {
        nowMs += afterMs;
        const did = (rates: RateLimits): unknown =>
          does === 'giveBack' ? rates.giveBack(key, bucket) : rates[does](key, bucket, nowMs);
        expect(did(holders[holder]!)).toEqual(did(single));
        for (const rates of holders)
          expect(rates.headers(key, bucket, nowMs)).toEqual(single.headers(key, bucket, nowMs));
      }
    }),
    { numRuns: 300 },
  );
});

it('two threads that take at once take each token once', async () => {
  const rates = new SharedRates(BUCKETS);
  const workers = [0, 1].map(
    () => new Worker(new URL('taking-worker.ts', import.meta.url), { workerData: { memory: rates.memory } }),
  );
  await Promise.all(workers.map(worker => once(worker, 'message')));
  for (const worker of workers) worker.postMessage('take');
  const taken = await Promise.all(workers.map(async worker => Number((await once(worker, 'message'))[0])));
  expect(taken[0]! + taken[1]!).toBe(100_000);
  const bucket = new TokenBucket({ perS: 0.001, burstMax: 100_000 }, rates.cellOf('key', 'submissions'));
  expect(bucket.remaining(0)).toBe(0);
  await Promise.all(workers.map(worker => worker.terminate()));
});

it('two holders count the sessions of a key together', () => {
  const first = new SharedRates(BUCKETS);
  const second = new SharedRates(BUCKETS, first.memory);
  for (const rates of [first, second, second]) rates.sessions.change('a', 1);
  expect([first.sessions.of('a'), second.sessions.of('a'), first.sessions.of('b')]).toEqual([3, 3, 0]);
  for (const rates of [first, first, second]) rates.sessions.change('a', -1);
  expect(second.sessions.of('a')).toBe(0);
  expect(second.cellOf('a', 'cancels').read()).toBe(0);
});

it('keeps the rows of many keys apart', () => {
  const rates = new SharedRates(BUCKETS);
  const ids = Array.from({ length: 2_000 }, (_, it) => `key_${it}`);
  for (const [index, keyId] of ids.entries()) expect(rates.cellOf(keyId, 'cancels').replace(0, index + 1)).toBe(true);
  const again = new SharedRates(BUCKETS, rates.memory);
  expect(ids.map(keyId => again.cellOf(keyId, 'cancels').read())).toEqual(ids.map((_, index) => index + 1));
  expect(again.cellOf('key_0', 'cancels').replace(0, 7)).toBe(false);
});
