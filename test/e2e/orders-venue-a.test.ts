// Orders at venue A through the whole gateway: signed requests on real sockets, the engine, the store, the paper exchange. The answers, the store and
// the venue agree (contract §4.1, §4.3).

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { someToken } from '../support/paper-traders.ts';
import { errorOf, OrdersRig, orderIdOf, type Shown } from './orders-rig.ts';

let rig: OrdersRig;
let tokenId: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-a');
  tokenId = await someToken(rig.gateway.paper!.urls.venueA.gamma);
});
afterAll(() => rig.close());

const limit = (fields: object = {}) => ({ tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.02', ...fields });
const market = (fields: object = {}) => ({ tokenId, side: 'BUY', type: 'MARKET', amount: '5', ...fields });
const NEW_ORDER = 'POST /order';

interface Row {
  readonly what: string;
  readonly body: () => object;
  readonly fault?: object;
  readonly notAfter?: () => string;
  readonly answer: readonly [status: number, says: string];
  readonly stored: readonly [status: string, error: string | null];
}

const ROWS: readonly Row[] = [
  { what: 'rests', body: limit, answer: [201, 'OPEN'], stored: ['OPEN', null] },
  { what: 'is filled', body: () => limit({ price: '0.98' }), answer: [201, 'FILLED'], stored: ['FILLED', null] },
  {
    what: 'takes from the book',
    // Without its own limit price the order is killed if the price moves in the meantime.
    body: () => market({ worstPrice: '0.98' }),
    answer: [201, 'FILLED'],
    stored: ['FILLED', null],
  },
  {
    what: 'takes at a price of which there is nothing',
    body: () => market({ timeInForce: { type: 'FAK' }, worstPrice: '0.02' }),
    answer: [201, 'CANCELLED'],
    stored: ['CANCELLED', null],
  },
  {
    what: 'cannot be filled whole',
    body: () => market({ worstPrice: '0.02' }),
    answer: [400, 'INVALID_REQUEST'],
    stored: ['REJECTED', 'NOT_FEASIBLE'],
  },
  {
    what: 'would take, and may not',
    body: () => limit({ price: '0.98', postOnly: true }),
    answer: [400, 'INVALID_REQUEST'],
    stored: ['REJECTED', 'NOT_FEASIBLE'],
  },
  {
    what: 'costs more than there is',
    body: () => limit({ size: '900000', price: '0.05' }),
    answer: [400, 'INSUFFICIENT_BALANCE'],
    stored: ['REJECTED', 'VENUE_REJECTED'],
  },
  {
    what: 'sells what nobody has',
    body: () => limit({ side: 'SELL', size: '500000', price: '0.98' }),
    answer: [400, 'INSUFFICIENT_BALANCE'],
    stored: ['REJECTED', 'INVALID_ORDER'],
  },
  {
    what: 'comes too late',
    body: limit,
    notAfter: () => String(Date.now() - 1),
    answer: [400, 'INVALID_REQUEST'],
    stored: ['REJECTED', 'NOT_FEASIBLE'],
  },
  {
    what: 'never arrives, and the connection breaks',
    body: () => limit({ price: '0.03' }),
    fault: { fault: { kind: 'lost', isApplied: false } },
    answer: [502, 'ORDER_RECONCILIATION_REQUIRED'],
    stored: ['SUBMITTED', null],
  },
];

describe('an order that', () => {
  it.each(ROWS)('$what is answered $answer and stored as $stored', async row => {
    if (row.fault !== undefined) await rig.fault({ venue: 'venue_a', operation: NEW_ORDER, ...row.fault });
    const answer = await rig.submit(row.body(), row.notAfter && { notAfter: row.notAfter() });
    const says = answer.status === 201 ? (answer.json as Shown).status : errorOf(answer).code;
    expect([answer.status, says], answer.text).toEqual(row.answer);
    const newest = await rig.newest();
    const { status, error } = await rig.settled(newest!.orderId, it => it.status === row.stored[0]);
    expect([status, error?.code ?? null]).toEqual(row.stored);
    if (answer.status !== 201) expect(errorOf(answer).reason ?? null).toBe(row.stored[1]);
    if (says.startsWith('ORDER_')) expect(errorOf(answer).orderId).toBe(newest!.orderId);
  });

  it('was taken, whose answer is lost, is found under its digest', async () => {
    await rig.fault({ venue: 'venue_a', operation: NEW_ORDER, fault: { kind: 'lost', isApplied: true } });
    const idempotencyKey = randomUUID();
    const answer = await rig.submit(limit({ price: '0.04' }), { idempotencyKey });
    // The private stream may be faster than the broken connection.
    expect([201, 502]).toContain(answer.status);
    const { orderId } = (await rig.newest())!;
    const order = await rig.settled(orderId, ({ status }) => status === 'OPEN');
    expect(order.venueOrderId).toMatch(/^0x[0-9a-f]{64}$/);
    const again = await rig.submit(limit({ price: '0.04' }), { idempotencyKey });
    expect([again.status, again.json]).toEqual([201, { orderId, status: 'OPEN' }]);
  });
});

describe('what is refused before there is an order', () => {
  it.each<[string, () => object, number, RegExp]>([
    ['a price off the grid', () => limit({ price: '0.0234' }), 400, /^price: .*0\.02/],
    ['a size with three decimals', () => limit({ size: '20.123' }), 400, /^size: /],
    ['a size below the minimum', () => limit({ size: '1' }), 400, /^size: /],
    ['a dollar less a cent', () => market({ amount: '0.99' }), 400, /^amount: /],
    ['a token of nobody', () => limit({ tokenId: '12345' }), 404, /^tokenId: no such market/],
    ['a number for text', () => limit({ price: 1 }), 400, /^price: must be decimal text, like "0.53", is a number$/],
    ['a limit order with an amount', () => limit({ amount: '5' }), 400, /^amount: is not a field/],
  ])('%s leaves no trace', async (_what, body, status, message) => {
    const before = await rig.newest();
    const answer = await rig.submit(body());
    expect([answer.status, errorOf(answer).message]).toEqual([status, expect.stringMatching(message)]);
    expect((await rig.newest())?.orderId).toBe(before?.orderId);
  });
});

it('the same key gets the first answer, another body a conflict, and many at once one order', async () => {
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => rig.submit(limit(), { idempotencyKey })));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  expect((await rig.submit(limit({ size: '21' }), { idempotencyKey })).status).toBe(422);
});

it('a cancel is confirmed once; one of all reaches what rests', async () => {
  await rig.cancelAll();
  const [one, two] = [orderIdOf(await rig.submit(limit())), orderIdOf(await rig.submit(limit()))];
  const cancelled = await rig.cancel(one);
  expect([cancelled.status, cancelled.json]).toEqual([200, { orderId: one, status: 'CANCELLED', filledShares: null }]);
  expect((await rig.cancel(one)).status).toBe(409);
  const rest = (await rig.cancelAll(`?tokenId=${tokenId}`, 10)).json as { results: readonly object[] };
  expect(rest.results).toContainEqual({ orderId: two, outcome: 'CANCELLED' });
});

it('fills are shown with what they cost, and sold again', async () => {
  const bought = await rig.submit(market({ amount: '10' }));
  const order = await rig.settled(orderIdOf(bought));
  // The answer has the filled size at once; the trades are reported one by one.
  await eventually(async () => {
    const { fills } = (await rig.fills(order.orderId)).json as { fills: readonly { readonly size: string }[] };
    expect(fills.reduce((sum, { size }) => sum + Number(size), 0)).toBeCloseTo(Number(order.filledShares), 6);
  });
  expect((await rig.shown(order.orderId)).feesUsd).not.toBeNull();
  const sold = await rig.submit(market({ side: 'SELL', amount: '5' }));
  expect([sold.status, (sold.json as Shown).status]).toEqual([201, 'FILLED']);
});

it('the pod’s balance is shown', async () => {
  const answer = await rig.call('GET', '/v1/venue-a/balance');
  expect([answer.status, Object.keys(answer.json as object)]).toEqual([
    200,
    ['available', 'unconverted', 'claimable', 'total'],
  ]);
});

it('a resolved market takes no order, and keeps none of a refused request', async () => {
  await rig.submit(limit());
  await rig.control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value: '1' });
  for (const order of [market(), limit()]) {
    // At first the gateway judges orders by an old book, by old terms and by the venue's answers.
    await eventually(async () => expect((await rig.submit(order)).status).toBe(404));
    const last = await rig.newest();
    const refused = await rig.submit(order);
    expect([refused.status, errorOf(refused).code], refused.text).toEqual([404, 'NOT_FOUND']);
    expect((await rig.newest())!.orderId).toBe(last!.orderId);
  }
});
