// A replaced order: in place where the venue changes orders, else by a cancel and a new order. What the venue says at each half, and
// what each order is then.

import { describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import type { AmendOutcome, LookUp } from '../../../src/venues/venue.ts';
import { replace } from '../../support/submitted.ts';
import {
  ACTOR,
  found,
  NOT_SENT,
  REFUSED,
  RESTS,
  Rig,
  shares,
  TIMEOUT,
  TOKEN_SELL,
  ticks,
  total,
  YES_BUY,
} from './orders-rig.ts';

const NEW = 'new';
const amended = (remaining: number | null, taken = 0): AmendOutcome => ({
  ...{ type: 'amended', venueOrderId: 'v-1' },
  remaining: remaining === null ? null : shares(remaining),
  taken: shares(taken),
});

/** With an order of 10 at rest under the key `one`. */
async function resting(venue: 'venue_a' | 'venue_b'): Promise<Rig> {
  const rig = new Rig(venue);
  if (venue === 'venue_b') rig.venue.amendments = [amended(null)];
  await rig.submit(RESTS);
  rig.venue.calls.length = 0;
  return rig;
}

const both = (rig: Rig) => [rig.order(), rig.order(rig.id(NEW))];

describe('in place', () => {
  it('the new order has the venue’s order, and the old one is CANCELLED as REPLACED', async () => {
    const rig = await resting('venue_b');
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.venue.calls).toEqual(['amend v-1 to 10']);
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', cancelReason: 'REPLACED', replacedBy: rig.id(NEW), venueOrderId: null },
      { status: 'OPEN', venueOrderId: 'v-1', request: { size: shares(10), price: ticks(5_700) } },
    ]);
  });

  it('what the old one has filled is taken off, also what the amendment is the first to tell of', async () => {
    const rig = await resting('venue_b');
    rig.hear({ type: 'fill', fill: rig.fill('t-1', 3) });
    rig.venue.amendments = [amended(8)];
    await rig.replace({ total: shares(12) });
    expect(rig.venue.calls).toEqual(['amend v-1 to 12']);
    expect(rig.order(rig.id(NEW)).request).toMatchObject({ size: shares(8) });
    // This is the fourth share of the old order, under the old order's own name.
    rig.hear({ type: 'fill', fill: rig.fill('t-2', 1) });
    expect(both(rig)).toMatchObject([
      { filled: { size: shares(4) } },
      { filled: { size: 0 }, request: { size: shares(8) } },
    ]);
  });

  it('a fill belongs to the order whose name it has; without a name, to the first that is not complete', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [amended(6)];
    await rig.replace({ total: shares(8) });
    const named = { clientOrderId: clientOrderIdOf(rig.id(NEW), ACTOR) };
    rig.hear({ type: 'fill', fill: rig.fill('t-3', 1, named) });
    for (const id of ['t-1', 't-2', 't-4']) rig.hear({ type: 'fill', fill: rig.fill(id, 1, { clientOrderId: null }) });
    expect(both(rig)).toMatchObject([{ filled: { size: shares(2) } }, { filled: { size: shares(2) } }]);
    expect(rig.position()).toBe(shares(4));
  });

  it('a fill without a name belongs to the first, though the venue has stated its sum before (simulation, seed 6457)', async () => {
    const rig = await resting('venue_b');
    const stated = total(1);
    rig.hear({ type: 'order', order: rig.venueOrder({ stated }) });
    await rig.replace({ price: ticks(5_700) });
    await rig.replace({ price: ticks(5_800) }, { idempotencyKey: 'third' }, 'new');
    for (const id of ['t-1', 't-2']) rig.hear({ type: 'fill', fill: rig.fill(id, 1, { clientOrderId: null }) });
    const filled = () => ['one', 'new', 'third'].map(key => rig.order(rig.id(key)).filled.size);
    expect(filled()).toEqual([shares(1), 0, shares(1)]);
  });

  it('the venue’s sum of both is divided', async () => {
    const rig = await resting('venue_b');
    rig.hear({ type: 'fill', fill: rig.fill('t-1', 3) });
    await rig.replace({ price: ticks(5_700) });
    const stated = total(10, 5_600, 3_000);
    const clientOrderId = clientOrderIdOf(rig.id(NEW), ACTOR);
    rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId, state: 'gone', stated }) });
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', filled: { size: shares(3) } },
      { status: 'FILLED', stated: { size: shares(7) } },
    ]);
  });

  it('a late fill of an order that was replaced twice is not left of any order after it', async () => {
    const rig = await resting('venue_b');
    await rig.replace({ price: ticks(5_700) });
    await rig.replace({ price: ticks(5_800) }, { idempotencyKey: 'third' }, 'new');
    rig.hear({ type: 'fill', fill: rig.fill('t-1', 2) });
    const sizes = () => ['one', 'new', 'third'].map(key => rig.order(rig.id(key)).request);
    expect(sizes()).toMatchObject([{ size: shares(10) }, { size: shares(8) }, { size: shares(8) }]);
    const stated = total(5, 5_600, 3_000);
    const clientOrderId = clientOrderIdOf(rig.id('third'), ACTOR);
    rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId, stated }) });
    expect(rig.order(rig.id('third'))).toMatchObject({ status: 'OPEN', stated: { size: shares(3) } });
    await rig.replace({ price: ticks(5_900) }, { idempotencyKey: 'fourth' }, 'third');
    expect(rig.venue.calls).toEqual(Array(3).fill('amend v-1 to 10'));
    expect(rig.order(rig.id('fourth'))).toMatchObject({ status: 'OPEN', request: { size: shares(5) } });
  });

  it.each([
    ['with nothing filled', 0, 0],
    ['filled in part by the amendment', 4, 4],
    ['filled in part, of which the answer says nothing', 4, 0],
  ])(
    '4023: a change of which nothing rests is CANCELLED by the venue, %s; the stream says why',
    async (_case, count, taken) => {
      const rig = await resting('venue_b');
      const names = { clientOrderId: clientOrderIdOf(rig.id(NEW), ACTOR) };
      rig.venue.amendments = [amended(0, taken)];
      rig.venue.lookUps = [found('gone', count === 0 ? [] : [rig.fill('t-1', count, names)])];
      expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ type: 'made', status: 'CANCELLED' });
      const ended = { cancelReason: 'VENUE', filled: { size: shares(count) }, request: { size: shares(10) } };
      expect(both(rig)).toMatchObject([{ cancelReason: 'REPLACED' }, { status: 'CANCELLED', ...ended }]);
      rig.hear({ type: 'order', order: rig.venueOrder({ ...names, state: 'gone', reason: 'SELF_TRADE' }) });
      expect(rig.order(rig.id(NEW))).toMatchObject({ status: 'CANCELLED', cancelReason: 'SELF_TRADE' });
    },
  );

  it('4023: a change that meets an order of the account is not over before the venue shows it', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [amended(0)];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ type: 'made', status: 'SUBMITTED' });
    expect(rig.order(rig.id(NEW))).toMatchObject({ status: 'SUBMITTED', request: { size: shares(10) } });
    const gone = { clientOrderId: clientOrderIdOf(rig.id(NEW), ACTOR), state: 'gone', reason: 'SELF_TRADE' } as const;
    rig.hear({ type: 'order', order: rig.venueOrder(gone) });
    expect(rig.order(rig.id(NEW))).toMatchObject({ status: 'CANCELLED', cancelReason: 'SELF_TRADE' });
  });

  it('4023: a change that fills the order is FILLED, and has no reason', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [amended(0, 10)];
    const names = { clientOrderId: clientOrderIdOf(rig.id(NEW), ACTOR) };
    rig.venue.lookUps = [found('gone', [rig.fill('t-1', 10, names)])];
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ status: 'FILLED' });
    expect(rig.order(rig.id(NEW))).toMatchObject({ cancelReason: null, filled: { size: shares(10) } });
  });

  it('4023: a change that ends the order may be its group, where it has one', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [amended(0)];
    rig.venue.lookUps = [found('gone')];
    const parts = { ...rig.parts, groupOf: () => 'g-1' };
    const submission = rig.submission({ idempotencyKey: NEW });
    await replace(parts, rig.venue, { submission, oldId: rig.id(), terms: { price: ticks(5_700), total: null } });
    expect(rig.order(rig.id(NEW))).toMatchObject({ status: 'CANCELLED', cancelReason: 'VENUE' });
  });

  it('an order whose record is lost is found by its name, and may be replaced in turn', async () => {
    const rig = await resting('venue_b');
    const clientOrderId = clientOrderIdOf(rig.id('lost'), ACTOR);
    rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId, request: { ...YES_BUY, price: ticks(5_700) } }) });
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', replacedBy: rig.id('lost'), venueOrderId: null });
    const of = () => rig.store.orderOfVenue(rig.account, 'v-1');
    expect([rig.order(rig.id('lost')).status, of()]).toEqual(['OPEN', rig.id('lost')]);
    await rig.replace({ price: ticks(5_800) }, {}, 'lost');
    expect(of()).toBe(rig.id(NEW));
    // No other order has the venue's id.
    expect(rig.stored(rig.id('lost')).intent?.venueOrderId).toBeNull();
  });

  it('an order that is replaced a thousand times reads no more than the one before it each time', async () => {
    const rig = await resting('venue_b');
    const reads: string[] = [];
    const { order } = rig.store;
    const reading: typeof order = orderId => {
      reads.push(orderId);
      return order.call(rig.store, orderId);
    };
    let key = 'one';
    for (let index = 0; index < 1_000; index++) {
      if (index === 999) rig.store.order = reading;
      await rig.replace({ price: ticks(5_600 + (index % 2) * 100) }, { idempotencyKey: `k-${index}` }, key);
      key = `k-${index}`;
    }
    expect(rig.order(rig.id(key)).status).toBe('OPEN');
    expect(new Set(reads).size).toBeLessThan(5);
  });

  it.each([
    ['is refused', REFUSED as AmendOutcome, { kind: 'insufficientBalance' }, 'REJECTED'],
    ['is not sent', NOT_SENT as AmendOutcome, { kind: 'unavailable', retryAfterS: 2 }, 'REJECTED'],
    ['is unknown', TIMEOUT as AmendOutcome, { kind: 'unknownOutcome' }, 'SUBMITTED'],
  ])('an amendment that %s leaves the old order as it is', async (_what, outcome, answer, status) => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [outcome];
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ type: 'refused', ...answer });
    expect(both(rig)).toMatchObject([{ status: 'OPEN', venueOrderId: 'v-1', replacedBy: null }, { status }]);
  });

  it('an unknown amendment that was made is found by the new name', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [TIMEOUT as AmendOutcome];
    await rig.replace({ price: ticks(5_700) });
    const third = { idempotencyKey: 'third', bodySha256Hex: 'c'.repeat(64) };
    const again = await rig.replace({ price: ticks(5_800) }, third);
    expect(again).toMatchObject({ kind: 'notCancellable' });
    rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId: clientOrderIdOf(rig.id(NEW), ACTOR) }) });
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', cancelReason: 'REPLACED' },
      { status: 'OPEN', venueOrderId: 'v-1' },
    ]);
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ type: 'made', isReplayed: true });
  });

  it('a fill that a look-up finds belongs to the order whose name it has (simulation, seed 7771)', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [TIMEOUT as AmendOutcome];
    rig.venue.lookUps = [found('rests', [rig.fill('t-1', 4)])];
    await rig.replace({ price: ticks(5_700) });
    await rig.sweep(5_000);
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', cancelReason: 'REPLACED', filled: { size: shares(4) } },
      { status: 'OPEN', venueOrderId: 'v-1', filled: { size: 0 }, request: { size: shares(6) } },
    ]);
  });

  it('4301: a replace that is sent again counts what is left by then, so that orders fit', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [{ type: 'not-sent', message: 'no connection', retryAfterS: 1 }];
    await rig.replace({ price: ticks(5_700) });
    expect(rig.order(rig.id(NEW))).toMatchObject({ isReleased: true, request: { size: shares(10) } });
    rig.hear({ type: 'fill', fill: rig.fill('t-1', 6) });
    const said = Promise.withResolvers<AmendOutcome>();
    rig.venue.amendments = [said.promise];
    const again = rig.replace({ price: ticks(5_700) });
    await rig.pass(100);
    // The position counts the holding of 6, the 4 of the order at the venue, and the 4 that are to replace them.
    expect(rig.order(rig.id(NEW))).toMatchObject({ status: 'SUBMITTED', request: { size: shares(4) } });
    const fits = { limits: { ...NO_LIMITS, positionMax: shares(15) }, request: { ...YES_BUY, size: shares(1) } };
    expect(await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, { ...fits, idempotencyKey: 'third' })).toMatchObject({
      type: 'made',
    });
    said.resolve(amended(4));
    expect(await again).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.venue.calls.filter(it => it.startsWith('amend'))).toEqual(Array(2).fill('amend v-1 to 10'));
    expect(both(rig)).toMatchObject([{ filled: { size: shares(6) } }, { request: { size: shares(4) } }]);
  });

  it('an order that is gone is not replaced', async () => {
    const rig = await resting('venue_b');
    rig.venue.amendments = [{ type: 'not-found', message: 'not found' }];
    rig.venue.lookUps = [found('gone', [rig.fill('t-1', 10)])];
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ kind: 'notCancellable' });
    expect(both(rig)).toMatchObject([{ status: 'FILLED' }, { status: 'REJECTED', error: { code: 'NOT_FEASIBLE' } }]);
  });
});

describe('by a cancel and a new order', () => {
  it('the new order is sent once the old one is over, with what is left', async () => {
    const rig = await resting('venue_a');
    rig.venue.lookUps = [found('gone', [rig.fill('t-1', 3)])];
    rig.venue.submits = [{ ...RESTS, venueOrderId: `digest-${rig.id(NEW)}` }];
    expect(await rig.replace({ total: shares(9) })).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp', 'submit SUBMITTED']);
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', cancelReason: 'REPLACED', filled: { size: shares(3) } },
      { status: 'OPEN', request: { size: shares(6) } },
    ]);
  });

  it.each([
    ['is refused', 0, REFUSED, { kind: 'insufficientBalance', reason: 'VENUE_REJECTED' }],
    ['is not sent', 0, NOT_SENT, { kind: 'unavailable', reason: 'UNKNOWN' }],
    ['has nothing left', 5, RESTS, { kind: 'notCancellable', reason: 'NOT_FEASIBLE' }],
  ] as const)('4039: a new order that %s has its own code in the answer', async (_what, filled, outcome, answer) => {
    const rig = await resting('venue_a');
    rig.venue.lookUps = [found('gone', filled === 0 ? [] : [rig.fill('t-1', filled)])];
    rig.venue.submits = [outcome];
    expect(await rig.replace({ total: shares(5) })).toMatchObject({ type: 'refused', ...answer });
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp', ...(filled === 0 ? ['submit SUBMITTED'] : [])]);
    const [old, made] = both(rig);
    expect(old!.status).toBe(filled === 0 ? 'CANCELLED' : 'FILLED');
    expect(made).toMatchObject({ status: 'REJECTED', error: { code: answer.reason } });
  });

  it('4039: a new order that is not sent, as the cancel of the old one is not known, is REJECTED and says so', async () => {
    const rig = await resting('venue_a');
    rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    const answer = rig.replace({ price: ticks(5_700) });
    await rig.pass(10_000, 100);
    expect(await answer).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id(), reason: 'UNKNOWN' });
    expect(both(rig)[1]).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
  });

  it('4032: no new order is sent before the venue shows the old one as over, with what it has filled by then', async () => {
    const rig = await resting('venue_a');
    const [early, late] = [rig.fill('t-1', 1), rig.fill('t-2', 3)];
    const shownAs = (look: LookUp): LookUp => ({ ...look, venueOrderId: `digest-${rig.id()}` }) as LookUp;
    rig.venue.lookUps = [
      shownAs(found('rests', [early])),
      shownAs(found('delayed', [early])),
      shownAs(found('gone', [early, late])),
    ];
    rig.venue.submits = [{ ...RESTS, venueOrderId: `digest-${rig.id(NEW)}` }];
    const answer = rig.replace({ total: shares(9) });
    await rig.pass(2_000);
    expect(await answer).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp', 'lookUp', 'lookUp', 'submit SUBMITTED']);
    expect(both(rig)).toMatchObject([
      { status: 'CANCELLED', filled: { size: shares(4) } },
      { status: 'OPEN', request: { size: shares(5) } },
    ]);
  });

  it('a cancel that was not sent leaves the old order, and nothing wants it cancelled', async () => {
    const rig = await resting('venue_a');
    rig.venue.cancels = [{ type: 'not-sent', message: 'no connection', retryAfterS: 1 }];
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ kind: 'unavailable' });
    expect(both(rig)).toMatchObject([
      { status: 'OPEN', cancelRequestedAt: null, cancelReason: null },
      { status: 'REJECTED', isReleased: true },
    ]);
  });

  it('a refusal before it is sent says what the old order is', async () => {
    const rig = await resting('venue_a');
    rig.venue.lookUps = [found('gone')];
    rig.venue.submits = [NOT_SENT];
    const message = `venue_a: no connection: the new order was not sent, and order ${rig.id()} is over`;
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject({ kind: 'unavailable', message });
    expect(both(rig)).toMatchObject([{ status: 'CANCELLED' }, { status: 'REJECTED', isReleased: true }]);
  });

  it('a new order whose record fails between is given up later, and its key is free', async () => {
    const rig = await resting('venue_a');
    // The account is read, as at every start.
    const atVenue = { venueOrderId: `digest-${rig.id()}`, clientOrderId: null, address: TOKEN_SELL.tokenId };
    rig.venue.open = [rig.venueOrder(atVenue)];
    await rig.sweep();
    rig.venue.calls.length = 0;
    const look = Promise.withResolvers<LookUp>();
    rig.venue.lookUps = [look.promise];
    const answer = rig.replace({ price: ticks(5_700) }).catch(error => error);
    await rig.pass(100);
    rig.store.isFull = true;
    look.resolve(found('gone'));
    expect(await answer).toBeInstanceOf(StoreError);
    rig.store.isFull = false;
    await rig.sweep(1_000);
    expect(both(rig)[1]).toMatchObject({ status: 'PENDING' });
    await rig.sweep(15_000);
    expect(both(rig)[1]).toMatchObject({ status: 'REJECTED', isReleased: true });
    expect(rig.venue.calls.filter(it => it.startsWith('submit'))).toEqual([]);
  });

  it('a process that ends between leaves the old order to be cancelled, and nothing of the new one sent', async () => {
    const rig = await resting('venue_a');
    rig.venue.cancels = [new Promise(() => {})];
    void rig.replace({ price: ticks(5_700) });
    await rig.pass(50);
    const next = new Rig('venue_a', rig.restarted());
    expect(both(next)).toMatchObject([{ status: 'OPEN', cancelReason: 'REPLACED' }, { status: 'PENDING' }]);
  });
});

describe('nothing is done', () => {
  it.each([
    ['an order that is over', { price: ticks(5_700) }, 'CANCELLED'],
    ['a total that is filled already', { total: shares(2) }, 'OPEN'],
  ])('for %s', async (what, terms, status) => {
    const rig = await resting('venue_b');
    rig.hear({ type: 'fill', fill: rig.fill('t-1', 2) });
    if (what.endsWith('over')) await rig.cancel(rig.id());
    rig.venue.calls.length = 0;
    expect(await rig.replace(terms)).toMatchObject({ kind: 'notCancellable' });
    expect([rig.order().status, rig.store.order(rig.id(NEW)), rig.venue.calls]).toEqual([status, null, []]);
  });

  it('by a repeat of the same request, and another body is refused', async () => {
    const rig = await resting('venue_b');
    const first = await rig.replace({ price: ticks(5_700) });
    expect(await rig.replace({ price: ticks(5_700) })).toEqual({ ...first, isReplayed: true });
    const other = await rig.replace({ price: ticks(5_800) }, { bodySha256Hex: 'b'.repeat(64) });
    expect(other).toMatchObject({ kind: 'idempotencyConflict' });
    expect(rig.venue.calls).toEqual(['amend v-1 to 10']);
  });
});
