// The time at which a changed order of venue B ends (venue-b.md §5.4).

import { beforeEach, describe, expect, it } from 'vitest';
import { BID } from '../../../../src/core/domain/market.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { amendBody } from '../../../../src/venues/venue-b/trading/amend.ts';
import { countRequests, type Placed, place, price, size, soon } from '../../trading-rig.ts';
import { OWNER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});

const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;

/** Requests these changes of an order. The other terms of the order stay. */
function amend({ order, intent }: Placed, changes: Partial<VenueBOrderRequest>, total = WISH.size) {
  const amends = rig.trading.amends!;
  const wanted = { ...rig.order(WISH), request: { ...order.request, ...changes } as VenueBOrderRequest };
  return amends.amend(order, amends.prepare({ order, intent }, wanted, total), soon(rig), null);
}

async function replaced(placed: Placed): Promise<void> {
  expect(await amend(placed, { price: price('0.4') })).toMatchObject({ type: 'amended' });
}

function atVenue({ order }: Placed) {
  return rig.paper.exchange.reads(0).order(OWNER, order.venueOrderId ?? '');
}

describe('a replacement in place', () => {
  it('of an order that is good till a time ends then, even if the venue has lost that time', async () => {
    const placed = await place(rig, { ...WISH, forMs: 60_000 });
    const until = atVenue(placed)?.expiresAt;
    rig.paper.exchange.orders.amend(OWNER, placed.order.venueOrderId!, {
      ...{ ticker: TICKER, side: BID, price: WISH.price, total: WISH.size, expiresAt: null },
      ...{ clientOrderId: null, updatedClientOrderId: null },
    });
    expect(atVenue(placed)).toMatchObject({ status: 'resting', expiresAt: null });
    await replaced(placed);
    expect(until).not.toBeNull();
    expect(atVenue(placed)).toMatchObject({ status: 'resting', price: price('0.4'), expiresAt: until });
    await rig.advance(60_000);
    expect(atVenue(placed)).toMatchObject({ status: 'canceled' });
  });

  it('of another order never ends by itself, and names no time', async () => {
    const placed = await place(rig, WISH);
    await replaced(placed);
    expect(atVenue(placed)).toMatchObject({ status: 'resting', price: price('0.4'), expiresAt: null });
    const request = placed.order.request as VenueBOrderRequest;
    const names = { clientOrderId: 'old', newClientOrderId: 'new', total: WISH.size };
    expect(JSON.parse(amendBody({ request, ...names }))).not.toHaveProperty('expiration_time');
  });
});

// A fill came between a replace at venue B and its arrival, so that the order had filled all of the new total. The venue refuses such an
// amendment with INVALID_AMEND_QTY_FOR_ORDER (venue-b.md §7). The gateway answered 400, as for a wrong request, though docs/PROTOCOL.md
// promises 409.
it.each(['6', '7'])('3191: with %s of 10 filled nothing of a total of 6 is left to amend', async filled => {
  const placed = await place(rig, WISH);
  rig.others('SELL', WISH.price, size(filled), 'take');
  expect(await amend(placed, {}, size('6'))).toMatchObject({
    type: 'refused',
    kind: 'notCancellable',
    error: { code: 'NOT_FEASIBLE', message: 'invalid amend qty for order' },
    venueError: { code: 'invalid_amend_qty_for_order' },
  });
  const { venueOrderId } = placed.order;
  expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ venueOrderId }] } });
});

// Venue B refuses an amendment because of its price if the market has another grid than we know. After a refused order, the next order
// reads the market again. After a refused amendment it did not. So each further replace could be refused for minutes.
it('3192: the market is read again after an amendment that its grid contradicts', async () => {
  const asked = countRequests(rig, 'GET /markets/:ticker');
  await rig.trading.facts(TICKER);
  const outcome = await amend(await place(rig, WISH), { price: price('0.505') });
  expect(outcome).toMatchObject({ type: 'refused', error: { code: 'INVALID_ORDER' } });
  await rig.trading.facts(TICKER);
  expect(asked()).toBe(2);
});
