// Found by review: venue B keeps ended orders and fills live for a while. Older ones are in an archive (venue-b.md §4.5), which was never
// read. After a longer absence of the gateway, a resting order that had filled meanwhile ended CANCELLED, and its fills were lost.

import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/durations.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { lookUp } from '../../src/venues/venue-b/trading/look-up.ts';
import { Rig } from '../orders/orders-rig.ts';
import { FILL, ORDER, scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const NOTHING = { orders: [], fills: [], cursor: '' };
const EXECUTED = { ...ORDER, status: 'executed', fill_count_fp: '10.00', remaining_count_fp: '0.00' };
const FILLS = [{ ...FILL, book_side: 'bid', yes_price_dollars: '0.3500', count_fp: '10.00' }];

/** What became of an order that the venue's live data lacks, so many days after its sending; and what the venue was asked. */
async function lookedUp(days: number, archive: (target: string) => unknown) {
  const rig = new Rig();
  const asked: string[] = [];
  await rig.submit({ type: 'accepted', venueOrderId: 'order', state: 'rests', stated: null });
  const { order, intent } = rig.store.order(rig.id())!;
  const now = (order.sentAt ?? 0) + days * DAY_MS;
  const ago = (daysAgo: number): string => new Date(now - daysAgo * DAY_MS).toISOString();
  const rest = scriptedRest(target => {
    asked.push(new URL(target, 'http://venue.test').pathname.replace('/v2', ''));
    if (target.includes('user_data_timestamp')) return { as_of_time: ago(0) };
    if (target.includes('/historical/cutoff')) return { orders_updated_ts: ago(14), trades_created_ts: ago(90) };
    if (target.includes('/historical/')) return archive(target);
    return target.includes('/orders/') ? { status: 404, error: { code: 'not_found', message: 'not found' } } : NOTHING;
  });
  const named = { ...intent!, clientOrderId: 'ours' };
  const found = await lookUp(rest, order, named, (rest.soon() + 1_000) as UnixMillis);
  return { found, asked };
}

it('an order that has filled and is archived is found, with its fills', async () => {
  const { found, asked } = await lookedUp(100, target =>
    target.includes('/fills') ? { fills: FILLS, cursor: '' } : { orders: [EXECUTED], cursor: '' },
  );
  expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: 10_000_000 }, fills: [{}] });
  const archived = asked.filter(path => path.includes('historical') && !path.endsWith('cutoff'));
  expect(archived).toEqual(['/historical/orders', '/historical/fills']);
});

it('an order is absent once the archive lacks it, too', async () => {
  expect((await lookedUp(100, () => NOTHING)).found).toEqual({ type: 'absent', isCurrent: true });
});

it('an order is not given up while the archive cannot be read', async () => {
  expect((await lookedUp(100, () => ({ status: 503 }))).found).toMatchObject({ type: 'unavailable' });
});

it('a young order is not looked for in the archive', async () => {
  const { found, asked } = await lookedUp(1, () => ({ orders: [EXECUTED], cursor: '' }));
  expect(found).toEqual({ type: 'absent', isCurrent: true });
  expect(asked.filter(path => path.includes('historical'))).toEqual(['/historical/cutoff']);
});
