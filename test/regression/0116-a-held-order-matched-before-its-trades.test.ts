// Found by review: for a market order that venue A holds back, the user channel may say "MATCHED" before it reports the trade. Its price
// does not state what was paid, so nothing counted as traded, and the order was shown as CANCELLED until the trade came. A bot sends such
// an order again.

import { expect, it } from 'vitest';
import type { MicroDollars, UnixMillis } from '../../src/domain/numbers.ts';
import { isFull } from '../../src/domain/order-sums.ts';
import type { LookUp } from '../../src/venues/venue.ts';
import { readShownOrder } from '../../src/venues/venue-a/trading/open-orders.ts';
import { found, Rig, shares, TOKEN_SELL } from '../orders/orders-rig.ts';

const FOK = {
  venue: 'venue_a',
  tokenId: TOKEN_SELL.tokenId,
  side: 'BUY',
  type: 'MARKET',
  dollars: 5_600_000 as MicroDollars,
  worstPrice: null,
  timeInForce: 'FOK',
} as const;
const DIGEST = `0x${'a'.repeat(64)}`;

function shown(change: object) {
  const row = {
    event_type: 'order',
    type: 'UPDATE',
    id: DIGEST,
    market: '0xc',
    asset_id: '123',
    side: 'BUY',
    price: '0.5',
  };
  const whole = { original_size: '10', size_matched: '10', order_type: 'FOK' };
  const order = readShownOrder({ ...row, ...whole, ...change }, 0 as UnixMillis);
  return order!;
}

async function held(): Promise<Rig> {
  const rig = new Rig('venue_a');
  const delayed = { type: 'accepted', venueOrderId: 'v-1', state: 'delayed', stated: null } as const;
  expect(await rig.submit(delayed, { request: FOK })).toMatchObject({ type: 'made', status: 'SUBMITTED' });
  rig.reported.length = 0;
  return rig;
}

it.each([
  ['MATCHED', { status: 'MATCHED' }],
  ['MATCHED, and says not how much', { status: 'MATCHED', size_matched: '' }],
])('a held order is not over when it is reported %s: its trade ends it', async (_what, change) => {
  const rig = await held();
  const venueOrderId = rig.order().venueOrderId!;
  rig.hear({ type: 'order', order: { ...shown(change), venueOrderId } });
  expect(rig.order().status).toBe('SUBMITTED');
  expect(rig.reported).toEqual([]);
  rig.hear({ type: 'fill', fill: rig.fill('f', 10, { venueOrderId }) });
  expect(isFull(FOK, rig.order().filled)).toBe(true);
  expect(rig.reported.map(({ order }) => order.status)).toEqual(['FILLED']);
});

it('a held order is looked up if its trade is not reported', async () => {
  const rig = await held();
  const venueOrderId = rig.order().venueOrderId!;
  rig.hear({ type: 'order', order: { ...shown({ status: 'MATCHED' }), venueOrderId } });
  const fill = rig.fill('f', 10, { venueOrderId });
  rig.venue.lookUps = [{ ...found('gone', [fill]), venueOrderId } as LookUp];
  await rig.sweep();
  expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
});

it('a killed order is over at once', async () => {
  const rig = await held();
  const venueOrderId = rig.order().venueOrderId!;
  const killed = { type: 'CANCELLATION', status: "CANCELED_order couldn't be fully filled.", size_matched: '' };
  rig.hear({ type: 'order', order: { ...shown(killed), venueOrderId } });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 0 } });
});
