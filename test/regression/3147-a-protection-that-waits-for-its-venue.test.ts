// A protection of a market whose facts were not known waited for the venue for up to ten seconds. Then it was set, whether or not there is such
// a market. Now the wait is short and ends in words. Where the actor has orders or a position, nothing is waited for.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProtectionOperation } from '../../src/domain/operation.ts';
import { protectionLimits } from '../../src/domain/protection.ts';
import { performProtection } from '../../src/orders/protection-replies.ts';
import { errorOf, OrdersRig } from '../e2e/orders-rig.ts';
import { ACTOR, POD, RESTS, Rig, YES_BUY } from '../orders/orders-rig.ts';
import { someTicker } from '../support/paper-traders.ts';

describe('a venue that does not answer', () => {
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
    // It has a protection now.
    expect((await protect(YES_BUY.ticker)).status).toBe(200);
  });
});

describe('a gateway', () => {
  let rig: OrdersRig;
  let ticker: string;
  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b');
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
