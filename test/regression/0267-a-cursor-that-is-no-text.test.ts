// Found by review: a cursor of another type than text counted as none, so the first page passed for the whole list. Fills beyond it were
// never booked, as the mark went on. An unreadable cursor is no end.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { fillsSince } from '../../src/venues/venue-b/trading/account.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { FILL, scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const SINCE = 0 as UnixMillis;

it.each([7, 0, true, {}, ['x']])('%j is a cursor that cannot be read', async cursor => {
  const rest = scriptedRest(() => ({ fills: [FILL], cursor }));
  expect(await fillsSince(rest, SINCE)).toMatchObject({ ok: false, error: expect.stringContaining('cursor') });
  const get = async () => ({ status: 200, body: JSON.stringify({ events: [], cursor }) });
  const parts = { restUrl: 'http://venue', sign: () => ({}), get, timers: new VirtualTimers() };
  expect(await venueBDiscovery(parts).listed(null, 1)).toMatchObject({ ok: false });
});

it.each([undefined, null, ''])('%j is the end', async cursor => {
  const rest = scriptedRest(() => ({ fills: [FILL], cursor }));
  expect(await fillsSince(rest, SINCE)).toMatchObject({ ok: true, value: { rows: { length: 1 } } });
});
