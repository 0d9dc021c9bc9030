// An order whose answer was lost never came to venue B. It is given up after 30 s without a trace (contract §4.7). Before that all orders
// of its market are searched, in case it was sent long ago. Where they are more than can be read, that search never ended. The order stayed
// SUBMITTED, and after a restart the account was not traded, since not every order had been looked up.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { LookUp } from '../../src/venues/venue.ts';
import { lookUp } from '../../src/venues/venue-b/trading/look-up.ts';
import { ABSENT, Rig, TIMEOUT } from '../orders/orders-rig.ts';
import { scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const TOO_LONG = { type: 'unavailable', message: 'more pages than are read' } as const satisfies LookUp;

it('an order without a trace is given up although its market has more orders than are read', async () => {
  const rig = new Rig();
  await rig.submit(TIMEOUT);
  const looks = () => Array.from({ length: 30 }, () => [ABSENT, TOO_LONG]).flat();
  await rig.timers.settle(limits.absenceProvenMs);
  rig.venue.lookUps = looks();
  await rig.sweep();
  expect(rig.order().status).toBe('SUBMITTED');
  expect(rig.venue.calls.at(-1)).toBe('lookUp at any time');
  rig.venue.lookUps = looks();
  await rig.sweep(limits.absenceUnsearchedMs);
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
});

it('a search among more orders than are read finds nothing out', async () => {
  const rig = new Rig();
  await rig.submit(TIMEOUT);
  let pages = 0;
  const rest = scriptedRest(() => {
    pages += 1;
    return { cursor: `page-${pages}`, orders: [{}] };
  }, rig.timers);
  const { order, intent } = rig.store.order(rig.id())!;
  const found = await lookUp(rest, { ...order, sentAt: null }, intent!, rest.soon());
  expect(found).toMatchObject({ type: 'unavailable', message: expect.stringContaining('venueBPagesMax') });
});
