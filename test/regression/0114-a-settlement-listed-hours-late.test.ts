// Found by review: the list of settlements was read from an hour before its last reading. The stream reported a market as settled, and the
// list showed it two hours later with its original time. It was not paid out until a restart.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { PrivateEvent } from '../../src/venues/venue.ts';
import { VenueBSettlements } from '../../src/venues/venue-b/trading/settlements.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const HOUR_MS = 3_600_000;

it('the settlement is heard of when it is listed', async () => {
  const timers = new VirtualTimers();
  const settledMs = Math.floor(timers.now() / 1_000) * 1_000;
  const row = { ticker: 'KXA', market_result: 'yes', value: 100, settled_time: new Date(settledMs).toISOString() };
  const reported: PrivateEvent[] = [];
  let isListed = false;
  const rest = scriptedRest(target => {
    const since = Number(new URL(target, 'http://venue').searchParams.get('min_ts')) * 1_000;
    return { settlements: isListed && settledMs >= since ? [row] : [], cursor: '' };
  }, timers);
  const parts = { rest, timers, log: silentLog, isHeld: () => reported.length === 0 };
  const settlements = new VenueBSettlements({ ...parts, tell: event => reported.push(event) });
  settlements.heard({ event_type: 'settled', market_ticker: 'KXA' });
  for (let hour = 0; hour < 3; hour += 1) {
    for (let ms = 0; ms < HOUR_MS; ms += limits.venueBSettlementsReadMs) {
      await timers.settle(limits.venueBSettlementsReadMs);
    }
    isListed = hour === 1;
  }
  expect(reported).toEqual([{ type: 'settled', address: 'KXA', value: 10_000, at: settledMs }]);
  settlements.stop();
});
