// Reports and lists of a venue about an account, in any order and any number of times (contract §4.5, §4.7, §5).

import { describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import type { Settlement } from '../../../src/core/domain/fill.ts';
import { createOrder } from '../../../src/core/domain/order.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import type { LookUp } from '../../../src/venues/venue.ts';
import {
  ABSENT,
  ACTOR,
  DOWN,
  found,
  POD,
  REFUSED,
  RESTS,
  Rig,
  shares,
  spend,
  TIMEOUT,
  ticks,
  total,
  YES_BUY,
} from './orders-rig.ts';

const NOBODY = unattributedOf(POD);
const foreign = { clientOrderId: null, venueOrderId: 'foreign' } as const;

describe('settlements of trades', () => {
  const trade = (rig: Rig, count: number, settlement: Settlement = 'MATCHED') =>
    rig.hear({ type: 'fill', fill: rig.fill('f', count, { settlement }) });

  it('go on, and not back', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    trade(rig, 5);
    for (const settlement of ['MINED', 'RETRYING', 'CONFIRMED', 'MINED', 'FAILED'] as const) {
      rig.hear({ type: 'settlement', fillId: 'f', settlement });
    }
    expect(rig.store.fill(rig.account, 'f')?.fill.settlement).toBe('CONFIRMED');
    expect(rig.order().status).toBe('FILLED');
  });

  it('that fail are taken out: the order rests again, and is looked at', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    trade(rig, 5);
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
    expect(rig.order()).toMatchObject({ status: 'OPEN', closedAt: null, filled: { size: 0, cost: 0n, fees: 0 } });
    expect(rig.position()).toBe(0);
    expect(rig.reported.map(({ event }) => event)).toEqual(['STATUS', 'FILL', 'FILL_REVERSED']);
    expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ settlement: 'FAILED' }]);
    rig.venue.lookUps = [{ ...found('gone'), venueOrderId: `digest-${rig.id()}` } as LookUp];
    await rig.sweep(0);
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('that fail end an order that cannot rest', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_a', { request: { ...spend(2.8), timeInForce: 'FOK' } });
    trade(rig, 5);
    expect(rig.order().status).toBe('FILLED');
    trade(rig, 5, 'FAILED');
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 0 } });
  });

  it.each([
    ['the failure first', ['settlement', 'fill']],
    ['the failed trade first, an older word of it later', ['failed', 'fill']],
  ])('that fail before they are known do not count: %s', async (_case, words) => {
    const rig = await Rig.submitted({ ...RESTS, stated: total(5) } as never, 'venue_a');
    expect(rig.order().status).toBe('FILLED');
    for (const word of words) {
      if (word === 'settlement') rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
      else trade(rig, 5, word === 'failed' ? 'FAILED' : 'MATCHED');
    }
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: 0 }, stated: null });
    expect(rig.position()).toBe(0);
  });

  it('that fail have their order looked up at once: what is left of it may rest, or have ended with them', async () => {
    const rig = new Rig('venue_a');
    // The account is read first, because a later reading would look the order up, too.
    await rig.sweep();
    await rig.submit(RESTS);
    trade(rig, 10);
    expect(rig.order().status).toBe('FILLED');
    rig.venue.lookUps = [found('gone')];
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
    expect(rig.order().status).toBe('OPEN');
    await rig.sweep(0);
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('that have failed are not counted because the venue still sums them up', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    trade(rig, 5);
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
    const stated = total(5);
    const venueOrderId = `digest-${rig.id()}`;
    rig.hear({ type: 'order', order: rig.venueOrder({ venueOrderId, clientOrderId: null, stated }) });
    expect(rig.order()).toMatchObject({ status: 'OPEN', stated: null });
  });

  it('of unattributed trades that fail are read', async () => {
    const rig = new Rig('venue_a');
    const fill = rig.fill('f', 4, foreign);
    rig.hear({ type: 'fill', fill });
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
    rig.venue.fills = [{ ...fill, settlement: 'FAILED' }];
    await rig.sweep(0);
    expect(rig.position(NOBODY)).toBe(0);
  });
});

describe('an unknown outcome', () => {
  it('is looked at again and again, and given up when absence is proven', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    for (let second = 0; second < 29; second += 1) await rig.sweep();
    expect(rig.order().status).toBe('SUBMITTED');
    expect(rig.venue.calls.filter(call => call === 'lookUp').length).toBeLessThan(8);
    for (let second = 0; second < 10; second += 1) await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: false, error: { code: 'UNKNOWN' } });
    expect(rig.venue.calls.at(-1)).toBe('lookUp at any time');
  });

  it('is given up no later because its owner wanted it cancelled, and so the look at any time cannot tell its age', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    for (let second = 0; second < 29; second += 1) await rig.sweep();
    rig.ledger.change(entry => entry.apply(rig.id(), [{ type: 'cancel-requested', at: entry.at }]));
    rig.venue.lookUps = [ABSENT, { ...ABSENT, isCurrent: false }];
    for (let second = 0; second < 10; second += 1) await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
    expect(rig.venue.calls.at(-1)).toBe('lookUp at any time');
  });

  it('is not given up as long as the venue does not look far enough, or does not answer', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.venue.lookUps = [{ ...ABSENT, isCurrent: false }, DOWN];
    for (let second = 0; second < 60; second += 1) await rig.sweep();
    expect(rig.order().status).toBe('SUBMITTED');
  });

  it('that was given up and rests is cancelled at once, and what it traded counts', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    rig.hear({ type: 'order', order: rig.venueOrder() });
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(10, 5);
    expect(rig.venue.calls.filter(call => call === 'cancel')).toHaveLength(1);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', error: null, filled: { size: shares(4) } });
    expect(rig.divergences).toEqual(['late-trace', 'fill-of-refused']);
  });

  it('that was given up is found again for an orphan fill', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { clientOrderId: null }) });
    await rig.sweep();
    expect(rig.order().status).toBe('FILLED');
    expect(rig.position(NOBODY)).toBe(0);
    expect(rig.divergences).toEqual(['fill-of-refused']);
  });

  it('that was given up stays refused if all that is found of it is that it is gone', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    rig.venue.lookUps = [found('gone')];
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, foreign) });
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
    expect(rig.position(NOBODY)).toBe(shares(10));
  });

  it('is not given up, nor ended, by an absence that is older than what was reported', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    const { promise, resolve } = Promise.withResolvers<LookUp>();
    rig.venue.lookUps = [promise];
    await rig.timers.settle(31_000);
    const sweep = rig.executions.sweep();
    await rig.timers.settle();
    rig.hear({ type: 'order', order: rig.venueOrder() });
    resolve({ type: 'absent', isCurrent: true });
    await sweep;
    expect(rig.order().status).toBe('OPEN');
  });
});

it('a refusal stands when the venue tells that the refused order is gone', async () => {
  const rig = await Rig.submitted(REFUSED);
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'VENUE_REJECTED' } });
});

describe('orders that the store does not know', () => {
  it('are adopted by their tag, with what the venue tells of them', () => {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
    expect(rig.order()).toMatchObject({ status: 'OPEN', actorId: ACTOR, venueOrderId: 'v-1', request: YES_BUY });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { clientOrderId: null }) });
    expect(rig.order().status).toBe('FILLED');
    expect(rig.divergences).toEqual(['adopted-order']);
  });

  it('never take the place of an order that is known, of any account', () => {
    const rig = new Rig();
    const owner = { podId: 'another', actorId: 'stranger', keyId: 'key', idempotencyKey: 'k' };
    const at = (rig.timers.now() - 1_000) as ReturnType<typeof rig.timers.now>;
    const order = createOrder({ ...owner, orderId: rig.id(), request: YES_BUY, at });
    rig.store.change(to => to.putOrder({ order, intent: null, refusedAs: null }));
    rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
    expect(rig.order()).toEqual(order);
    expect(rig.divergences).not.toContain('adopted-order');
  });

  it.each([
    ['no name of ours', 'somebody'],
    ['the tag of nobody', clientOrderIdOf(new Rig().id(), 'mallory')],
  ])('are counted once if they have %s', (_case, clientOrderId) => {
    const rig = new Rig();
    for (let times = 0; times < 3; times += 1) {
      rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId, request: YES_BUY }) });
    }
    expect(rig.store.allOrders()).toEqual([]);
    expect(rig.divergences).toEqual(['unattributed-order']);
  });
});

describe('a reading of the account', () => {
  it('brings what no stream has reported, and looks at what it does not list', async () => {
    const rig = await Rig.submitted(RESTS);
    await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, { idempotencyKey: 'two' });
    rig.venue.fills = [rig.fill('f', 4, { clientOrderId: null })];
    rig.venue.open = [rig.venueOrder()];
    rig.venue.lookUps = [{ ...found('gone'), venueOrderId: 'v-2' } as LookUp];
    expect(rig.executions.isRead(rig.account)).toBe(false);
    rig.hear({ type: 'up' });
    await rig.pass(10, 5);
    expect(rig.executions.isRead(rig.account)).toBe(true);
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: shares(4) } });
    expect(rig.order(rig.id('two')).status).toBe('CANCELLED');
    expect(rig.store.mark(`read/${POD}/venue_b`)).toBe(String(rig.timers.now() - 10));
  });

  it('that fails is announced with its reason, once, and so is the next that succeeds', async () => {
    const rig = new Rig();
    rig.venue.unreadable = 'HTTP 401 invalid passphrase';
    rig.executions.start();
    await rig.pass(30_000, 500);
    expect(rig.news).toEqual([{ type: 'unread', message: 'HTTP 401 invalid passphrase' }]);
    rig.venue.unreadable = null;
    await rig.pass(limits.accountReadRetryMsMax, 500);
    expect(rig.news.slice(1)).toEqual([{ type: 'read' }]);
    rig.hear({ type: 'down', message: 'closed by the venue' });
    rig.hear({ type: 'up' });
    await rig.pass(10, 5);
    expect(rig.news.slice(2)).toEqual([
      { type: 'stream-down', message: 'closed by the venue' },
      { type: 'stream-up' },
      { type: 'behind', isBehind: false },
    ]);
  });

  it('that cannot look everything up is not whole', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.venue.lookUps = [{ type: 'unavailable', message: 'HTTP 500' }];
    rig.executions.start();
    await rig.pass(10, 5);
    expect(rig.news).toEqual([{ type: 'unread', message: 'not every order of the account could be looked up' }]);
  });

  it('releases what was recorded and never sent', async () => {
    const rig = new Rig();
    rig.putUnsent();
    rig.hear({ type: 'up' });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: true });
    expect(rig.venue.calls).toEqual([]);
  });

  it.each([
    ['rests', [found('rests'), found('gone')], ['lookUp', 'cancel', 'lookUp'], ['late-trace']],
    ['delayed', [found('gone')], ['lookUp'], []],
  ] as const)(
    'that lists what has ended here (%s) has the venue asked, and ended there',
    async (state, looks, calls, divergences) => {
      const rig = await Rig.submitted(RESTS);
      await rig.cancel(rig.id());
      rig.venue.calls.length = 0;
      rig.venue.open = [rig.venueOrder({ state })];
      rig.venue.lookUps = [...looks];
      rig.hear({ type: 'up' });
      await rig.pass(10, 5);
      await rig.sweep();
      expect(rig.venue.calls).toEqual(calls);
      expect(rig.divergences).toEqual(divergences);
    },
  );
});

describe('a market that pays out', () => {
  const settled = (rig: Rig, value: number) => {
    const address = rig.account.venue === 'venue_b' ? YES_BUY.ticker : '1001';
    rig.hear({ type: 'settled', address, value: ticks(value), at: rig.timers.now() });
  };

  it('closes venue B’s positions at their value, once, and those of late fills too', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    settled(rig, 10_000);
    settled(rig, 10_000);
    const position = rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)!;
    expect(position).toMatchObject({ size: 0, realized: { numerator: BigInt(shares(4)) * 4_400n } });
    rig.hear({ type: 'fill', fill: rig.fill('g', 6) });
    expect(rig.position()).toBe(0);
  });

  it('is of interest while the account holds some of it', async () => {
    const rig = new Rig();
    rig.executions.start();
    const isHeld = () => rig.venue.isHeld(YES_BUY.ticker);
    expect(isHeld()).toBe(false);
    await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    expect(isHeld()).toBe(true);
    settled(rig, 10_000);
    expect(isHeld()).toBe(false);
  });

  it('is read, too, if it is unattributed', async () => {
    const rig = new Rig();
    rig.executions.start();
    const { address } = rig.fill('f', 4, foreign);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, foreign) });
    expect(rig.venue.isHeld(address)).toBe(true);
  });

  it.each([
    ['a winner is held until it is redeemed', 10_000, 5, true],
    ['a loser is gone', 0, 0, false],
  ])('at venue A %s', async (_case, value, left, isRedeemable) => {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
    settled(rig, value);
    expect(rig.store.position(ACTOR, 'venue_a', '1001')).toMatchObject({ size: shares(left), isRedeemable });
  });

  it('at venue A, a winner is gone once the venue’s list of redeemable ones has missed it twice running', async () => {
    const rig = new Rig('venue_a');
    const waits = async (...addresses: readonly string[]) => {
      rig.hear({ type: 'redeemable', addresses });
      await rig.timers.settle(0);
    };
    const held = () => rig.store.position(ACTOR, 'venue_a', '1001')!;
    await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
    // No holding waits before its market has paid out.
    await waits();
    await waits();
    settled(rig, 10_000);
    await waits('1001', '2002');
    await waits('2002');
    await waits('1001');
    await waits('2002');
    expect(held()).toMatchObject({ size: shares(5), isRedeemable: true });
    await waits('2002');
    expect(held()).toMatchObject({ size: 0, isRedeemable: false, realized: { numerator: BigInt(shares(5)) * 4_400n } });
    await waits();
    expect(held()).toMatchObject({ size: 0, isRedeemable: false });
  });
});
