// Found by review: if venue B's reads lagged by more than a minute, a fill whose message was lost was lost for good. Each reading asked for
// fills since the one before, so never for a fill that was listed after its time. The order had ended, and nothing looked it up.

import { beforeEach, describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { MicroDollars, UnixMillis } from '../../src/domain/numbers.ts';
import { ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { ACTOR, listed, RESTS, Rig, shares, ticks } from '../orders/orders-rig.ts';

const STATED = { size: shares(10), cost: BigInt(ticks(5_600)) * BigInt(shares(10)), fees: 0 as MicroDollars };
const LAG_MS = 120_000;

let rig: Rig;
let traded: ReturnType<Rig['fill']>[];
beforeEach(async () => {
  rig = new Rig();
  traded = [];
  const seenUpTo = () => rig.timers.now() - LAG_MS;
  rig.venue.fillsSince = since => {
    return Promise.resolve(listed(traded.filter(({ executedAt: at }) => at >= since && at <= seenUpTo())));
  };
  rig.executions.start();
  await rig.pass(100, 10);
});

/** Filled at once by the venue's answer; the message of its fill is lost. */
async function filled(): Promise<void> {
  traded = [{ ...rig.fill('f', 10), clientOrderId: null }];
  await rig.submit({ ...RESTS, state: 'gone', stated: STATED });
  expect([rig.order().status, rig.order().filled.size]).toEqual(['FILLED', 0]);
}

async function readings(count: number): Promise<void> {
  for (let reading = 0; reading < count; reading += 1) await rig.sweep(limits.accountReadMs);
}

describe('where the venue says how far its reads have come', () => {
  it('the fills are read again from there', async () => {
    rig.venue.asOf = () => Promise.resolve(ok((rig.timers.now() - LAG_MS) as UnixMillis));
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    await readings(2);
    await filled();
    await readings(8);
    expect([rig.order().filled.size, rig.position()]).toEqual([shares(10), shares(10)]);
  });

  it('no fill counts as read while the venue cannot be asked', async () => {
    await readings(2);
    rig.venue.upTo = { ok: false, error: 'HTTP 503' };
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    await filled();
    await readings(8);
    expect(rig.position()).toBe(shares(10));
    expect(rig.news.filter(({ type }) => type === 'unread')).toEqual([]);
  });
});

describe('otherwise the order is looked up', () => {
  const withFills = () => {
    rig.venue.lookUps = [
      { type: 'found', venueOrderId: 'v-1', state: 'gone', stated: STATED, fills: [rig.fill('f', 10)] },
    ];
  };
  const looks = () => rig.venue.calls.filter(call => call.startsWith('lookUp')).length;

  it('until they are reported, and not again', async () => {
    await filled();
    rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-1', state: 'gone', stated: STATED, fills: [] }];
    await readings(4);
    expect([looks() > 0, rig.position()]).toEqual([true, 0]);
    withFills();
    await readings(10);
    expect([rig.order().status, rig.order().filled.size, rig.position()]).toEqual(['FILLED', shares(10), shares(10)]);
    const before = looks();
    await readings(100);
    expect([looks(), rig.divergences]).toEqual([before, []]);
  });

  it('unless they are reported meanwhile, as they are as a rule, however many there are', async () => {
    const stated = { ...STATED, size: shares(1), cost: STATED.cost / 10n };
    const names = Array.from({ length: 3 * limits.unreportedLooksPerReading }, (_, index) => `o${index}`);
    for (const name of names)
      await rig.submit({ ...RESTS, venueOrderId: name, state: 'gone', stated }, { idempotencyKey: name });
    await readings(1);
    for (const name of names) {
      const fill = rig.fill(name, 1, { venueOrderId: name, clientOrderId: clientOrderIdOf(rig.id(name), ACTOR) });
      rig.hear({ type: 'fill', fill });
    }
    await filled();
    withFills();
    await readings(3);
    expect([looks(), rig.position()]).toEqual([1, shares(names.length + 10)]);
  });

  it('by the next process, too', async () => {
    await filled();
    withFills();
    const next = new Rig('venue_b', rig.restarted());
    next.venue.lookUps = rig.venue.lookUps;
    await next.timers.settle(10_000);
    next.executions.start();
    await next.pass(100, 10);
    for (let reading = 0; reading < 3; reading += 1) await next.sweep(limits.accountReadMs);
    expect(next.position()).toBe(shares(10));
  });

  it('until their time is over, which is logged', async () => {
    await filled();
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    await readings(1_200);
    expect([looks(), rig.divergences]).toEqual([limits.unreportedLooksMax, ['fills-untold']]);
  });
});
