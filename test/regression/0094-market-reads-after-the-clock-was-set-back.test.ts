// The machine's clock was set back an hour. Markets of the older family were not read for an hour: their venues' next turn was an hour
// ahead.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { ScriptedVenue } from '../venues/market-read-rig.ts';

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
  await venue.close();
});
