// Found by review: `crossbook order list --count 2` printed two orders of each venue. Where one venue had more, its next ones were missing between
// older ones of the other.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderCommand } from '../../src/cli/order.ts';
import { CallRig } from '../cli/call-rig.ts';

let rig: CallRig;
beforeAll(async () => {
  rig = await CallRig.start();
});
afterAll(() => rig.end());

const ordersAt = (...minutes: readonly number[]) =>
  minutes.map(minute => ({
    ...{
      orderId: `order-${minute}`,
      ticker: 'KX-1',
      action: 'BUY',
      side: 'YES',
      count: 1,
      price: '0.5',
      status: 'OPEN',
    },
    createdAt: `2026-11-20T18:0${minute}:00.000Z`,
  }));

const listed = async (count: string) => {
  const { out, err } = await rig.run(orderCommand, 'list', '--count', count, '--url', rig.server.url);
  return [out.match(/order-\d/g), err] as const;
};

it('are as many as asked for, without a gap', async () => {
  rig.server.answer = ({ target }) =>
    target.startsWith('/v1/venue-a/')
      ? { body: { orders: ordersAt(3, 1), nextPageToken: null } }
      : { body: { orders: ordersAt(5, 4), nextPageToken: 'more' } };
  expect(await listed('2')).toEqual([['order-5', 'order-4'], 'there are more: --count\n']);
});

it('are said to be all only where they are', async () => {
  rig.server.answer = ({ target }) => ({
    body: { orders: target.startsWith('/v1/venue-a/') ? ordersAt(3) : ordersAt(5), nextPageToken: null },
  });
  expect(await listed('1')).toEqual([['order-5'], 'there are more: --count\n']);
  expect(await listed('2')).toEqual([['order-5', 'order-3'], '']);
});
