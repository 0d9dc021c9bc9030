// Orders about which the gateway does not know whether the venue has them, or how they ended.

import { beforeEach, describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { isFull, NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { limits } from '../../../src/limits.ts';
import type { AmendOutcome, CancelOutcome, LookUp } from '../../../src/venues/venue.ts';
import { readShownOrder } from '../../../src/venues/venue-a/trading/open-orders.ts';
import { submit } from '../../support/submitted.ts';
import {
  ABSENT,
  ACTOR,
  found,
  NOT_SENT,
  RESTS,
  Rig,
  shares,
  TIMEOUT,
  TOKEN_SELL,
  ticks,
  YES_BUY,
} from './orders-rig.ts';

// A killed order whose answer was lost became CANCELLED at its look-up, and its retry was answered 201. Now the retry gets the lost answer
// (contract §4.6).
describe('0041: a killed order whose answer was lost', () => {
  const GONE = { type: 'found', venueOrderId: 'v-1', state: 'gone', stated: NOTHING_FILLED, fills: [] } as const;

  const FOK = {
    venue_a: {
      venue: 'venue_a',
      tokenId: TOKEN_SELL.tokenId,
      type: 'MARKET',
      side: 'BUY',
      dollars: 5_000_000 as MicroDollars,
      worstPrice: ticks(5_600),
      timeInForce: 'FOK',
    },
    venue_b: { ...YES_BUY, timeInForce: 'FOK' },
  } as const satisfies Record<string, OrderRequest>;

  /** Submits an order whose answer does not come. A look-up finds `lookUp`. */
  async function unanswered(rig: Rig, request: OrderRequest, lookUp: LookUp) {
    expect(await rig.submit(TIMEOUT, { request })).toMatchObject({ kind: 'unknownOutcome' });
    rig.venue.lookUps = [lookUp];
    await rig.sweep();
    return rig.submit(TIMEOUT, { request });
  }

  it.each(['venue_a', 'venue_b'] as const)('%s: what was killed is refused', async venue => {
    const rig = new Rig(venue);
    const message = 'the venue could not fill the order as a whole';
    const again = await unanswered(rig, FOK[venue], GONE);
    expect(again).toMatchObject({ type: 'refused', kind: 'invalid', message, isReplayed: true });
    expect(rig.order()).toMatchObject({
      status: 'REJECTED',
      error: { code: 'NOT_FEASIBLE', message },
      isReleased: false,
    });
  });

  it('a cancel request that was never sent changes nothing of that', async () => {
    const rig = await Rig.submitted(TIMEOUT, 'venue_b', { request: FOK.venue_b });
    rig.venue.lookUps = [GONE];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'notCancellable' });
    expect(rig.venue.calls).not.toContain('cancel');
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' } });
  });

  it('an amount that was traded stands', async () => {
    const rig = new Rig();
    const traded = { ...GONE, stated: { size: shares(10), cost: 0n, fees: 0 as MicroDollars } };
    expect(await unanswered(rig, FOK.venue_b, traded)).toMatchObject({ type: 'made', status: 'FILLED' });
  });

  it('the answer to an order that was taken, or may be filled in part, stands as well', async () => {
    const taken = await Rig.submitted({ ...RESTS, state: 'delayed' }, 'venue_b', { request: FOK.venue_b });
    taken.venue.lookUps = [GONE];
    await taken.sweep();
    expect(taken.order().status).toBe('CANCELLED');
    const request = { ...YES_BUY, timeInForce: 'IOC' } as const;
    expect(await unanswered(new Rig(), request, GONE)).toMatchObject({ type: 'made', status: 'CANCELLED' });
  });
});

// The submission was answered 201 with the status REJECTED, while the order rested.
describe('0042: an order taken after it was given up', () => {
  /** Makes an order that is given up while its answer is on its way. */
  async function takenLate(cancels: CancelOutcome) {
    const rig = new Rig();
    rig.venue.cancels = [cancels];
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    await rig.sweep(3_600_000);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
    say(RESTS);
    return { rig, answer: await answer };
  }

  it('the order has an unknown outcome, and is cancelled at once', async () => {
    const { rig, answer } = await takenLate({ type: 'cancelled' });
    expect(answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome', orderId: rig.id() });
    expect(rig.venue.calls.slice(-2)).toEqual(['cancel', 'lookUp']);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', venueOrderId: 'v-1', error: null });
    expect(rig.divergences).toEqual(['late-trace']);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'CANCELLED' });
  });

  it('the next reading finds the order if its cancel could not be made', async () => {
    const { rig } = await takenLate({ type: 'unknown', message: 'no answer' });
    expect(rig.order().status).toBe('REJECTED');
    rig.venue.cancels = [{ type: 'cancelled' }];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(10, 5);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 4_000_000 } });
  });
});

// The price of a held order does not state the paid amount. So nothing counted as traded, and the order was shown as CANCELLED until the
// trade came. A bot sends such an order again.
describe('0116: a held order matched before its trades', () => {
  const FOK = {
    venue: 'venue_a',
    tokenId: TOKEN_SELL.tokenId,
    side: 'BUY',
    type: 'MARKET',
    dollars: 5_600_000 as MicroDollars,
    worstPrice: null,
    timeInForce: 'FOK',
  } as const;
  const DIGEST = `0x${'a'.repeat(64)}`;

  function shown(change: object) {
    const row = {
      event_type: 'order',
      type: 'UPDATE',
      id: DIGEST,
      market: '0xc',
      asset_id: '123',
      side: 'BUY',
      price: '0.5',
    };
    const whole = { original_size: '10', size_matched: '10', order_type: 'FOK' };
    const order = readShownOrder({ ...row, ...whole, ...change }, 0 as UnixMillis);
    return order!;
  }

  async function held(): Promise<Rig> {
    const rig = new Rig('venue_a');
    const delayed = { type: 'accepted', venueOrderId: 'v-1', state: 'delayed', stated: null } as const;
    expect(await rig.submit(delayed, { request: FOK })).toMatchObject({ type: 'made', status: 'SUBMITTED' });
    rig.reported.length = 0;
    return rig;
  }

  it.each([
    ['MATCHED', { status: 'MATCHED' }],
    ['MATCHED, and says not how much', { status: 'MATCHED', size_matched: '' }],
  ])('a held order is not over when it is reported %s: its trade ends it', async (_what, change) => {
    const rig = await held();
    const venueOrderId = rig.order().venueOrderId!;
    rig.hear({ type: 'order', order: { ...shown(change), venueOrderId } });
    expect(rig.order().status).toBe('SUBMITTED');
    expect(rig.reported).toEqual([]);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { venueOrderId }) });
    expect(isFull(FOK, rig.order().filled)).toBe(true);
    expect(rig.reported.map(({ order }) => order.status)).toEqual(['FILLED']);
  });

  it('a held order is looked up if its trade is not reported', async () => {
    const rig = await held();
    const venueOrderId = rig.order().venueOrderId!;
    rig.hear({ type: 'order', order: { ...shown({ status: 'MATCHED' }), venueOrderId } });
    const fill = rig.fill('f', 10, { venueOrderId });
    rig.venue.lookUps = [{ ...found('gone', [fill]), venueOrderId } as LookUp];
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
  });

  it('a killed order is over at once', async () => {
    const rig = await held();
    const venueOrderId = rig.order().venueOrderId!;
    const killed = { type: 'CANCELLATION', status: "CANCELED_order couldn't be fully filled.", size_matched: '' };
    rig.hear({ type: 'order', order: { ...shown(killed), venueOrderId } });
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 0 } });
  });
});

// When the venue's stream reported that the order rests, the cancel was left to the next look-up, up to eight seconds later. Meanwhile the
// order could be filled.
describe('0177: an unwanted order that turns up', () => {
  const NOT_YET = { ...ABSENT, isCurrent: false } as const;

  /** Returns a rig with an order in an unknown state. Its owner has wanted it cancelled, and the gateway has looked it up since. */
  async function unwanted(): Promise<Rig> {
    const rig = await Rig.submitted(TIMEOUT);
    rig.venue.lookUps = [NOT_YET];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'unknownOutcome' });
    for (let look = 0; look < 12; look += 1) await rig.sweep();
    rig.venue.lookUps = [found('gone')];
    rig.venue.calls.length = 0;
    return rig;
  }

  it('the order is cancelled at once if it rests', async () => {
    const rig = await unwanted();
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.timers.settle();
    expect(rig.venue.calls[0]).toBe('cancel');
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('the order is cancelled at once if a trade shows it', async () => {
    const rig = await unwanted();
    const fill = rig.fill('f', 4);
    rig.venue.lookUps = [found('gone', [fill])];
    rig.hear({ type: 'fill', fill });
    await rig.timers.settle();
    expect(rig.venue.calls[0]).toBe('cancel');
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('the order is left to the caller that has just requested its cancel', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.venue.calls.length = 0;
    rig.venue.cancels = [new Promise(() => {})];
    void rig.cancel(rig.id());
    await rig.timers.settle();
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    await rig.timers.settle();
    expect(rig.venue.calls).toEqual(['cancel']);
  });
});

// The order was shown as cancelled, but its cancel came later and might take any time. Meanwhile the order rested, and could be filled.
describe('0148: cancelled before it is', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = new Rig();
    rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
    rig.venue.lookUps = [found('rests')];
    expect(await rig.submit(NOT_SENT)).toMatchObject({ kind: 'unavailable' });
    rig.reported.length = 0;
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(20_000);
  });

  const retry = () => submit(rig.parts, rig.submission());
  const tellings = () => rig.reported.map(({ order: { status } }) => status);

  it('the cancel is not reported while the order rests', async () => {
    expect([rig.order().status, tellings()]).toEqual(['REJECTED', []]);
    expect(await retry()).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id(), isReplayed: false });
  });

  it('the cancel is reported when the venue has confirmed it', async () => {
    rig.venue.cancels = [{ type: 'cancelled' }];
    rig.venue.lookUps = [found('gone')];
    await rig.sweep(limits.lookPauseMsMax);
    expect([rig.order().status, tellings()]).toEqual(['CANCELLED', ['CANCELLED']]);
    expect(await retry()).toMatchObject({ type: 'made', status: 'CANCELLED', isReplayed: true });
  });

  it('the cancel is not reported if the order is filled first', async () => {
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect([rig.order().status, tellings()]).toEqual(['FILLED', ['FILLED']]);
    expect(await retry()).toMatchObject({ type: 'made', status: 'FILLED' });
  });

  it('the next process does not report the cancel, and makes it', async () => {
    const next = new Rig('venue_b', rig.restarted());
    next.venue.open = [next.venueOrder()];
    next.venue.lookUps = [found('gone')];
    await next.timers.settle(60_000);
    expect(next.order().status).toBe('REJECTED');
    next.executions.start();
    await next.pass(100, 10);
    expect([next.order().status, next.venue.calls.includes('cancel')]).toEqual(['CANCELLED', true]);
  });
});

// An amendment arrives at venue B after it was given up, behind another amendment of the same order. The venue has one order then, the late
// one. Both of ours had its id, so memory, journal and history each could find another one by it (simulation, seed 2 028 217).
it('3152: a late amendment takes the place of the one before it', async () => {
  const rig = new Rig('venue_b');
  const amended = { type: 'amended', venueOrderId: 'v-1', remaining: null, taken: shares(0) } as const;
  rig.venue.amendments = [TIMEOUT as AmendOutcome, amended];
  rig.venue.lookUps = [ABSENT, ABSENT, found('rests')];
  await rig.submit(RESTS);
  await rig.replace({ price: ticks(5_700) }, { idempotencyKey: 'late' });
  await rig.sweep(limits.absenceProvenMs + 1_000);
  expect(rig.order(rig.id('late'))).toMatchObject({ status: 'REJECTED' });
  await rig.replace({ price: ticks(5_800) }, { idempotencyKey: 'second' });
  rig.hear({ type: 'fill', fill: rig.fill('t-1', 2, { clientOrderId: clientOrderIdOf(rig.id('second'), ACTOR) }) });
  expect(rig.order(rig.id('second'))).toMatchObject({
    status: 'OPEN',
    venueOrderId: 'v-1',
    filled: { size: shares(2) },
  });

  rig.venue.lookUps = [found('rests'), found('gone')];
  rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId: clientOrderIdOf(rig.id('late'), ACTOR) }) });
  await rig.sweep();

  expect(rig.order(rig.id('second'))).toMatchObject({
    status: 'CANCELLED',
    cancelReason: 'REPLACED',
    replacedBy: rig.id('late'),
    venueOrderId: null,
  });
  expect(rig.order(rig.id('late'))).toMatchObject({
    status: 'CANCELLED',
    venueOrderId: 'v-1',
    request: { size: shares(8) },
    replaces: { orderId: rig.id('second'), before: { size: 0 } },
  });
  expect(rig.order()).toMatchObject({ replacedBy: rig.id('second') });
  expect(rig.store.orderOfVenue(rig.account, 'v-1')).toBe(rig.id('late'));
});

it('3152: an id of another order, in the answer to an amendment, leaves that order as it is', async () => {
  const rig = new Rig('venue_b');
  await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, { idempotencyKey: 'other' });
  await rig.submit(RESTS);
  rig.venue.amendments = [{ type: 'amended', venueOrderId: 'v-2', remaining: null, taken: shares(0) }];
  await rig.replace({ price: ticks(5_700) });
  expect(rig.order(rig.id('other'))).toMatchObject({ status: 'OPEN', venueOrderId: 'v-2', replacedBy: null });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', replacedBy: rig.id('new') });
});
