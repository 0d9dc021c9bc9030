// Found by review: a resting order was looked up among all trades of its account in its market since its sending. Beyond the bound of that
// list it stayed OPEN for good. After a start its venue took no orders, since one could not be looked up.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { OrderStatus } from '../../src/domain/order.ts';
import { limits } from '../../src/limits.ts';
import { RESTS, Rig } from '../orders/orders-rig.ts';
import { CONDITION, SOON, submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, shares } from '../venues/venue-a/trading/trading-rig.ts';

const DAY_MS = 86_400_000;
/** Of the account, over a day. */
const TRADES_EVERY_S = 5;
const ROWS_PER_PAGE = 100;

/**
 * Looks up an order that is not shown any more, and to which the latest trade of all belongs. It does so twice, since the first such answer
 * is not believed.
 */
async function lookedUp(status: OrderStatus) {
  let [ours, latestS] = ['', 0];
  const rowAt = (index: number): object => {
    const [size, taker_order_id] = index === 0 ? ['4', ours] : ['1', `0x${'a'.repeat(64)}`];
    const maker = { order_id: `0x${'7'.repeat(64)}`, asset_id: FIRST, matched_amount: size, price: '0.5' };
    const terms = { market: CONDITION, asset_id: FIRST, side: 'BUY', size, price: '0.5', owner: 'key' };
    const match_time = String(latestS - TRADES_EVERY_S * index);
    return { id: `t${index}`, status: 'CONFIRMED', match_time, taker_order_id, ...terms, maker_orders: [maker] };
  };
  const { trading, timers, order, intent } = await submitted({
    '/order': () => 'lost',
    '/data/order/': () => ({ body: null }),
    '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
    '/data/trades': ({ target }) => {
      const query = new URLSearchParams(target.split('?')[1]);
      const from = Number(Buffer.from(query.get('next_cursor')!, 'base64').toString());
      const count = Math.floor((latestS - Number(query.get('after'))) / TRADES_EVERY_S) + 1;
      const to = Math.min(from + ROWS_PER_PAGE, count);
      const data = Array.from({ length: to - from }, (_, index) => rowAt(from + index));
      return { body: { data, next_cursor: Buffer.from(to < count ? String(to) : '-1').toString('base64') } };
    },
  });
  const sentAt = timers.now();
  timers.advance(DAY_MS);
  [ours, latestS] = [intent.venueOrderId!, Math.floor(timers.now() / 1_000)];
  const rested = { ...order, status, sentAt, venueOrderId: ours };
  const bookedUpTo = (timers.now() - 60_000) as UnixMillis;
  await trading.lookUp(rested, intent, SOON, bookedUpTo);
  timers.advance(limits.venueAReadLagMs);
  return trading.lookUp(rested, intent, SOON, bookedUpTo);
}

it('a look goes through those trades of an order that rested which are not booked yet', async () => {
  expect(await lookedUp('OPEN')).toMatchObject({ state: 'gone', fills: [{ size: shares(4) }] });
});

it('a cut list proves nothing of an order that is not known to have rested', async () => {
  expect(await lookedUp('SUBMITTED')).toMatchObject({ type: 'unavailable' });
});

it('booked is what the account has been read up to', async () => {
  const rig = new Rig('venue_a');
  const reported: unknown[] = [];
  rig.venue.lookUp = (_order: unknown, _intent?: unknown, _deadline?: unknown, bookedUpTo?: unknown) => {
    reported.push(bookedUpTo);
    return Promise.resolve({ type: 'absent', isCurrent: false });
  };
  await rig.submit(RESTS);
  rig.executions.start();
  await rig.pass(100, 10);
  const readAt = rig.timers.now();
  await rig.sweep(limits.accountReadMs);
  const [first, second] = reported.map(Number);
  expect(reported).toHaveLength(2);
  expect([first, second! > 0 && second! <= readAt]).toEqual([0, true]);
});
