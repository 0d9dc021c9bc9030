// Orders at venue B through the whole gateway: signed requests on real sockets, the engine, the store, the paper exchange. The answers, the store and
// the venue agree (contract §4.3).

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someTicker } from '../support/paper-traders.ts';
import { errorOf, OrdersRig, orderIdOf, type Shown } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

const order = (fields: object = {}) => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1, ...fields });
const NEW_ORDER = 'POST /portfolio/events/orders';

const UNREPORTED = { venue: 'venue_b', operation: 'user_order', fault: { kind: 'drop' } };

interface Row {
  readonly what: string;
  readonly fields?: object;
  readonly fault?: object;
  /** Whether the private stream does not report the order. Otherwise the stream may be faster than the answer. */
  readonly isUnreported?: boolean;
  readonly notAfter?: () => string;
  /** The answer: the HTTP status, then the status of the order or the code of the error. */
  readonly answer: readonly [status: number, says: string];
  /** The order as it is read afterwards: its status and its error. */
  readonly stored: readonly [status: string, error: string | null];
}

const ROWS: readonly Row[] = [
  { what: 'rests', answer: [201, 'OPEN'], stored: ['OPEN', null] },
  { what: 'is filled', fields: { priceCents: 99 }, answer: [201, 'FILLED'], stored: ['FILLED', null] },
  {
    what: 'of the side NO is filled',
    fields: { side: 'NO', priceCents: 99 },
    answer: [201, 'FILLED'],
    stored: ['FILLED', null],
  },
  {
    what: 'takes nothing at once',
    fields: { timeInForce: { type: 'IOC' } },
    answer: [201, 'CANCELLED'],
    stored: ['CANCELLED', null],
  },
  {
    what: 'cannot be filled whole',
    fields: { timeInForce: { type: 'FOK' } },
    answer: [400, 'INVALID_REQUEST'],
    stored: ['REJECTED', 'NOT_FEASIBLE'],
  },
  {
    what: 'costs more than there is',
    fields: { count: 5_000_000, priceCents: 50 },
    answer: [400, 'INSUFFICIENT_BALANCE'],
    stored: ['REJECTED', 'VENUE_REJECTED'],
  },
  {
    what: 'comes too late',
    notAfter: () => String(Date.now() - 1),
    answer: [400, 'INVALID_REQUEST'],
    stored: ['REJECTED', 'NOT_FEASIBLE'],
  },
  {
    what: 'is taken, and its answer is lost',
    fault: { fault: { kind: 'lost', isApplied: true } },
    isUnreported: true,
    answer: [502, 'ORDER_RECONCILIATION_REQUIRED'],
    stored: ['OPEN', null],
  },
  {
    what: 'is taken, and its answer is a 500',
    fault: { fault: { kind: 'status', status: 500, isApplied: true } },
    isUnreported: true,
    answer: [502, 'ORDER_RECONCILIATION_REQUIRED'],
    stored: ['OPEN', null],
  },
];

describe('an order that', () => {
  it.each(ROWS)('$what is answered $answer and stored as $stored', async row => {
    if (row.fault !== undefined) await rig.fault({ venue: 'venue_b', operation: NEW_ORDER, ...row.fault });
    if (row.isUnreported) await rig.fault(UNREPORTED);
    const answer = await rig.submit(order(row.fields), row.notAfter && { notAfter: row.notAfter() });
    const says = answer.status === 201 ? (answer.json as Shown).status : errorOf(answer).code;
    expect([answer.status, says], answer.text).toEqual(row.answer);
    const newest = await rig.newest();
    const { status, error } = await rig.settled(newest!.orderId, it => it.status === row.stored[0]);
    expect([status, error?.code ?? null]).toEqual(row.stored);
    if (answer.status !== 201) expect(errorOf(answer).reason ?? null).toBe(row.stored[1]);
    if (says.startsWith('ORDER_')) expect(errorOf(answer).orderId).toBe(newest!.orderId);
  });

  it('gets no answer in time is answered 504, and so again while nobody knows', async () => {
    await rig.fault({
      venue: 'venue_b',
      operation: NEW_ORDER,
      fault: { kind: 'hung', isApplied: false, hangMs: 7_000 },
    });
    const idempotencyKey = randomUUID();
    const answer = await rig.submit(order(), { idempotencyKey });
    expect([answer.status, errorOf(answer).code]).toEqual([504, 'ORDER_RECONCILIATION_REQUIRED']);
    const orderId = errorOf(answer).orderId!;
    expect((await rig.shown(orderId)).status).toBe('SUBMITTED');
    const again = await rig.submit(order(), { idempotencyKey });
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([504, answer.text, 'true']);
    expect(await rig.idsAtVenueB()).not.toContainEqual(expect.stringMatching(orderId));
  });
});

describe('what is refused before there is an order', () => {
  it.each<[string, object | string, number, RegExp]>([
    ['a ticker in lower case', { ticker: 'kxa-b' }, 400, /^ticker: must match/],
    ['a market of nobody', { ticker: 'KXNOTHING-26' }, 404, /^ticker: no such market/],
    ['a price of no cents', { priceCents: 100 }, 400, /^priceCents: must be an integer from 1 to 99/],
    ['no contract', { count: 0 }, 400, /^count: /],
    ['a field of nobody', { postonly: true }, 400, /^postonly: is not a field/],
    ['no body', '', 400, /^body: /],
    ['another time in force', { timeInForce: { type: 'DAY' } }, 400, /^timeInForce.type: /],
  ])('%s leaves no trace', async (_what, fields, status, message) => {
    const before = await rig.newest();
    const answer = await rig.submit(typeof fields === 'string' ? fields : order(fields));
    expect([answer.status, errorOf(answer).message]).toEqual([status, expect.stringMatching(message)]);
    expect((await rig.newest())?.orderId).toBe(before?.orderId);
  });

  it.each<[string, object, string]>([
    ['without an idempotency key', { idempotencyKey: '' }, 'Idempotency-Key'],
    ['with a deadline of no form', { notAfter: 'soon' }, 'SVC-Not-After-Millis'],
  ])('a request %s', async (_what, parts, name) => {
    const answer = await rig.submit(order(), parts);
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining(name)]);
  });
});

describe('an idempotency key', () => {
  it('gets its first answer again, and makes no second order', async () => {
    const idempotencyKey = randomUUID();
    const first = await rig.submit(order(), { idempotencyKey });
    const again = await rig.submit(order(), { idempotencyKey });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
    const ids = await rig.idsAtVenueB();
    expect(ids.filter(id => id.startsWith(orderIdOf(first)))).toHaveLength(1);
  });

  it('with another body is refused', async () => {
    const idempotencyKey = randomUUID();
    await rig.submit(order(), { idempotencyKey });
    const other = await rig.submit(order({ count: 3 }), { idempotencyKey });
    expect([other.status, errorOf(other).code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
  });

  it.each([
    ['breaks the rules', JSON.stringify(order({ count: 0 }))],
    ['is no JSON', '{"ticker"'],
    ['is empty', ''],
  ])('with another body that %s is refused as used', async (_what, body) => {
    const idempotencyKey = randomUUID();
    expect((await rig.submit(body, { idempotencyKey })).status).toBe(400);
    await rig.submit(order(), { idempotencyKey });
    const other = await rig.submit(body, { idempotencyKey });
    expect([other.status, errorOf(other).code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
  });

  it('used many times at once makes one order, and all get the same answer', async () => {
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => rig.submit(order(), { idempotencyKey })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    const ids = await rig.idsAtVenueB();
    expect(ids.filter(id => id.startsWith(orderIdOf(answers[0]!)))).toHaveLength(1);
  });
});

it('an answer says how long its stages took where its request asks for that, and nowhere else', async () => {
  const text = JSON.stringify(order());
  const submission = { body: text, headers: { 'Content-Type': 'application/json' } };
  const orderId = orderIdOf(await rig.submit(order()));
  const asked: readonly (readonly [method: string, target: string, stages: RegExp])[] = [
    ['POST', '/v1/venue-b/orders', /^parse;dur=.*auth;dur=.*store;dur=.*venue;dur=.*total;dur=[\d.]+$/],
    ['GET', `/v1/venue-b/orders/${orderId}`, /total;dur=/],
    ['GET', '/v1/venue-b/orders', /^total;dur=/],
    ['GET', `/v1/venue-b/orders/${orderId}/fills`, /^total;dur=/],
    ['GET', '/v1/venue-b/positions', /total;dur=/],
    ['GET', '/v1/venue-b/balance', /total;dur=/],
    ['DELETE', `/v1/venue-b/orders/${orderId}`, /venue;dur=/],
    ['DELETE', '/v1/venue-b/orders', /total;dur=/],
  ];
  for (const [method, target, stages] of asked) {
    const sending = method === 'POST' ? submission : {};
    const idempotencyKey = method === 'POST' ? randomUUID() : '';
    const timed = { ...submission.headers, 'SVC-Timing': '1' };
    const headers = method === 'POST' ? timed : { 'SVC-Timing': '1' };
    const other = { ...sending, idempotencyKey: method === 'POST' ? randomUUID() : '' };
    for (const value of ['0', 'true', ''])
      expect(
        (await rig.call(method, target, { ...other, headers: { ...headers, 'SVC-Timing': value } })).headers,
      ).not.toHaveProperty('server-timing');
    const answer = await rig.call(method, target, { ...sending, idempotencyKey, headers });
    expect(answer.headers['server-timing'], `${method} ${target} ${answer.text}`).toMatch(stages);
  }
});

describe('a cancel', () => {
  it('is confirmed once, and then refused', async () => {
    const orderId = orderIdOf(await rig.submit(order()));
    const cancelled = await rig.cancel(orderId);
    expect([cancelled.status, cancelled.json]).toEqual([200, { orderId, status: 'CANCELLED', filledCount: null }]);
    const again = await rig.cancel(orderId);
    expect([again.status, errorOf(again).code]).toEqual([409, 'ORDER_NOT_CANCELLABLE']);
    expect((await rig.shown(orderId)).status).toBe('CANCELLED');
  });

  it('of nothing, or of no order id, is not found', async () => {
    expect((await rig.cancel('0198c6f0-5d1e-8a3b-9c4d-2f6e7a8b9c0d')).status).toBe(404);
    expect((await rig.cancel('x')).status).toBe(404);
  });

  it('of all reaches what rests of one ticker, and then of any', async () => {
    const other = rig.gateway.markets.find(it => it.venue === 'venue_b' && it.ticker !== ticker)!;
    const ofOther = { ticker: 'ticker' in other ? other.ticker : '' };
    const one = orderIdOf(await rig.submit(order()));
    const two = orderIdOf(await rig.submit(order(ofOther)));
    const some = await rig.cancelAll(`?ticker=${ofOther.ticker}`);
    expect(some.json).toEqual({ results: [{ orderId: two, outcome: 'CANCELLED' }] });
    const { results } = (await rig.cancelAll('', 10)).json as { results: readonly object[] };
    expect(results).toContainEqual({ orderId: one, outcome: 'CANCELLED' });
    expect(results).not.toContainEqual(expect.objectContaining({ orderId: two }));
  });

  it('of all orders with an invalid ticker is refused: a success would look like a market where nothing rests', async () => {
    const answer = await rig.cancelAll(`?ticker=${ticker.toLowerCase()}`);
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringMatching(/^ticker: must match/)]);
  });

  it('of all is the same request when it is signed the same', async () => {
    const [first, again] = await Promise.all([rig.cancelAll('', 20), rig.cancelAll('', 20)]);
    expect(again.text).toBe(first.text);
    const replayed = [first, again].map(({ headers }) => headers['idempotency-replayed'] ?? null);
    expect(replayed.toSorted()).toEqual(['true', null].toSorted());
  });
});

describe('reading', () => {
  it('shows fills with what they cost, and pages through them', async () => {
    const answer = await rig.submit(order({ count: 3, priceCents: 99 }));
    const shown = await rig.settled(orderIdOf(answer), it => it.feesUsd !== null);
    expect(shown).toMatchObject({ status: 'FILLED', filledCount: '3', averagePrice: expect.stringMatching(/^0\./) });
    await expect
      .poll(async () => {
        const { fills } = (await rig.fills(shown.orderId)).json as { fills: { size: string }[] };
        return fills.reduce((sum, { size }) => sum + Number(size), 0);
      })
      .toBe(3);
    expect((await rig.fills(shown.orderId, '?pageSize=1')).status).toBe(200);
  });

  it('lists newest first, a page at a time, none twice and none missed', async () => {
    for (let count = 0; count < 5; count += 1) await rig.submit(order());
    const all = ((await rig.list('?pageSize=100')).json as { orders: Shown[] }).orders.map(it => it.orderId);
    const seen: string[] = [];
    let token: string | null = null;
    do {
      const query: string = token === null ? '?pageSize=2' : `?pageToken=${token}`;
      const page = (await rig.list(query)).json as { orders: Shown[]; nextPageToken: string | null };
      seen.push(...page.orders.map(it => it.orderId));
      token = page.nextPageToken;
    } while (token !== null && seen.length < 1_000);
    expect(seen).toEqual(all);
  });

  it('filters, and refuses a token that is not of this list', async () => {
    const page = (await rig.list(`?pageSize=1&ticker=${ticker}&status=OPEN`)).json as {
      nextPageToken: string;
      orders: Shown[];
    };
    expect(page.orders[0]).toMatchObject({ status: 'OPEN', error: null });
    const token = page.nextPageToken;
    expect((await rig.list(`?pageToken=${token}`)).status).toBe(200);
    expect((await rig.list(`?pageToken=${token}&ticker=OTHER`)).status).toBe(400);
    expect((await rig.list(`?pageToken=${token.slice(1)}A`)).status).toBe(400);
    expect((await rig.list('?status=DONE')).status).toBe(400);
    expect((await rig.list('?pageSize=101')).status).toBe(400);
    expect((await rig.list('?ticker=')).status).toBe(400);
  });

  it('shows the pod’s balance', async () => {
    const answer = await rig.call('GET', '/v1/venue-b/balance');
    const { available } = answer.json as { readonly available: number };
    expect([answer.status, answer.json]).toEqual([200, { available, shards: [{ index: 0, available }] }]);
  });
});

describe('a caller', () => {
  it('does not see another actor’s orders, nor those of the other venue', async () => {
    const orderId = orderIdOf(await rig.submit(order()));
    const stranger = await rig.newKey({ actorId: 'stranger', scopes: ['read', 'trade'] });
    expect((await rig.read(orderId, stranger)).status).toBe(404);
    expect((await rig.cancel(orderId, stranger)).status).toBe(404);
    expect((await rig.list('', stranger)).json).toEqual({ orders: [], nextPageToken: null });
    expect((await rig.call('GET', `/v1/venue-a/orders/${orderId}`)).status).toBe(404);
    expect((await rig.shown(orderId)).status).toBe('OPEN');
  });

  it('who may only read, or whose signature is wrong, makes no order', async () => {
    const reader = await rig.newKey({ actorId: 'reader', scopes: ['read'] });
    const idempotencyKey = randomUUID();
    expect((await rig.submit(order(), { idempotencyKey }, reader)).status).toBe(403);
    const forged = { ...rig.gateway.key, seedHex: '00'.repeat(32) };
    expect((await rig.submit(order(), { idempotencyKey }, forged)).status).toBe(401);
    const before = await rig.idsAtVenueB();
    expect((await rig.submit(order(), { idempotencyKey })).headers['idempotency-replayed']).toBeUndefined();
    expect((await rig.idsAtVenueB()).length).toBe(before.length + 1);
  });

  it('learns that the venue is tradable', async () => {
    const { venues } = (await rig.call('GET', '/v1/whoami')).json as { venues: readonly object[] };
    expect(venues).toContainEqual({ venue: 'venue_b', tradable: true, marketData: true });
  });
});

/** This test is last: after the venue's 429 the mirror of the venue's budget lets no request through for a while. */
describe('an order that the venue refuses for now', () => {
  it('as its engine restarts was not taken: the same request may be made again', async () => {
    const idempotencyKey = randomUUID();
    const fault = { kind: 'status', status: 425, isApplied: false };
    await rig.fault({ venue: 'venue_b', operation: NEW_ORDER, fault });
    const refused = await rig.submit(order(), { idempotencyKey });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(await rig.newest()).toMatchObject({ status: 'REJECTED' });
    expect((await rig.submit(order(), { idempotencyKey })).status).toBe(201);
  });

  it('was not sent, and its key may be used again, for the same order id', async () => {
    const idempotencyKey = randomUUID();
    await rig.fault({ venue: 'venue_b', operation: NEW_ORDER, fault: { kind: 'rate-limited' } });
    const refused = await rig.submit(order(), { idempotencyKey });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const before = await rig.newest();
    expect(before).toMatchObject({ status: 'REJECTED' });
    await expect.poll(async () => (await rig.submit(order(), { idempotencyKey })).status).toBe(201);
    expect(await rig.newest()).toMatchObject({ orderId: before!.orderId, status: 'OPEN' });
  });
});
