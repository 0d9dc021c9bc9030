// The time at which a changed order of venue B ends (venue-b.md §5.4).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BID } from '../../../../src/domain/market.ts';
import type { UnixMillis } from '../../../../src/domain/numbers.ts';
import { amendBody } from '../../../../src/venues/venue-b/trading/amend.ts';
import { ANSWER_MS, type Placed, place, price, size } from '../../trading-rig.ts';
import { OWNER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});
afterEach(() => rig.close());

const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;
const names = { clientOrderId: 'old', newClientOrderId: 'new', total: WISH.size };

/** To another price, with the terms of the old order. */
async function replaced({ order: old, intent }: Placed): Promise<void> {
  const request = { ...old.request, price: price('0.4') } as typeof old.request;
  const { amends } = rig.trading;
  const change = amends!.prepare({ order: old, intent }, { ...rig.order(WISH), request }, WISH.size);
  const outcome = await amends!.amend(old, change, (rig.now() + ANSWER_MS) as UnixMillis, null);
  expect(outcome).toMatchObject({ type: 'amended' });
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
    const request = placed.order.request as Parameters<typeof amendBody>[0]['request'];
    expect(JSON.parse(amendBody({ request, ...names }))).not.toHaveProperty('expiration_time');
  });
});
