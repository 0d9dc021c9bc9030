// An order's answer was lost, and venue B's list of its market shows it on the first page: the newest orders come first. All pages of four
// minutes were read before it was looked for. A bot with some thousand orders there got no look-up done within its 5 s.

import { expect, it } from 'vitest';
import { lookUp } from '../../src/venues/venue-b/trading/look-up.ts';
import { Rig, TIMEOUT } from '../orders/orders-rig.ts';
import { ORDER, scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

it('a look-up reads no page after the one with the order', async () => {
  const rig = new Rig();
  await rig.submit(TIMEOUT);
  const { order, intent } = rig.store.order(rig.id())!;
  const others = Array.from({ length: 3 }, (_, index) => ({
    ...ORDER,
    order_id: `other-${index}`,
    client_order_id: 'other',
  }));
  const its = { ...ORDER, order_id: 'its', client_order_id: intent!.clientOrderId };
  let pages = 0;
  const rest = scriptedRest(target => {
    if (!target.includes('/portfolio/orders')) return { fills: [] };
    pages += 1;
    return { cursor: `page-${pages}`, orders: pages === 2 ? [...others, its] : others };
  }, rig.timers);
  const found = await lookUp(rest, order, intent!, rest.soon());
  expect([found, pages]).toMatchObject([{ type: 'found', venueOrderId: 'its' }, 2]);
});
