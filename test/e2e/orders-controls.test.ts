// The safety controls of orders through the whole gateway (contract §4.11). A dead man's switch outlives the engine's thread, the end of
// the gateway and its next start.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProtectionOperation } from '../../src/core/domain/operation.ts';
import { protectionLimits } from '../../src/core/domain/protection.ts';
import { performProtection } from '../../src/orders/life/protection-replies.ts';
import { ACTOR, POD, RESTS, Rig, YES_BUY } from '../orders/life/orders-rig.ts';
import { someTicker } from '../support/paper-traders.ts';
import { recorded } from '../support/recorded.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

const order = () => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1 });

function cancelAfter(body: object, inS = 0) {
  return rig.call('POST', '/v1/orders/cancel-after', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    timestamp: String(Math.floor(Date.now() / 1_000) + inS),
  });
}

describe('a dead man’s switch', () => {
  it('cancels what rests when its time has run out', async () => {
    const orderId = orderIdOf(await rig.submit(order()));
    const armed = await cancelAfter({ timeoutMs: 1_000 });
    const { deadline } = armed.json as { readonly deadline: string };
    expect(Date.parse(deadline)).toBeGreaterThan(Date.now());
    expect((await rig.shown(orderId)).status).toBe('OPEN');
    const order_ = await rig.settled(orderId);
    expect(order_).toMatchObject({ status: 'CANCELLED', cancelReason: 'DEAD_MAN' });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(deadline));
  });

  it('is set anew by every call, and disarmed by 0', async () => {
    const switches = () => recorded(rig.gateway.dataDir, it => it.cancelAfters());
    const deadlineOf = async (timeoutMs: number, inS: number): Promise<number> => {
      const { deadline } = (await cancelAfter({ timeoutMs }, inS)).json as { readonly deadline: string };
      return Date.parse(deadline);
    };
    const [later, sooner] = [await deadlineOf(600_000, 1), await deadlineOf(300_000, 2)];
    expect(sooner).toBeLessThan(later);
    await expect.poll(() => switches().map(({ deadline }) => deadline)).toEqual([sooner]);
    expect((await cancelAfter({ timeoutMs: 0 }, 3)).json).toEqual({ deadline: null });
    await expect.poll(switches).toEqual([]);
  });

  it.each([{ timeoutMs: 999 }, { timeoutMs: 600_001 }, { timeoutMs: '5000' }, {}, { timeoutMs: 5_000, more: 1 }])(
    'of %j is refused',
    async body => {
      const answer = await cancelAfter(body);
      expect([answer.status, errorOf(answer).code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );
});

// The request for a protection of a market with unknown facts waited for the venue for up to ten seconds. Then the protection was set, whether or not
// the market existed. Now the wait is short, and an error message ends it. If the actor has orders or a position in the market, the request does not
// wait.
describe('3147: a venue that does not answer', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = new Rig();
    rig.venue.facts = () => new Promise(() => {});
  });

  const protect = (address: string) => {
    const { store, protections: watch, timers, venue } = rig;
    const operation: ProtectionOperation = {
      ...{ name: 'protection', ask: 'set', caller: { podId: POD, actorId: ACTOR, keyId: 'key' } },
      body: { venue: 'venue_b', address, fillsMax: 1, windowMs: 1_000 },
    };
    return performProtection({ store, watch, timers, tradingOf: () => venue }, operation);
  };

  it('is waited for no longer than is allowed, and the answer names it', async () => {
    const answer = protect('KXNOBODYKNOWS-26');
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await rig.timers.settle(0);
    await rig.pass(protectionLimits.protectionMarketMs - 1);
    expect(isAnswered).toBe(false);
    await rig.pass(1);
    const { status, body, headers } = await answer;
    expect([status, headers]).toEqual([503, [['Retry-After', '1']]]);
    expect(JSON.parse(body).error.message).toBe(
      'address: venue_b does not say now whether there is such a market (no answer within 3000 ms (protectionMarketMs)): nothing was set',
    );
    expect(rig.store.protections(ACTOR)).toEqual([]);
  });

  it('is not waited for where the actor has an open order', async () => {
    rig.venue.facts = () => Promise.resolve(rig.venue.facts_);
    await rig.submit(RESTS);
    rig.venue.facts = () => new Promise(() => {});
    expect((await protect(YES_BUY.ticker)).status).toBe(200);
    // The market has a protection now.
    expect((await protect(YES_BUY.ticker)).status).toBe(200);
  });
});

describe('3147: a gateway', () => {
  let rig: OrdersRig;
  let ticker: string;
  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
    ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
    await rig.fault({
      ...{ venue: 'venue_b', operation: 'GET /markets/:ticker', countMax: 20 },
      fault: { kind: 'status', status: 503, isApplied: false },
    });
  });
  afterAll(() => rig.close());

  it('sets no protection while the venue cannot say whether there is such a market', async () => {
    const protect = (fields: object) =>
      rig.call('POST', '/v1/orders/protection', {
        body: JSON.stringify({ venue: 'venue_b', fillsMax: 1, windowMs: 1_000, ...fields }),
        headers: { 'Content-Type': 'application/json' },
        idempotencyKey: randomUUID(),
      });
    const refused = await protect({ address: ticker });
    expect([refused.status, errorOf(refused).message]).toEqual([
      503,
      expect.stringMatching(
        /^address: venue_b does not say now whether there is such a market \(.+\): nothing was set$/,
      ),
    ]);
    expect((await rig.call('GET', '/v1/orders/protection')).json).toEqual({ protections: [] });
    expect((await protect({})).status).toBe(200);
    await rig.control('DELETE', '/faults');
    expect((await protect({ address: ticker })).status).toBe(200);
  });
});

// A cancel by the pod right after an order's answer was a 404 at times: the main thread heard of the order behind its reply.
describe('3148: an order that the pod did not know', () => {
  const ORDERS = 60;

  it('the pod knows an order as soon as its caller does', async () => {
    const rig = await OrdersRig.shared('venue-b');
    try {
      const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
      const canceller = await rig.newKey({ scopes: ['observe', 'cancel'] });
      const order = { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1, timeInForce: { type: 'GTC' } };
      const statuses: number[] = [];
      while (statuses.length < ORDERS) {
        const orderId = orderIdOf(await rig.submit(order));
        statuses.push((await rig.call('DELETE', `/v1/pod/orders/${orderId}`, {}, canceller)).status);
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
    } finally {
      await rig.close();
    }
  });
});

// An idempotency key in a path whose percent-encoding is broken was answered as an order that does not exist. A protection of a market that
// does not exist was armed, so that a mistyped ticker left the real market without one. A `fillsMax` below 0 was refused with a range that
// is not its own.
describe('3141: a name that says nothing', () => {
  let rig: OrdersRig;
  let ticker: string;
  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
    ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  });
  afterAll(() => rig.close());

  it.each(['GET', 'DELETE'])(
    '%s by a client id that is not percent-encoded is refused for its encoding',
    async method => {
      for (const name of ['100%', '%zz', '%ff']) {
        const refused = await rig.call(method, `/v1/venue-b/orders/by-client-id/${name}`);
        expect([refused.status, errorOf(refused).message]).toEqual([
          400,
          'clientOrderId: must be percent-encoded UTF-8, as by encodeURIComponent',
        ]);
      }
      const unknown = await rig.call(method, '/v1/venue-b/orders/by-client-id/100%25');
      expect([unknown.status, errorOf(unknown).message]).toEqual([404, 'orderId: no such order']);
    },
  );

  const protect = (terms: object) =>
    rig.call('POST', '/v1/orders/protection', {
      body: JSON.stringify({ venue: 'venue_b', fillsMax: 1, windowMs: 1_000, ...terms }),
      headers: { 'Content-Type': 'application/json' },
      idempotencyKey: randomUUID(),
    });

  it('a protection of an unknown market is refused, and none is set', async () => {
    const [b, a] = [await protect({ address: 'KXNOTHING-26' }), await protect({ venue: 'venue_a', address: '123' })];
    for (const refused of [b, a])
      expect([refused.status, errorOf(refused).message]).toEqual([404, 'address: no such market']);
    const listed = await rig.call('GET', '/v1/orders/protection');
    expect(listed.json).toEqual({ protections: [] });
    expect((await protect({ address: ticker })).status).toBe(200);
  });

  it.each([-1, 1_001, 0.5])('a fillsMax of %d is refused with its range', async fillsMax => {
    const refused = await protect({ fillsMax });
    expect(refused.status).toBe(400);
    if (Number.isInteger(fillsMax))
      expect(errorOf(refused).message).toBe('fillsMax: must be an integer from 0 to 1000 (protectionFillsMax)');
  });
});
