// The thread of market reads when it hangs; its reads are in test/e2e/older-market.test.ts.

import { expect, it } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import { MarketReads } from '../../src/venues/market-reads.ts';

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
