// A fill came between a replace at venue B and its arrival: the order has filled all of the new total. The venue refuses such an amendment
// by INVALID_AMEND_QTY_FOR_ORDER (venue-b.md §7). It was a 400, as if the request were wrong, where docs/PROTOCOL.md promises 409.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { ANSWER_MS, place, price, size } from '../venues/trading-rig.ts';
import { VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});
afterEach(() => rig.close());

const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;

it.each(['6', '7'])('with %s of 10 filled nothing of a total of 6 is left', async filled => {
  const { order, intent } = await place(rig, WISH);
  rig.others('SELL', WISH.price, size(filled), 'take');
  const { amends } = rig.trading;
  const change = amends!.prepare({ order, intent }, rig.order(WISH), size('6'));
  const outcome = await amends!.amend(order, change, (rig.now() + ANSWER_MS) as UnixMillis, null);
  expect(outcome).toMatchObject({
    type: 'refused',
    kind: 'notCancellable',
    error: { code: 'NOT_FEASIBLE', message: 'invalid amend qty for order' },
    venueError: { code: 'invalid_amend_qty_for_order' },
  });
  expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ venueOrderId: order.venueOrderId }] } });
});
