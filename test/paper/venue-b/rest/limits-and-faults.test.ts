// Rate limits of the paper venue B (venue-b.md §9), the effects of faults on its answers, and its instant mode. Each test runs over real sockets, on
// a clock that only the test moves.

import { afterAll, describe, expect, it } from 'vitest';
import type { RequestFault } from '../../../../src/paper/faults/faults.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { newOrder, type RigOptions, TICKER, VenueBRig } from '../venue-b-rig.ts';

const ORDERS = '/portfolio/events/orders';
const rigs: VenueBRig[] = [];

async function start(options: RigOptions = {}): Promise<{ rig: VenueBRig; timers: VirtualTimers }> {
  const timers = new VirtualTimers();
  const rig = await VenueBRig.start({ timers, ...options });
  rigs.push(rig);
  return { rig, timers };
}
afterAll(() => {
  for (const rig of rigs) rig.close();
});

describe('token buckets', () => {
  it('ten orders and no more at once; then one for each tenth of a second', async () => {
    const { rig, timers } = await start();
    const user = rig.user({ tier: 'basic' });
    const place = async () => (await user.send('POST', ORDERS, newOrder())).status;
    for (let count = 0; count < 10; count += 1) expect(await place()).toBe(201);
    const refused = await user.send('POST', ORDERS, newOrder({ client_order_id: 'again' }));
    expect([refused.status, refused.text]).toEqual([429, '{"error":"too many requests"}']);
    expect((await user.get('/portfolio/orders')).status).toBe(200);
    timers.advance(99);
    expect(await place()).toBe(429);
    timers.advance(1);
    expect((await user.send('POST', ORDERS, newOrder({ client_order_id: 'again' }))).status).toBe(201);
    expect(await place()).toBe(429);
  });

  it('two keys of a user share, two users do not', async () => {
    const { rig } = await start();
    const user = rig.user({ tier: 'basic' });
    for (let count = 0; count < 10; count += 1) await user.send('POST', ORDERS, newOrder());
    expect((await rig.key(user.userId).send('POST', ORDERS, newOrder())).status).toBe(429);
    expect((await rig.user({ tier: 'basic' }).send('POST', ORDERS, newOrder())).status).toBe(201);
  });

  it('a batch is billed for each item, and fits whole or not at all', async () => {
    const { rig } = await start();
    const user = rig.user({ tier: 'basic' });
    const batch = (count: number) => ({ orders: Array.from({ length: count }, () => newOrder()) });
    expect((await user.send('POST', `${ORDERS}/batched`, batch(11))).status).toBe(429);
    expect((await user.send('POST', `${ORDERS}/batched`, batch(9))).status).toBe(201);
    const cancels = { orders: Array.from({ length: 5 }, () => ({ order_id: 'x' })) };
    expect((await user.send('DELETE', `${ORDERS}/batched`, cancels)).status).toBe(200);
    expect((await user.send('DELETE', `${ORDERS}/x`)).status).toBe(429);
  });

  it('reads of a signed caller are paid for, public ones too', async () => {
    const { rig } = await start();
    const user = rig.user({ tier: 'basic' });
    for (let count = 0; count < 20; count += 1) expect((await user.get(`/markets/${TICKER}`)).status).toBe(200);
    expect((await user.get('/portfolio/balance')).status).toBe(429);
    expect((await rig.fetch('GET', `/markets/${TICKER}`)).status).toBe(200);
  });
});

describe('faults', () => {
  const once = (fault: RequestFault, operation = `POST ${ORDERS}`): RigOptions => {
    let isDone = false;
    return {
      faults: {
        ofRequest: asked => {
          if (isDone || asked.venue !== 'venue_b' || asked.operation !== operation || asked.key === '') return null;
          isDone = true;
          return fault;
        },
      },
    };
  };

  it.each([true, false])('a lost answer; the exchange has acted: %s', async isApplied => {
    const { rig } = await start(once({ kind: 'lost', isApplied }));
    const user = rig.user();
    const order = newOrder();
    await expect(user.send('POST', ORDERS, order)).rejects.toThrow();
    expect((await user.send('POST', ORDERS, order)).status).toBe(isApplied ? 409 : 201);
  });

  it.each([true, false])('a 503 from the edge; the exchange has acted: %s', async isApplied => {
    const { rig } = await start(once({ kind: 'status', status: 503, isApplied }));
    const user = rig.user();
    const order = newOrder();
    expect(await user.send('POST', ORDERS, order)).toMatchObject({ status: 503, text: '' });
    expect((await user.send('POST', ORDERS, order)).status).toBe(isApplied ? 409 : 201);
  });

  it('429 though the bucket is full', async () => {
    const { rig } = await start(once({ kind: 'rate-limited' }));
    const answer = await rig.user().send('POST', ORDERS, newOrder());
    expect([answer.status, answer.text]).toEqual([429, '{"error":"too many requests"}']);
  });

  it('an answer hangs, and then never comes', async () => {
    const { rig, timers } = await start(once({ kind: 'hung', isApplied: true, hangMs: 5_000 }));
    const user = rig.user();
    const pending = expect(user.send('POST', ORDERS, newOrder())).rejects.toThrow();
    await untilListed(rig, user.userId);
    timers.advance(5_000);
    await pending;
  });

  it('an answer that comes late', async () => {
    const { rig, timers } = await start(once({ kind: 'delay', beforeMs: 0, afterMs: 700 }));
    const user = rig.user();
    const pending = user.send('POST', ORDERS, newOrder());
    await untilListed(rig, user.userId);
    timers.advance(700);
    expect((await pending).status).toBe(201);
  });

  it('reads that are behind', async () => {
    const { rig, timers } = await start({ faults: { staleMs: () => 300 } });
    const user = rig.user();
    const placed = await user.send('POST', ORDERS, newOrder());
    const id = (placed.body as { order_id: string }).order_id;
    timers.advance(300);
    await user.send('DELETE', `${ORDERS}/${id}`);
    timers.advance(299);
    expect((await user.get(`/portfolio/orders/${id}`)).body).toMatchObject({ order: { status: 'resting' } });
    timers.advance(1);
    expect((await user.get(`/portfolio/orders/${id}`)).body).toMatchObject({ order: { status: 'canceled' } });
  });
});

/** Resolves when the exchange has acted, which an event reports. */
function untilListed(rig: VenueBRig, userId: string): Promise<void> {
  return new Promise(resolve => {
    const end = rig.exchange.observe(event => {
      if (event.type !== 'order' || event.order.owner.userId !== userId) return;
      end();
      setImmediate(resolve);
    });
  });
}

describe('instant mode', () => {
  it('answers each request as filled, for any user, and remembers nothing', async () => {
    const { rig } = await start({ mode: 'instant' });
    const order = newOrder({ price: '0.5250', count: '3.00', client_order_id: 'fast' });
    const answer = await rig.fetch('POST', ORDERS, order);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        average_fee_paid: '0.0000',
        average_fill_price: '0.5250',
        client_order_id: 'fast',
        fill_count: '3.00',
        order_id: expect.stringMatching(/^[\da-f-]{36}$/),
        remaining_count: '0.00',
        ts_ms: rig.exchange.now(),
      },
    ]);
    expect((await rig.fetch('POST', ORDERS, order)).status).toBe(201);
    expect((await rig.user().get('/portfolio/orders')).body).toEqual({ cursor: '', orders: [] });
  });

  it('is exact in everything else', async () => {
    const { rig } = await start({ mode: 'instant' });
    expect((await rig.fetch('GET', '/portfolio/orders')).status).toBe(401);
    expect((await rig.user().send('DELETE', `${ORDERS}/x`)).status).toBe(404);
  });

  it.each([{ price: 1 }, { price: 'x' }, { count: '0' }, { ticker: undefined }])('refuses %j', async changes => {
    const { rig } = await start({ mode: 'instant' });
    expect((await rig.fetch('POST', ORDERS, newOrder(changes))).status).toBe(400);
  });
});
