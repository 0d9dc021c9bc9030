// Cached terms: how old they may be, which callers wait for new terms, and how many terms are kept.

import { beforeEach, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import { TermsCache } from '../../src/venues/terms-cache.ts';
import type { FactsRefusal } from '../../src/venues/venue.ts';

interface Terms {
  readonly readAt: UnixMillis;
}

const ages = { refusingMs: 10, freshMs: 100, usedMs: 1_000 };
const START = 50_000;
const UNAVAILABLE: FactsRefusal = { type: 'unavailable', message: 'no answer' };

let now: UnixMillis;
let asked: string[];
let isAnswering: boolean;
let cache: TermsCache<Terms>;

beforeEach(() => {
  now = START as UnixMillis;
  asked = [];
  isAnswering = true;
  const read = async (market: string): Promise<Result<Terms, FactsRefusal>> => {
    asked.push(market);
    return isAnswering ? ok({ readAt: now }) : fail(UNAVAILABLE);
  };
  cache = new TermsCache({ read, now: () => now, ages, marketsMax: 2 });
});

const readAt = async (passes = true, market = 'a') => {
  const terms = await cache.of(market, () => passes);
  return terms.ok ? terms.value.readAt - START : terms.error;
};
const after = (ms: number) => {
  now = (START + ms) as UnixMillis;
};

it.each([
  ['new, and let the order pass', 10, true, 0, 1],
  ['new, and refuse it', 10, false, 0, 1],
  ['not new, and refuse it', 11, false, 11, 2],
  ['not new, and let it pass', 100, true, 0, 1],
  ['aged: they are read again meanwhile', 101, true, 0, 2],
  ['old', 1_001, true, 1_001, 2],
  ['of a time to come', -1, true, -1, 2],
])('terms that are %s', async (_what, ageMs, passes, expected, requests) => {
  await readAt();
  after(ageMs);
  expect(await readAt(passes)).toBe(expected);
  expect(asked).toHaveLength(requests);
});

it('a market has one request under way at a time', async () => {
  expect(await Promise.all([readAt(), readAt(), readAt(true, 'b')])).toEqual([0, 0, 0]);
  expect(asked).toEqual(['a', 'b']);
});

it('a refusal is not kept, and does not end what is known', async () => {
  await readAt();
  isAnswering = false;
  after(101);
  expect(await readAt(false)).toEqual(UNAVAILABLE);
  expect(await readAt()).toBe(0);
  expect(await readAt(true, 'b')).toEqual(UNAVAILABLE);
  expect([cache.known('a'), cache.known('b')]).toEqual([{ readAt: START }, undefined]);
});

it('outdated terms are read anew, and known until then', async () => {
  await readAt();
  cache.expire('a');
  expect(cache.known('a')).toBeDefined();
  after(1);
  expect(await readAt()).toBe(1);
});

it('beyond its bound the market goes that was read longest ago', async () => {
  await readAt(true, 'a');
  await readAt(true, 'b');
  after(11);
  await readAt(false, 'a');
  await readAt(true, 'c');
  expect(['a', 'b', 'c'].map(market => cache.known(market) !== undefined)).toEqual([true, false, true]);
});

it('a read that was under way when its terms became outdated is neither kept nor waited for', async () => {
  await readAt();
  after(101);
  // This read is in flight when the terms become outdated.
  const early = readAt();
  cache.expire('a');
  after(102);
  expect(await readAt()).toBe(102);
  await early;
  expect(cache.known('a')?.readAt).toBe(START + 102);
  expect(asked).toHaveLength(3);
});
