// Noticed in a review: venue A may say that a market order is matched, and not what it has traded. Only the process remembered that. After a
// restart, or after a thousand newer ends, 30 s without a trade in its list counted as an end with nothing filled.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { Order } from '../../src/domain/order.ts';
import { transition } from '../../src/domain/order.ts';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import { codec } from '../../src/store/orders/codec.ts';
import { order as orderForm } from '../../src/store/orders/order-record.ts';
import { Rig } from '../orders/orders-rig.ts';
import { listedTrade, NOTHING_LISTED, orderAt, SOON, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { limit, marketBuy, shares } from '../venues/venue-a/trading/trading-rig.ts';

const FAK = marketBuy(10, 'FAK', 50);

/** A process that was started after the order was sent. */
async function restarted(hasTraded: boolean) {
  const venue = { isListed: false, venueOrderId: '' };
  const { trading, timers } = tradingOn({
    '/data/order/': () => ({ body: null }),
    '/data/orders': () => NOTHING_LISTED,
    '/data/trades': () => (venue.isListed ? listedTrade(venue.venueOrderId) : NOTHING_LISTED),
  });
  const pending = orderAt(timers, FAK) as Order<'PENDING'>;
  const intent = await trading.prepare(pending, 'key');
  if (!intent.ok) throw new Error(intent.error.message);
  const venueOrderId = intent.value.venueOrderId!;
  venue.venueOrderId = venueOrderId;
  const at = timers.now() as UnixMillis;
  const sent = transition(pending, { type: 'sent', at }) as Order<'SUBMITTED'>;
  const stored = codec('order', orderForm);
  const known = stored.decode(
    stored.encode(
      transition(sent, { type: 'delayed', at, venueOrderId, ...(hasTraded ? { stated: NOTHING_FILLED } : {}) }),
    ),
    Buffer.from('order'),
  );
  return { venue, timers, look: () => trading.lookUp(known, intent.value, SOON) };
}

describe('a market order that was matched, the venue said no more, after a restart', () => {
  it('is not over before its trades are listed, however late that is', async () => {
    const { venue, timers, look } = await restarted(true);
    timers.advance(600_000);
    // An answer all the same: the account must not wait for it to be ready.
    expect(await look()).toEqual({ type: 'absent', isCurrent: false });
    venue.isListed = true;
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(20) }, fills: [{}] });
  });

  it('is over as before if the venue only said that it delays it', async () => {
    const { timers, look } = await restarted(false);
    timers.advance(600_000);
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 } });
  });

  it('keeps what was said in the record of the order, and shows nothing filled', async () => {
    const rig = new Rig('venue_a');
    rig.venue.lookUps = [{ type: 'absent', isCurrent: false }];
    const taken = { type: 'exists', message: 'taken with status "matched"', venueOrderId: 'v-1' } as const;
    await rig.submit(taken, { request: FAK });
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', stated: NOTHING_FILLED, filled: NOTHING_FILLED });
  });
});

describe('a limit order that was matched, the venue said no more', () => {
  it('is not over by its absence from the lists', async () => {
    let venueOrderId = '';
    const { trading, timers } = tradingOn({
      '/order': () => ({ body: { errorMsg: '', orderID: venueOrderId, status: 'matched', success: true } }),
      '/data/order/': () => ({ body: null }),
      '/data/orders': () => NOTHING_LISTED,
      '/data/trades': () => NOTHING_LISTED,
    });
    const pending = orderAt(timers, limit('BUY', 50, 20)) as Order<'PENDING'>;
    const intent = await trading.prepare(pending, 'key');
    if (!intent.ok) throw new Error(intent.error.message);
    venueOrderId = intent.value.venueOrderId!;
    const sent = transition(pending, { type: 'sent', at: timers.now() }) as Order<'SUBMITTED'>;
    expect(await trading.submit(sent, intent.value, SOON)).toMatchObject({ state: 'rests', stated: null });
    const open = transition(sent, { type: 'rests', at: timers.now(), venueOrderId, stated: null });
    for (let looks = 0; looks < 5; looks += 1) {
      expect(await trading.lookUp(open, intent.value, SOON)).toEqual({ type: 'absent', isCurrent: false });
      timers.advance(30_000);
    }
  });
});
