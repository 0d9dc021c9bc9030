// Found by replacing an order that the venue had filled by a fraction: what was left, 19.78 contracts, was shown as `count: 19.78`. The
// contract has whole contracts there, and so have both codecs: our own client could not read the order, nor its events.

import { expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type OrderId } from '../../src/domain/order.ts';
import { VENUE_B_ORDER, viewFromJson } from '../../src/wire/order-fields.ts';
import { orderView } from '../../src/wire/order-views.ts';
import { openapiSchemas } from '../support/contract-schema.ts';

it.each([
  [19_780_000, null],
  [20_000_000, 20],
  [10_000, null],
])('an order shows only whole contracts as its count: of %d micro-shares, %s', (size, count) => {
  const order = createOrder({
    orderId: '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId,
    ...{ podId: 'pod', actorId: 'actor', keyId: 'key', idempotencyKey: 'k-1' },
    at: 1_790_000_000_123 as UnixMillis,
    request: {
      ...{ venue: 'venue_b', ticker: 'KX-A', side: 'NO', action: 'BUY', timeInForce: 'GTC' },
      ...{ size: size as MicroShares, price: 4_200 as Ticks },
    },
  });
  const view = orderView(order, true);
  expect(view).toMatchObject({ count });
  expect(openapiSchemas.problems('#/components/schemas/VenueBOrder', view)).toEqual([]);
  expect(viewFromJson(VENUE_B_ORDER, view, 'order')).toMatchObject({ count });
});
