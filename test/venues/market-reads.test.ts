// The thread of market reads when the thread hangs. test/e2e/older-market.test.ts tests its reads.

import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/runtime/log.ts';
import { limits } from '../../src/limits.ts';
import { MarketReads } from '../../src/venues/market-reads.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { ScriptedVenue } from './market-read-rig.ts';

it('is ended, and its waiters get an error', async () => {
  const warnings: string[] = [];
  const reads = new MarketReads({
    targets: { venue_a: null, venue_b: null, venue_d: null, venue_e: null },
    log: { ...silentLog, warn: event => void warnings.push(event) },
    pulseMs: 20,
    workerUrl: new URL('./hanging-market-reads-worker.ts', import.meta.url),
  });
  expect(await reads.read('venue_a', 'x')).toMatchObject({ type: 'busy', retryAfterS: 1 });
  expect(warnings).toEqual(['thread of market reads does not answer', 'thread of market reads ended']);
  await reads.close();
});

// The machine's clock was set back by an hour. Markets of the older family were then not read for an hour, because the next turn of their
// venues was an hour ahead.
describe('0094: market reads after the clock was set back', () => {
  const HOUR_MS = 3_600_000;
  const GAP_MS = 300;

  it('a venue is read again after its gap', async () => {
    const timers = new VirtualTimers();
    const venue = await ScriptedVenue.start(() => ({ body: {} }));
    const http = venue.http('venue_d', { timers, pace: { concurrentMax: 1, gapMs: GAP_MS } });
    expect(await http.get('/first', http.deadline())).toMatchObject({ status: 200 });
    timers.setClock(-HOUR_MS);
    const second = http.get('/second', http.deadline());
    await timers.settle(GAP_MS);
    await timers.settle(limits.marketReadMs);
    expect(await second).toMatchObject({ type: 'json', status: 200 });
    expect(venue.requests).toEqual(['/first', '/second']);
  });
});
