// Limits of an actor (contract §4.11), set by the command line while the gateway runs. They apply to the next order. A refused order is listed, and
// its answer names the limit.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import { limitsCommand } from '../../src/tools/cli/limits.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import type { Answer } from '../support/signed-requests.ts';
import { errorOf, OrdersRig } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());
let inS = 0;
afterEach(async () => {
  await rig.cancelAll('', ++inS);
  const names = ['notional-max', 'size-max', 'open-orders-max', 'position-max', 'collar-ticks', 'cancel-rate-max'];
  await setLimits(...[...names, 'order-rate-max'].map(name => `--${name}=none`));
});

const order = (fields: object = {}) => ({
  ticker,
  side: 'YES',
  action: 'BUY',
  count: 10,
  priceCents: 2,
  timeInForce: { type: 'GTC' },
  ...fields,
});

async function setLimits(...options: readonly string[]): Promise<void> {
  const io = { out: () => {}, err: () => {}, env: { CROSSBOOK_DATA_DIR: rig.gateway.dataDir } };
  expect(await limitsCommand(['set', '--actor', rig.gateway.actorId, ...options], io)).toBe(0);
}

async function expectRefused(answer: Answer, message: string, code = 'INVALID_ORDER'): Promise<void> {
  expect([answer.status, errorOf(answer)]).toEqual([400, { code: 'INVALID_REQUEST', message, reason: code }]);
  const { orderId } = (await rig.newest())!;
  expect(await rig.shown(orderId)).toMatchObject({
    status: 'REJECTED',
    venueOrderId: null,
    error: { code, message },
  });
}

it('notionalMax: holds for the next order, and no longer once it is lifted', async () => {
  expect((await rig.submit(order())).status).toBe(201);
  await setLimits('--notional-max', '0.19');
  const [idempotencyKey, message] = [
    randomUUID(),
    'the order may cost 0.2 dollars, more than the actor’s notionalMax (0.19)',
  ];
  await expectRefused(await rig.submit(order(), { idempotencyKey }), message, 'NOT_FEASIBLE');
  expect((await rig.submit(order({ count: 9 }))).status).toBe(201);
  await setLimits('--notional-max', 'none');
  expect((await rig.submit(order())).status).toBe(201);
  const again = await rig.submit(order(), { idempotencyKey });
  expect([again.status, errorOf(again).message, again.headers['idempotency-replayed']]).toEqual([400, message, 'true']);
});

it('openOrdersMax: counts what rests, and a cancel makes room', async () => {
  await setLimits('--open-orders-max', '1');
  const first = await rig.submit(order());
  expect(first.status).toBe(201);
  await expectRefused(await rig.submit(order()), 'the actor has 1 open orders, its openOrdersMax is 1');
  await rig.cancel((first.json as { orderId: string }).orderId);
  expect((await rig.submit(order())).status).toBe(201);
});

it('positionMax: counts what rests, of orders of many at once too', async () => {
  await setLimits('--position-max', '25');
  const answers = await Promise.all(Array.from({ length: 8 }, () => rig.submit(order())));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400, 400, 400]);
  await expectRefused(
    await rig.submit(order({ count: 6 })),
    'the position could become 26, past the actor’s positionMax (25)',
  );
  expect((await rig.submit(order({ count: 5 }))).status).toBe(201);
});

it('collarTicks: counts from the LIVE book, which the paper exchange keeps', async () => {
  // The gateway keeps the book of a market in which an order rests. Until the book is LIVE, the collar refuses with 503.
  expect((await rig.submit(order())).status).toBe(201);
  await setLimits('--collar-ticks', '0');
  // The book of the market has an ask below 99 cents.
  await eventually(async () =>
    expect(errorOf(await rig.submit(order({ priceCents: 99, count: 1 })))).toMatchObject({
      reason: 'NOT_FEASIBLE',
      message: expect.stringContaining('the actor’s collar'),
    }),
  );
  expect((await rig.submit(order())).status).toBe(201);
});

it('orderRateMax: 503 without an order, and the key stays free', async () => {
  await setLimits('--order-rate-max', '0');
  const idempotencyKey = randomUUID();
  const refused = await rig.submit(order(), { idempotencyKey });
  expect([refused.status, errorOf(refused).code, refused.headers['retry-after']]).toEqual([
    503,
    'INTERNAL_ERROR',
    '10',
  ]);
  await setLimits('--order-rate-max', 'none');
  const again = await rig.submit(order(), { idempotencyKey });
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
});

it('cancelRateMax: 429 to the cancel of one order, and none to a cancel of all', async () => {
  const made = await rig.submit(order());
  const { orderId } = made.json as { orderId: string };
  await setLimits('--cancel-rate-max', '0');
  const one = await rig.cancel(orderId);
  expect([one.status, errorOf(one).code, one.headers['retry-after']]).toEqual([429, 'INVALID_REQUEST', '10']);
  const batch = await rig.call('DELETE', '/v1/venue-b/orders/batch', {
    body: JSON.stringify({ orderIds: [orderId] }),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(batch.json).toMatchObject({ results: [{ status: 429, retryAfterS: 10 }] });
  expect(await rig.shown(orderId)).toMatchObject({ status: 'OPEN' });
  const all = await rig.cancelAll('', ++inS);
  expect(all.json).toMatchObject({ results: [{ orderId, outcome: 'CANCELLED' }] });
});

it('whoami says what holds', async () => {
  const limitsNow = async () =>
    ((await rig.call('GET', '/v1/whoami')).json as { limits: { orders: object } }).limits.orders;
  const none = { ...NO_LIMITS, collarWithoutBook: 'REFUSE' };
  expect(await limitsNow()).toEqual(none);
  await setLimits('--notional-max', '500.50', '--open-orders-max', '0', '--position-max', '1000');
  expect(await limitsNow()).toEqual({ ...none, notionalMax: '500.5', openOrdersMax: 0, positionMax: '1000' });
});
