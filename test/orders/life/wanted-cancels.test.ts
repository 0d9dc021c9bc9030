// Cancels that the engine makes by itself: at once, before all look-ups, a few at a time.

import { describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { traded } from '../../../src/core/domain/order-sums.ts';
import type { Account } from '../../../src/core/store/order-records.ts';
import { limits } from '../../../src/limits.ts';
import { cancelAll as cancelAllOrders } from '../../../src/orders/life/cancel-all.ts';
import { recordCancelRequest } from '../../../src/orders/life/cancel-requests.ts';
import type { CancelOutcome } from '../../../src/venues/venue.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import {
  ABSENT,
  ACTOR,
  found,
  REFUSED,
  RESTS,
  Rig,
  shares,
  TIMEOUT,
  TOKEN_SELL,
  ticks,
  YES_BUY,
} from './orders-rig.ts';

const CANCELLED: CancelOutcome = { type: 'cancelled' };
const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };

const NOT_SENT = { type: 'not-sent', message: 'no connection', retryAfterS: 1 } as const;
const ALL = { actorId: ACTOR, venue: 'venue_a', address: null, keyId: null, reason: 'STOP' } as const;

it.each([
  ['a caller', (rig: Rig) => rig.cancel(rig.id())],
  ['a stop', (rig: Rig) => cancelAllOrders(rig, rig.venue, ALL, rig.deadline())],
])('5703: a cancel by %s stays wanted, though a replace cannot cancel the order', async (_, cancel) => {
  const rig = await Rig.submitted(RESTS, 'venue_a');
  const first = Promise.withResolvers<CancelOutcome>();
  rig.venue.cancels = [first.promise, NOT_SENT];
  const answer = rig.replace({ price: ticks(5_700) });
  await rig.pass(50);
  await cancel(rig);
  first.resolve(NOT_SENT);
  await answer;
  expect(rig.order()).toMatchObject({ status: 'OPEN', cancelRequestedAt: expect.any(Number) });
  rig.venue.cancels = [CANCELLED];
  await rig.sweep(60_000);
  expect(rig.order().status).toBe('CANCELLED');
});

describe('cancels that the engine makes by itself', () => {
  const HANGS = new Promise<never>(() => {});

  async function rigWith(restingCount: number, unknownCount: number): Promise<Rig> {
    const rig = new Rig();
    for (let number = 0; number < unknownCount; number += 1)
      await rig.submit(TIMEOUT, { idempotencyKey: `u${number}` });
    for (let number = 0; number < restingCount; number += 1) {
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `r${number}` });
    }
    rig.venue.calls.length = 0;
    return rig;
  }

  function wantAll(rig: Rig, prefix: string): void {
    const orderIds = rig.store
      .allOrders()
      .filter(({ order }) => order.idempotencyKey.startsWith(prefix))
      .map(({ order }) => order.orderId);
    rig.ledger.change(entry => orderIds.forEach(orderId => void recordCancelRequest(entry, orderId)));
    rig.executions.cancelNow(rig.account, orderIds);
  }

  const times = (rig: Rig, call: string): number => rig.venue.calls.filter(it => it === call).length;

  it('are made at once, though a sweep of thousands is at a venue that hangs', async () => {
    const rig = await rigWith(1, 2 * limits.looksInFlightMax);
    rig.venue.lookUps = [HANGS];
    void rig.sweep();
    await rig.timers.settle();
    expect(rig.venue.calls).toEqual(Array.from({ length: limits.looksInFlightMax }, () => 'lookUp'));
    wantAll(rig, 'r');
    await rig.timers.settle();
    expect(rig.order(rig.id('r0')).status).toBe('CANCELLED');
    expect(times(rig, 'lookUp')).toBe(limits.looksInFlightMax);
  });

  it('of orders that have to be found first do not wait behind orders without a cancel request', async () => {
    const rig = await rigWith(0, 2 * limits.looksInFlightMax);
    await rig.submit(TIMEOUT, { idempotencyKey: 'wanted' });
    rig.venue.lookUps = [HANGS];
    void rig.sweep();
    await rig.timers.settle();
    rig.venue.lookUps = [found('rests')];
    wantAll(rig, 'wanted');
    await rig.timers.settle();
    expect(rig.order(rig.id('wanted')).status).toBe('CANCELLED');
  });

  it('are a few at a time', async () => {
    const rig = await rigWith(3 * limits.cancelsInFlightMax, 0);
    const { promise, resolve } = Promise.withResolvers<CancelOutcome>();
    rig.venue.cancels = [promise];
    wantAll(rig, 'r');
    wantAll(rig, 'r');
    await rig.timers.settle();
    expect(times(rig, 'cancel')).toBe(limits.cancelsInFlightMax);
    resolve(CANCELLED);
    await rig.timers.settle();
    expect(rig.store.openCount(ACTOR, 'venue_b')).toBe(0);
    expect(times(rig, 'cancel')).toBe(3 * limits.cancelsInFlightMax);
  });

  it('that find nothing end nothing: what was to be cancelled may have been filled', async () => {
    const rig = await rigWith(1, 0);
    rig.venue.cancels = [{ type: 'not-found', message: 'not found' }];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    wantAll(rig, 'r');
    await rig.timers.settle();
    expect([times(rig, 'cancel'), rig.order(rig.id('r0')).status]).toEqual([1, 'OPEN']);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10, { venueOrderId: 'v-0' })])];
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order(rig.id('r0')).status).toBe('FILLED');
  });

  it('that are not confirmed are made again after a pause', async () => {
    const rig = await rigWith(1, 0);
    rig.venue.lookUps = [found('rests')];
    rig.hear({ type: 'up' });
    await rig.timers.settle();
    rig.venue.calls.length = 0;
    rig.venue.cancels = [UNKNOWN, CANCELLED];
    wantAll(rig, 'r');
    await rig.timers.settle();
    await rig.sweep(limits.lookPauseMs - 1);
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp']);
    await rig.sweep(1);
    expect(rig.order(rig.id('r0')).status).toBe('CANCELLED');
  });
});

it('a sweep looks up no resting order without a cancel request', async () => {
  let walks = 0;
  class WatchedLedger extends MemoryLedger {
    override openOrders(account: Account) {
      walks += 1;
      return super.openOrders(account);
    }
  }
  const rig = new Rig('venue_b', new WatchedLedger());
  await rig.submit(RESTS);
  rig.hear({ type: 'up' });
  await rig.pass(10, 5);
  expect(walks).toBeGreaterThan(0);
  walks = 0;
  await rig.sweep();
  expect(walks).toBe(0);
});

// Venue A confirms a DELETE without a word of a match just before. It reports the match on its stream a moment later (`size_matched` of the
// CANCELLATION). By then the order was CANCELLED here, and the report was dropped. Until the trade was reported nothing counted as filled,
// and what had been sold could be sold again.
describe('0175: what was matched before a cancel', () => {
  const SALE = { ...TOKEN_SELL, size: shares(10) };
  const FOUR = { size: shares(4), cost: BigInt(shares(4)) * 5_600n, fees: 0 as MicroDollars };

  /** Holds ten, and has cancelled the sale of them. */
  async function cancelled(): Promise<Rig> {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    rig.hear({ type: 'fill', fill: rig.fill('bought', 10) });
    await rig.submit(RESTS, { request: SALE, idempotencyKey: 'sold' });
    expect(await rig.cancel(rig.id('sold'))).toMatchObject({ type: 'cancelled' });
    return rig;
  }

  function gone(rig: Rig, stated: typeof FOUR): void {
    const names = { venueOrderId: `digest-${rig.id('sold')}`, clientOrderId: null, address: TOKEN_SELL.tokenId };
    rig.hear({ type: 'order', order: { ...names, state: 'gone', stated } });
  }

  it('the match is traded as soon as the venue says so', async () => {
    const rig = await cancelled();
    gone(rig, FOUR);
    const { order } = rig.stored(rig.id('sold'));
    expect(order.status).toBe('CANCELLED');
    expect(traded(order).size).toBe(shares(4));
    expect(rig.reported.at(-1)).toMatchObject({ event: 'STATUS', order: { status: 'CANCELLED', stated: FOUR } });
    expect(await rig.submit(RESTS, { request: SALE, idempotencyKey: 'again' })).toMatchObject({
      kind: 'insufficientBalance',
      message: 'size: the actor can sell 6 shares of this token',
    });
  });

  it('the match is counted once, when its trade is reported', async () => {
    const rig = await cancelled();
    gone(rig, FOUR);
    const venueOrderId = `digest-${rig.id('sold')}`;
    rig.hear({ type: 'fill', fill: rig.fill('s', 4, { venueOrderId, positionChange: shares(-4) }) });
    gone(rig, FOUR);
    expect(rig.order(rig.id('sold'))).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
    expect(rig.position()).toBe(shares(6));
    const six = { request: { ...SALE, size: shares(6) }, idempotencyKey: 'six' };
    expect(await rig.submit(RESTS, six)).toMatchObject({ type: 'made' });
  });

  it('a cancel without a match is no news', async () => {
    const rig = await cancelled();
    const events = rig.reported.length;
    gone(rig, { ...FOUR, size: shares(0), cost: 0n });
    expect(rig.reported).toHaveLength(events);
  });
});

// Orders that another thread had cancelled were answered as NOT_CANCELLABLE, which means that they were filled.
describe('0180: cancelled by two threads', () => {
  const cancelAll = async (...asked: Parameters<typeof cancelAllOrders>) => (await cancelAllOrders(...asked)).results;

  it('an order that another thread has cancelled is answered as cancelled', async () => {
    const rig = new Rig();
    const count = limits.cancelsInFlightMax + 1;
    for (let number = 0; number < count; number += 1) {
      rig.timers.advance(1);
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `${number}` });
    }
    const slow = Promise.withResolvers<CancelOutcome>();
    rig.venue.cancels = [slow.promise];
    const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;
    const results = cancelAll(rig, rig.venue, meant, rig.deadline());
    await rig.timers.settle();
    // The oldest order comes last.
    rig.venue.cancels = [{ type: 'cancelled' }];
    rig.executions.cancelNow(rig.account, [rig.id('0')]);
    await rig.timers.settle();
    expect(rig.order(rig.id('0')).status).toBe('CANCELLED');
    slow.resolve({ type: 'cancelled' });
    expect((await results).map(({ outcome }) => outcome)).toEqual(Array.from({ length: count }, () => 'CANCELLED'));
  });
});

// The cancel of resting orders came last. After a short hang of a venue, the orders that could trade went on trading for seconds.
describe('0178: a cancel of all behind what is unknown', () => {
  const cancelAll = async (...asked: Parameters<typeof cancelAllOrders>) => (await cancelAllOrders(...asked)).results;

  it('a cancel of all begins with the orders that rest', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_b', { idempotencyKey: 'rests' });
    for (let index = 0; index < limits.cancelsInFlightMax; index += 1) {
      rig.timers.advance(1);
      await rig.submit(TIMEOUT, { idempotencyKey: `unknown ${index}` });
    }
    rig.venue.lookUps = [{ ...ABSENT, isCurrent: false }];
    const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;
    const results = cancelAll(rig, rig.venue, meant, rig.deadline());
    await rig.timers.settle();
    expect(rig.order(rig.id('rests')).status).toBe('CANCELLED');
    await rig.pass(limits.venueAnswerTimeoutMs);
    expect((await results).map(({ outcome }) => outcome)).toEqual([
      'CANCELLED',
      ...Array.from({ length: limits.cancelsInFlightMax }, () => 'RECONCILE'),
    ]);
  });
});

// If the message of that part was lost, nothing looked the order up for half a minute. Meanwhile its rest counted as on sale, so holdings
// could not be sold, and a retry was answered 201 OPEN for good.
describe('0141: a part of what cannot rest', () => {
  const IOC = { ...YES_BUY, timeInForce: 'IOC' } as const;

  it('an order that cannot rest is not in the book, and is looked up', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start({ request: IOC });
    await rig.timers.settle(10);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', filled: { size: shares(4) } });
    say(TIMEOUT);
    expect(await answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome' });
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    await rig.sweep(2_000);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
    expect(await rig.submit(TIMEOUT, { request: IOC })).toMatchObject({ type: 'made', status: 'CANCELLED' });
  });

  it('an order that cannot rest has been taken, in spite of later messages', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start({ request: IOC });
    await rig.timers.settle(10);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    say(REFUSED);
    expect(await answer).toMatchObject({ type: 'refused', kind: 'unreadableOutcome' });
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', filled: { size: shares(4) } });
    expect(rig.divergences).toEqual(['refused-but-there']);
  });

  const SELL = { ...TOKEN_SELL, type: 'MARKET', size: shares(10), worstPrice: null, timeInForce: 'FAK' } as const;

  async function holding(): Promise<Rig> {
    const rig = new Rig('venue_a');
    const venueOrderId = `digest-${rig.id('bought')}`;
    const bought = { type: 'accepted', venueOrderId, state: 'rests', stated: null } as const;
    await rig.submit(bought, { idempotencyKey: 'bought' });
    rig.hear({ type: 'fill', fill: rig.fill('b', 10, { venueOrderId }) });
    return rig;
  }

  it('an order that cannot rest has nothing more to sell', async () => {
    const rig = await holding();
    const delayed = { type: 'accepted', venueOrderId: 'v', state: 'delayed', stated: null } as const;
    await rig.submit(delayed, { request: SELL, idempotencyKey: 'sold' });
    const six = { request: { ...SELL, size: shares(6) }, idempotencyKey: 'six' };
    expect(await rig.submit(delayed, six)).toMatchObject({ type: 'refused', kind: 'insufficientBalance' });
    const venueOrderId = `digest-${rig.id('sold')}`;
    rig.hear({ type: 'fill', fill: rig.fill('s', 4, { venueOrderId, positionChange: shares(-4) }) });
    expect(await rig.submit(delayed, { ...six, idempotencyKey: 'again' })).toMatchObject({ type: 'made' });
  });

  it('a sale of more than is held is refused for that, however thin the book is', async () => {
    const rig = await holding();
    rig.venue.prepared = { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: 'thin' }, message: 'thin' };
    const sale = { request: { ...SELL, size: shares(11) }, idempotencyKey: 'sold' };
    expect(await rig.submit(TIMEOUT, sale)).toMatchObject({ type: 'refused', kind: 'insufficientBalance' });
    const less = { request: SELL, idempotencyKey: 'less' };
    expect(await rig.submit(TIMEOUT, less)).toMatchObject({ type: 'refused', kind: 'invalid', message: 'thin' });
  });
});
