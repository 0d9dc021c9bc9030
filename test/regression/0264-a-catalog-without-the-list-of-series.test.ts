// Found by review: every reading of venue B's events began with its list of all sports series, thousands of them, for tags that nothing
// used. If that one answer came late, was too long or was refused, the catalog had nothing of venue B.

import { expect, it } from 'vitest';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { venueBEvent, venueBMarket } from '../catalog/venue-objects.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

it('events are read where the venue cannot list its series', async () => {
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(new URL(url).pathname);
    if (url.includes('/series')) throw new Error('no answer in time');
    return { status: 200, body: JSON.stringify({ events: [venueBEvent('KX-A', [venueBMarket('KX-A-1')])] }) };
  };
  const discovery = venueBDiscovery({
    restUrl: 'http://venue',
    sign: () => ({}),
    get,
    timers: new VirtualTimers(),
  });
  expect(await discovery.listed(null, 200)).toMatchObject({ ok: true, value: { events: [{ eventId: 'KX-A' }] } });
  expect(asked).toEqual(['/events']);
});
