// The list of a pod's open orders while they change between two readings of the history.

import { expect, it } from 'vitest';
import { OPEN_STATUSES } from '../../../src/core/domain/order-frame.ts';
import type { OrderQuery } from '../../../src/core/store/order-records.ts';
import { type PodHandlerParts, podHandlers } from '../../../src/gateway/pod/pod-handlers.ts';
import { orderOf } from '../../support/memory-order-feed.ts';

const ACTOR = 'pod/actor';

it('4041: has each order once, in the state that was read last', async () => {
  // The first order is acknowledged between the pages of PENDING, SUBMITTED and OPEN. The second order rests all the time.
  const asked: (string | null)[] = [];
  const listOrders = async ({ venue, status }: OrderQuery) => {
    if (venue !== 'venue_b') return [];
    asked.push(status);
    const found = [{ ...orderOf(ACTOR, 1), status: status! }];
    return status === 'OPEN' ? [...found, { ...orderOf(ACTOR, 2), status }] : found;
  };
  const parts = {
    actorsOf: () => [ACTOR],
    trading: { otherOwner: null, isBehind: () => false, openCounts: new Map([[ACTOR, 2]]) },
    listOrders,
  } as unknown as PodHandlerParts;
  const { listPodOrders } = podHandlers(parts);
  const reply = await listPodOrders!({ key: { podId: 'pod', keyId: 'key' } } as Parameters<
    NonNullable<typeof listPodOrders>
  >[0]);
  const { orders } = JSON.parse(String(reply.body)) as {
    readonly orders: { order: { orderId: string; status: string } }[];
  };
  expect(asked).toEqual(OPEN_STATUSES);
  expect(orders.map(({ order }) => [order.orderId, order.status])).toEqual([
    [orderOf(ACTOR, 1).orderId, 'OPEN'],
    [orderOf(ACTOR, 2).orderId, 'OPEN'],
  ]);
});
