// Found by review: venue A may say "matched" with an order's id, and not what was traded. It executes orders asynchronously, and its lists lag.
// For a market order the id was dropped. With no trade listed after 30 s, it counted as one without a trace. A FOK was answered as killed,
// and a bot sends such an order again.

import { describe, expect, it } from 'vitest';
import type { Order } from '../../src/domain/order.ts';
import { transition } from '../../src/domain/order.ts';
import type { OutboundRequest } from '../../src/net/outbound.ts';
import { readSignedOrder } from '../../src/venues/venue-a/signed-order.ts';
import { found, Rig } from '../orders/orders-rig.ts';
import { listedTrade, NOTHING_LISTED, orderAt, SOON, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { marketBuy, shares } from '../venues/venue-a/trading/trading-rig.ts';

const FOK = marketBuy(10, 'FOK', 50);

/** The venue takes the order as matched; its list has the trade from the moment when `isListed` is set. */
async function matched() {
  const venue = { isListed: false, venueOrderId: '' };
  const { trading, timers } = tradingOn({
    '/order': ({ body }: OutboundRequest) => {
      expect(readSignedOrder(JSON.parse(Buffer.from(body).toString()).order).ok).toBe(true);
      return {
        body: { errorMsg: '', orderID: venue.venueOrderId, status: 'matched', success: true, tradeIDs: ['t-1'] },
      };
    },
    '/data/order/': () => ({ body: null }),
    '/data/orders': () => NOTHING_LISTED,
    '/data/trades': () => (venue.isListed ? listedTrade(venue.venueOrderId) : NOTHING_LISTED),
  });
  const pending = orderAt(timers, FOK) as Order<'PENDING'>;
  const intent = await trading.prepare(pending, 'key');
  if (!intent.ok) throw new Error(intent.error.message);
  venue.venueOrderId = intent.value.venueOrderId!;
  const sent = transition(pending, { type: 'sent', at: timers.now() }) as Order<'SUBMITTED'>;
  const outcome = await trading.submit(sent, intent.value, SOON);
  const { venueOrderId } = venue;
  const order = transition(sent, { type: 'delayed', at: timers.now(), venueOrderId });
  return { venue, timers, outcome, look: () => trading.lookUp(order, intent.value, SOON) };
}

describe('a market order that is matched, the venue says no more', () => {
  it('is the venue’s, by its id', async () => {
    const { outcome, venue } = await matched();
    expect(outcome).toEqual({ type: 'exists', message: expect.any(String), venueOrderId: venue.venueOrderId });
  });

  it('is not over before its trades are listed, however late that is', async () => {
    const { venue, timers, look } = await matched();
    expect(await look()).toEqual({ type: 'absent', isCurrent: false });
    timers.advance(120_000);
    expect(await look()).toEqual({ type: 'absent', isCurrent: false });
    venue.isListed = true;
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(20) }, fills: [{}] });
  });

  it('is answered as on its way, with its id at the venue, and ends as it turns out', async () => {
    const rig = new Rig('venue_a');
    rig.venue.lookUps = [{ type: 'unavailable', message: 'no trades yet' }];
    const taken = { type: 'exists', message: 'taken with status "matched"', venueOrderId: 'v-1' } as const;
    expect(await rig.submit(taken, { request: FOK })).toMatchObject({ type: 'made', status: 'SUBMITTED' });
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', venueOrderId: 'v-1' });
    rig.venue.lookUps = [found('gone', [rig.fill('f', 20)])];
    await rig.sweep();
    expect(rig.order().status).toBe('FILLED');
  });
});
