// When terms are read from a venue, and when the cached terms are used.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { marketKey } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { tellOutdatedFacts } from '../../src/venues/outdated-facts.ts';
import type { TradingTerms } from '../../src/venues/trading-terms.ts';
import { TradingTermsCache } from '../../src/venues/trading-terms-cache.ts';
import { eventually } from '../support/eventually.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const TOKENS = ['1111', '2222'];
const MARKET = marketKey('venue_a', TOKENS[1]!);
const MINUTE_MS = 60_000;

let timers: VirtualTimers;
let reads: number;
let cache: TradingTermsCache;

beforeEach(() => {
  timers = new VirtualTimers();
  reads = 0;
  cache = new TradingTermsCache(() => {
    reads += 1;
    return Promise.resolve({ type: 'terms', terms: terms(timers.now()) });
  }, timers);
});
afterEach(() => cache.close());

function terms(readAt: UnixMillis): TradingTerms {
  const grid = [{ start: 100 as Ticks, end: 9_900 as Ticks, step: 100 as Ticks }];
  const sizes = { sizeMin: 5_000_000 as MicroShares, sizeStep: 10_000 as MicroShares };
  const ofVenueB = { shard: null, settlementFloor: null };
  const named = { title: 'x', status: 'open', addresses: TOKENS } as const;
  return { ...named, grid, ...sizes, ...ofVenueB, fees: null, closesAt: null, readAt };
}

it('while the market is heard, terms are read once', async () => {
  const heardSince = timers.now();
  for (let read = 0; read < 5; read++) {
    expect((await cache.of(MARKET, heardSince)).ok).toBe(true);
    timers.advance(MINUTE_MS / 5 - 1);
  }
  expect(reads).toBe(1);
});

it('after a minute they are read again beside the answer', async () => {
  const heardSince = timers.now();
  await cache.of(MARKET, heardSince);
  timers.advance(MINUTE_MS + 1);
  const answer = await cache.of(MARKET, heardSince);
  expect(answer).toMatchObject({ value: { readAt: timers.now() - MINUTE_MS - 1 } });
  expect(reads).toBe(2);
});

it('terms from before the market was heard, or of one that is not, are read anew', async () => {
  await cache.of(MARKET, null);
  timers.advance(1_001);
  await cache.of(MARKET, timers.now());
  expect(reads).toBe(2);
  timers.advance(1_001);
  await cache.of(MARKET, null);
  expect(reads).toBe(3);
});

it('a change that the feed reports for the other token is read at once', async () => {
  const heardSince = timers.now();
  await cache.of(MARKET, heardSince);
  tellOutdatedFacts({ venue: 'venue_a', address: TOKENS[0]! });
  await eventually(async () => {
    await cache.of(MARKET, heardSince);
    expect(reads).toBe(2);
  });
});
