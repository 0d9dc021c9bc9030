// Equal reads at the same time become one request, and a result is kept for one second. Neither the kept results nor the reads in flight
// grow without end.

import { describe, expect, it } from 'vitest';
import { SUMMARY_VENUES, type SummaryVenue } from '../../src/core/domain/market-summary.ts';
import { limits } from '../../src/limits.ts';
import type { MarketReading } from '../../src/venues/market-read.ts';
import { MarketReadCache } from '../../src/venues/market-read-cache.ts';

function rig() {
  const clock = { nowMs: 0 };
  const asked: { readonly venue: SummaryVenue; readonly id: string; answer(words?: string): void }[] = [];
  const cache = new MarketReadCache(
    (venue, id) =>
      new Promise<MarketReading>(resolve => {
        asked.push({ venue, id, answer: (message = id) => resolve({ type: 'unknown', message }) });
      }),
    () => clock.nowMs,
  );
  return { clock, asked, cache };
}

describe('the cache of market reads', () => {
  it('asks once for who come together, and not again within a second of the answer', async () => {
    const { clock, asked, cache } = rig();
    const together = [cache.read('venue_d', 'x'), cache.read('venue_d', 'x')];
    expect(asked).toHaveLength(1);
    clock.nowMs = 3_000;
    asked[0]!.answer('one');
    const one = { type: 'unknown', message: 'one' };
    expect(await Promise.all(together)).toEqual([one, one]);
    clock.nowMs += limits.marketReadCacheMs - 1;
    expect(await cache.read('venue_d', 'x')).toEqual(one);
    expect(asked).toHaveLength(1);
    clock.nowMs += 1;
    const again = cache.read('venue_d', 'x');
    expect(asked).toHaveLength(2);
    asked[1]!.answer('two');
    expect(await again).toEqual({ type: 'unknown', message: 'two' });
  });

  it('does not take one venue’s market for another’s', () => {
    const { asked, cache } = rig();
    for (const venue of SUMMARY_VENUES) void cache.read(venue, '1');
    expect(asked.map(({ venue }) => venue)).toEqual(SUMMARY_VENUES);
  });

  it('refuses a read beyond the bound of its venue, and none of another venue', async () => {
    const { asked, cache } = rig();
    for (let id = 0; id < limits.marketReadsWaitingMax; id += 1) void cache.read('venue_d', String(id));
    expect(await cache.read('venue_d', 'more')).toEqual({
      type: 'busy',
      message: 'venue_d: too many markets are being read (marketReadsWaitingMax)',
      retryAfterS: 1,
    });
    void cache.read('venue_d', '0');
    void cache.read('venue_e', '0');
    expect(asked).toHaveLength(limits.marketReadsWaitingMax + 1);
    asked[0]!.answer();
    await Promise.resolve();
    await new Promise(resolve => setImmediate(resolve));
    void cache.read('venue_d', 'more');
    expect(asked.at(-1)!.id).toBe('more');
  });

  it('forgets the oldest when it keeps too many', async () => {
    const { asked, cache } = rig();
    for (let id = 0; id <= limits.marketReadsKeptMax; id += 1) {
      const read = cache.read('venue_a', String(id));
      asked.at(-1)!.answer();
      await read;
    }
    const { length } = asked;
    await cache.read('venue_a', '1');
    expect(asked).toHaveLength(length);
    void cache.read('venue_a', '0');
    expect(asked).toHaveLength(length + 1);
  });
});
