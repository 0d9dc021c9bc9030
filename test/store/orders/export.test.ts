// What an export says of orders, fills and positions; and what it does not say.

import { expect, it } from 'vitest';
import { fraction } from '../../../src/domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../src/domain/numbers.ts';
import { noPosition } from '../../../src/domain/position.ts';
import { exportOrders } from '../../../src/store/orders/export.ts';
import { removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { at, fillOf, openOrders, orderIdOf, storedOrder } from './order-rig.ts';

it('is a line of JSON each, with decimal text and without what was signed', async () => {
  const folder = temporaryFolder();
  const store = await openOrders(folder);
  const POD_A = { podId: 'pod', venue: 'venue_a' } as const;
  store.change(to => {
    const intent = { payload: Buffer.from('{"signature":"0xsecret"}'), venueOrderId: '0xdigest', clientOrderId: 'c' };
    const stated = { size: 2_500_000 as MicroShares, cost: 13_250_000_001n, fees: -1 as MicroDollars };
    to.putOrder(storedOrder({ number: 1, venue: 'venue_a', address: '77', intent, createdAt: 0 }, { stated }));
    to.addFill(POD_A, { fill: fillOf('f', { price: 1 as Ticks }), orderId: orderIdOf(1) });
    to.addFill(POD_A, { fill: fillOf('g'), orderId: null });
    const average = fraction(16_000n, 3n);
    const realized = fraction(-5n, 3n);
    to.putPosition('alice', {
      ...noPosition('venue_a', '77', at(0)),
      size: -1_500_000 as MicroShares,
      average,
      realized,
    });
  });
  const lines: string[] = [];
  expect(store.inspect(reader => exportOrders(reader, line => lines.push(line)))).toBe(4);
  await store.close();
  removeFolder(folder);

  expect(lines.join()).not.toContain('secret');
  const [order, nobodys, fill, position] = lines.map(line => JSON.parse(line));
  expect(order).toMatchObject({
    type: 'order',
    orderId: orderIdOf(1),
    actorId: 'alice',
    status: 'PENDING',
    request: { venue: 'venue_a', type: 'LIMIT', tokenId: '77', side: 'BUY', size: '10', price: '0.5', postOnly: false },
    createdAt: '1970-01-01T00:00:00.000Z',
    sentAt: null,
    filled: { size: '0', costUsd: '0', feesUsd: '0' },
    stated: { size: '2.5', costUsd: '1.3250000001', feesUsd: '-0.000001' },
    expectedVenueOrderId: '0xdigest',
  });
  expect(nobodys).toMatchObject({ type: 'fill', orderId: null, podId: 'pod', venue: 'venue_a', fillId: 'g' });
  expect(fill).toMatchObject({ type: 'fill', orderId: orderIdOf(1), price: '0.0001', size: '1', feesUsd: '0.0001' });
  expect(position).toMatchObject({
    type: 'position',
    actorId: 'alice',
    size: '-1.5',
    averagePrice: '0.533333',
    averageTicks: '16000/3',
    realizedUsd: '-0.0000000002',
    realizedTicksMicros: '-5/3',
  });
});
