// The contents of an export: orders, fills and positions, and the data that an export must not contain.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fraction } from '../../../../src/core/domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import type { OrderRequest } from '../../../../src/core/domain/order-request.ts';
import { noPosition } from '../../../../src/core/domain/position.ts';
import { exportOrders } from '../../../../src/core/store/orders/export.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { writeOrders } from '../../../support/write-orders.ts';
import { orderRecord, positionRecord, storedFill } from './order-arbitraries.ts';
import { at, fillOf, OrderTables, orderIdOf, storedOrder } from './order-rig.ts';

const ORDER = {
  type: 'order',
  orderId: orderIdOf(1),
  podId: 'pod',
  actorId: 'alice',
  keyId: 'key_0000000000000000',
  status: 'PENDING',
  request: {
    venue: 'venue_a',
    type: 'LIMIT',
    tokenId: '77',
    side: 'BUY',
    size: '10',
    price: '0.5',
    postOnly: false,
    timeInForce: 'GTC',
  },
  createdAt: '1970-01-01T00:00:00.000Z',
  updatedAt: '1970-01-01T00:00:00.001Z',
  sentAt: '1970-01-01T00:00:00.002Z',
  closedAt: '1970-01-01T00:00:00.003Z',
  cancelRequestedAt: '1970-01-01T00:00:00.004Z',
  venueOrderId: '0xgiven',
  filled: { size: '0', costUsd: '0', feesUsd: '0' },
  stated: { size: '2.5', costUsd: '1.3250000001', feesUsd: '-0.000001' },
  error: null,
  venueError: null,
  isReleased: false,
  cancelReason: null,
  replaces: null,
  replacedBy: null,
  idempotencyKey: 'key 1',
  refusedAs: 'limited',
  clientOrderId: 'c',
  expectedVenueOrderId: '0xdigest',
};

const POSITION = {
  type: 'position',
  actorId: 'alice',
  venue: 'venue_a',
  address: '77',
  size: '-1.5',
  averagePrice: '0.533333',
  averageTicks: '16000/3',
  realizedUsd: '-0.0000000002',
  realizedTicksMicros: '-5/3',
  feesUsd: '0.02',
  isRedeemable: true,
  updatedAt: '1970-01-01T00:00:00.000Z',
};

it('is a line of JSON each, with decimal text and without what was signed', async () => {
  const folder = testFolder();
  const store = new OrderTables(folder);
  const POD_A = { podId: 'pod', venue: 'venue_a' } as const;
  store.change(to => {
    const intent = { payload: Buffer.from('{"signature":"0xsecret"}'), venueOrderId: '0xdigest', clientOrderId: 'c' };
    const stated = { size: 2_500_000 as MicroShares, cost: 13_250_000_001n, fees: -1 as MicroDollars };
    const times = { updatedAt: at(1), sentAt: at(2), closedAt: at(3), cancelRequestedAt: at(4) };
    const changes = { stated, venueOrderId: '0xgiven', ...times };
    const stored = storedOrder({ number: 1, venue: 'venue_a', address: '77', intent, createdAt: 0 }, changes);
    to.putOrder({ ...stored, refusedAs: 'limited' });
    to.addFill(POD_A, { fill: fillOf('f', { price: 1 as Ticks }), orderId: orderIdOf(1) });
    to.addFill(POD_A, { fill: fillOf('g'), orderId: null });
    const average = fraction(16_000n, 3n);
    const realized = fraction(-5n, 3n);
    to.putPosition('alice', {
      ...noPosition('venue_a', '77', at(0)),
      size: -1_500_000 as MicroShares,
      average,
      realized,
      fees: 20_000 as MicroDollars,
      isRedeemable: true,
    });
  });
  const lines: string[] = [];
  expect(exportOrders(store.tables, line => lines.push(line))).toBe(4);
  await store.close();

  expect(lines.join()).not.toContain('secret');
  const [order, nobodys, fill, position] = lines.map(line => JSON.parse(line));
  expect(order).toEqual(ORDER);
  expect(nobodys).toMatchObject({ type: 'fill', orderId: null, podId: 'pod', venue: 'venue_a', fillId: 'g' });
  expect(fill).toEqual({
    type: 'fill',
    orderId: orderIdOf(1),
    fillId: 'f',
    venueTradeId: 'trade of f',
    price: '0.0001',
    size: '1',
    feesUsd: '0.0001',
    liquidity: 'TAKER',
    settlement: 'CONFIRMED',
    executedAt: '1970-01-01T00:00:00.001Z',
  });
  expect(position).toEqual(POSITION);
});

it('says what was asked for in the words of each venue, and null where there is nothing', async () => {
  const folder = testFolder();
  const store = new OrderTables(folder);
  const market = { venue: 'venue_a', type: 'MARKET', tokenId: '7', timeInForce: 'FOK' } as const;
  const requests: readonly OrderRequest[] = [
    { ...market, side: 'BUY', dollars: 2_500_000 as MicroDollars, worstPrice: 6_000 as Ticks },
    { ...market, side: 'SELL', size: 1_500_000 as MicroShares, worstPrice: null },
  ];
  store.change(to => {
    for (const [number, request] of requests.entries()) {
      to.putOrder(storedOrder({ number, venue: 'venue_a', address: '7' }, { request }));
    }
    to.putOrder(storedOrder({ number: 9 }));
  });
  const lines: string[] = [];
  exportOrders(store.tables, line => lines.push(line));
  await store.close();

  const orders = lines.map(line => JSON.parse(line));
  expect(orders.map(it => it.request)).toEqual([
    { ...market, side: 'BUY', dollars: '2.5', worstPrice: '0.6' },
    { ...market, side: 'SELL', size: '1.5', worstPrice: null },
    { venue: 'venue_b', ticker: 'TICKER', side: 'YES', action: 'BUY', size: '10', price: '0.5', timeInForce: 'GTC' },
  ]);
  const nothing = { sentAt: null, closedAt: null, cancelRequestedAt: null, stated: null, refusedAs: null };
  expect(orders[2]).toMatchObject({ ...nothing, clientOrderId: null, expectedVenueOrderId: null });
});

it('4025: says of a replaced order what it replaces, with decimal text', async () => {
  const folder = testFolder();
  const store = new OrderTables(folder);
  const before = { size: 1_500_000 as MicroShares, cost: 75_000_000_000n, fees: 2_000 as MicroDollars };
  const [total, venueTotal] = [10_000_000 as MicroShares, 12_000_000 as MicroShares];
  const replaces = { orderId: orderIdOf(1), total, venueTotal, before };
  store.change(to => {
    to.putOrder(storedOrder({ number: 1 }, { replacedBy: orderIdOf(2) }));
    to.putOrder(storedOrder({ number: 2 }, { replaces }));
  });
  const lines: string[] = [];
  exportOrders(store.tables, line => lines.push(line));
  await store.close();
  const [first, second] = lines.map(line => JSON.parse(line));
  expect([first.replaces, first.replacedBy, second.replacedBy]).toEqual([null, orderIdOf(2), null]);
  const sum = { size: '1.5', costUsd: '7.5', feesUsd: '0.002' };
  expect(second.replaces).toEqual({ orderId: orderIdOf(1), total: '10', venueTotal: '12', before: sum });
});

it('4025: has a line for every order, fill and position that can be stored', async () => {
  const folder = testFolder();
  const { tables, close } = closable(folder);
  const property = fc.property(orderRecord, storedFill, positionRecord, ({ order }, { fill }, position) => {
    const named = { orderId: orderIdOf(1), podId: 'pod', actorId: 'alice', keyId: 'key', idempotencyKey: 'k' };
    const request = order.request.venue === 'venue_a' ? { tokenId: '7' } : { ticker: 'T' };
    const stored = { ...order, ...named, venueOrderId: 'v', request: { ...order.request, ...request } as OrderRequest };
    const account = { podId: 'pod', venue: stored.request.venue };
    const types: string[] = [];
    tables.rehearse(transaction => {
      writeOrders(transaction, to => {
        to.putOrder({ order: stored, intent: null, refusedAs: null });
        to.addFill(account, { fill: { ...fill, fillId: 'f' }, orderId: orderIdOf(1) });
        to.putPosition('alice', { ...position, address: '7' });
      });
      exportOrders(transaction, line => types.push(JSON.parse(line).type));
    });
    expect(types).toEqual(['order', 'fill', 'position']);
  });
  fc.assert(property, { numRuns: 200 });
  await close();
});

function closable(folder: string) {
  const { tables } = new OrderTables(folder);
  const close = async (): Promise<void> => {
    await tables.close();
  };
  return { tables, close };
}
