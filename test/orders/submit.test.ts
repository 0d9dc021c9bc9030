// Submissions by what the venue says, by what is refused before it is asked, and by how often they come (contract §4.3, §4.6).

import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/domain/actor-limits.ts';
import type { MicroDollars, UnixMillis } from '../../src/domain/numbers.ts';
import { answerAgain, repeated } from '../../src/orders/repeat.ts';
import { submit } from '../../src/orders/submit.ts';
import type { SubmitOutcome } from '../../src/venues/venue.ts';
import { found, NOT_SENT, REFUSED, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';

const stated = (count: number) => ({
  size: shares(count),
  cost: BigInt(shares(count)) * 5_600n,
  fees: 0 as MicroDollars,
});
const accepted = (state: 'rests' | 'gone' | 'delayed', count: number | null): SubmitOutcome => ({
  type: 'accepted',
  venueOrderId: 'v-1',
  state,
  stated: count === null ? null : stated(count),
});

describe('what the venue says', () => {
  it.each([
    ['rests', accepted('rests', 0), { type: 'made', status: 'OPEN' }, { status: 'OPEN', venueOrderId: 'v-1' }],
    ['partly filled', accepted('rests', 4), { type: 'made', status: 'OPEN' }, { status: 'OPEN' }],
    ['filled', accepted('gone', 10), { type: 'made', status: 'FILLED' }, { status: 'FILLED', error: null }],
    ['killed the rest', accepted('gone', 4), { type: 'made', status: 'CANCELLED' }, { status: 'CANCELLED' }],
    ['delayed', accepted('delayed', null), { status: 'SUBMITTED' }, { status: 'SUBMITTED', venueOrderId: 'v-1' }],
    [
      'refused',
      REFUSED,
      { type: 'refused', kind: 'insufficientBalance', message: 'insufficient balance', orderId: null },
      { status: 'REJECTED', isReleased: false, error: { code: 'VENUE_REJECTED', message: 'insufficient balance' } },
    ],
    [
      'not sent',
      NOT_SENT,
      { kind: 'unavailable', retryAfterS: 2, orderId: null },
      { status: 'REJECTED', isReleased: true, error: { code: 'UNKNOWN', message: 'no connection' } },
    ],
    ['timeout', TIMEOUT, { kind: 'unknownOutcome' }, { status: 'SUBMITTED', venueOrderId: null }],
    ['lost', { type: 'unknown', cause: 'lost', message: '' }, { kind: 'unreadableOutcome' }, { status: 'SUBMITTED' }],
    [
      'unreadable',
      { type: 'unknown', cause: 'unreadable', message: '' },
      { kind: 'unreadableOutcome' },
      { status: 'SUBMITTED' },
    ],
  ] satisfies [string, SubmitOutcome, object, object][])('%s', async (_case, outcome, answer, order) => {
    const rig = new Rig();
    expect(await rig.submit(outcome)).toMatchObject({ ...answer, isReplayed: false });
    expect(rig.order()).toMatchObject(order);
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('an unknown outcome names the order', async () => {
    const rig = new Rig();
    expect(await rig.submit(TIMEOUT)).toMatchObject({ orderId: rig.id() });
  });

  it('that it exists, which a look confirms', async () => {
    const rig = new Rig();
    rig.venue.lookUps = [found('rests', [rig.fill('f', 4)])];
    expect(await rig.submit({ type: 'exists', message: 'exists' })).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.order()).toMatchObject({ venueOrderId: 'v-1', filled: { size: shares(4) } });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'lookUp at any time']);
  });

  it('that it exists, which no look confirms: unknown', async () => {
    const rig = new Rig();
    expect(await rig.submit({ type: 'exists', message: 'exists' })).toMatchObject({ kind: 'unknownOutcome' });
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', sentAt: null });
  });
});

describe('what was told before the answer stands', () => {
  it.each([
    ['a fill, then "it rests"', RESTS, { type: 'made', status: 'OPEN' }],
    ['a fill, then a refusal', REFUSED, { type: 'made', status: 'OPEN' }],
    ['a fill, then "not sent"', NOT_SENT, { type: 'made', status: 'OPEN' }],
    ['a fill, then nothing', TIMEOUT, { type: 'made', status: 'OPEN' }],
  ] satisfies [string, SubmitOutcome, object][])('%s', async (_case, outcome, answer) => {
    const rig = new Rig();
    const { answer: given, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    say(outcome);
    expect(await given).toMatchObject(answer);
    expect(rig.order().filled.size).toBe(shares(4));
    expect(rig.divergences).toEqual(outcome === REFUSED || outcome === NOT_SENT ? ['refused-but-there'] : []);
  });

  it('cancelled and told so, then an older "it rests"', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'order', order: rig.told_() });
    rig.hear({ type: 'order', order: rig.told_({ state: 'gone' }) });
    say(RESTS);
    expect(await answer).toMatchObject({ type: 'made', status: 'CANCELLED' });
  });

  it('but that a killed order is gone is left to the refusal that says why', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'order', order: rig.told_({ state: 'gone' }) });
    say({ type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: 'killed' } });
    expect(await answer).toMatchObject({ kind: 'invalid', message: 'killed' });
    expect(rig.order().status).toBe('REJECTED');
  });

  it('what the venue holds back was sent: its key is never free', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'order', order: rig.told_({ state: 'delayed' }) });
    say(NOT_SENT);
    expect(await answer).toMatchObject({ type: 'made', status: 'SUBMITTED' });
  });
});

describe('refused before there is an order', () => {
  const facts = (rig: Rig, change: object): void => {
    if (rig.venue.facts_.ok) rig.venue.facts_ = { ok: true, value: { ...rig.venue.facts_.value, ...change } };
  };
  const prepared = (kind: 'invalid' | 'unavailable') => (rig: Rig) => {
    rig.venue.prepared = { kind, error: { code: 'INVALID_ORDER', message: 'no' }, message: 'no' };
  };
  it.each([
    ['market unknown', (rig: Rig) => (rig.venue.facts_ = { ok: false, error: { type: 'unknown-market' } }), 'notFound'],
    [
      'market not described',
      (rig: Rig) => (rig.venue.facts_ = { ok: false, error: { type: 'unavailable', message: 'down' } }),
      'unavailable',
    ],
    ['market closed', (rig: Rig) => facts(rig, { isOpen: false }), 'notFound'],
    ['off the grid', (rig: Rig) => facts(rig, { grid: [{ start: 0, end: 10_000, step: 1_000 }] }), 'invalid'],
    ['cannot be built', prepared('invalid'), 'invalid'],
    ['the book cannot be read', prepared('unavailable'), 'unavailable'],
  ] satisfies [string, (rig: Rig) => unknown, string][])('%s', async (_case, arrange, kind) => {
    const rig = new Rig();
    arrange(rig);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'refused', kind, orderId: null });
    expect(rig.store.allOrders()).toEqual([]);
    expect(rig.store.idempotency('alice', 'venue_b', 'one')).toBeNull();
    expect(rig.venue.calls).toEqual([]);
  });
});

describe('refused as an order', () => {
  it.each([
    ['not-after', 'invalid', 'NOT_FEASIBLE', (rig: Rig) => ({ notAfter: (rig.timers.now() - 1) as UnixMillis })],
    [
      'notionalMax',
      'invalid',
      'INVALID_ORDER',
      (rig: Rig) => {
        rig.limits = { ...NO_LIMITS, notionalMax: 5_599_999 as MicroDollars };
        return {};
      },
    ],
    [
      'openOrdersMax',
      'invalid',
      'INVALID_ORDER',
      (rig: Rig) => {
        rig.limits = { ...NO_LIMITS, openOrdersMax: 0 };
        return {};
      },
    ],
    [
      'positionMax',
      'invalid',
      'INVALID_ORDER',
      (rig: Rig) => {
        rig.limits = { ...NO_LIMITS, positionMax: shares(9) };
        return {};
      },
    ],
    [
      'a book that is too thin',
      'invalid',
      'NOT_FEASIBLE',
      (rig: Rig) => {
        rig.venue.prepared = { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: 'thin' }, message: 'thin' };
        return {};
      },
    ],
    [
      'too little money',
      'insufficientBalance',
      'INVALID_ORDER',
      (rig: Rig) => {
        const error = { code: 'INVALID_ORDER', message: 'fee' } as const;
        rig.venue.prepared = { kind: 'insufficientBalance', error, message: 'fee' };
        return {};
      },
    ],
  ] satisfies [string, string, string, (rig: Rig) => object][])('%s', async (_case, kind, code, arrange) => {
    const rig = new Rig();
    const change = arrange(rig);
    const answer = await rig.submit(RESTS, change);
    expect(answer).toMatchObject({ type: 'refused', kind, isReplayed: false });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: false, error: { code } });
    expect(rig.venue.calls).toEqual([]);
    expect(rig.told.map(({ event, order }) => [event, order.status])).toEqual([['STATUS', 'REJECTED']]);
    expect(await rig.submit(RESTS, change)).toEqual({ ...answer, isReplayed: true });
  });

  it('a sale of what is not held; but what the venue says is bought may be sold at once', async () => {
    const rig = new Rig('venue_a');
    const sell = { request: TOKEN_SELL, idempotencyKey: 'sell' };
    expect(await rig.submit(RESTS, sell)).toMatchObject({ kind: 'insufficientBalance' });
    await rig.submit(accepted('gone', 5));
    expect(rig.order().status).toBe('FILLED');
    expect(await rig.submit(RESTS, { ...sell, idempotencyKey: 'again' })).toMatchObject({ type: 'made' });
    expect(await rig.submit(RESTS, { ...sell, idempotencyKey: 'twice' })).toMatchObject({
      kind: 'insufficientBalance',
      message: 'size: the actor can sell 0 shares of this token',
    });
  });

  it('not-after that passes between the record and the sending', async () => {
    const rig = new Rig();
    const notAfter = (rig.timers.now() + 5) as UnixMillis;
    const passed = (stage: string): void => {
      if (stage === 'store') rig.timers.advance(10);
    };
    expect(await rig.submit(RESTS, { notAfter, passed })).toMatchObject({ kind: 'invalid' });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' } });
    expect(rig.venue.calls).toEqual([]);
  });

  it('a record that took so long that the order was given up is not sent', async () => {
    const rig = new Rig();
    const passed = (stage: string): void => {
      if (stage === 'store') rig.timers.advance(5_000);
    };
    expect(await rig.submit(RESTS, { passed })).toMatchObject({ kind: 'unavailable' });
    expect(rig.order().isReleased).toBe(true);
    expect(rig.venue.calls).toEqual([]);
  });
});

describe('the same key again', () => {
  it('gets the first answer, whatever has become of the order, after a restart too', async () => {
    const rig = new Rig();
    const first = await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    const restarted = new Rig('venue_b', rig.store);
    expect(await restarted.submit(REFUSED)).toEqual({ ...first, isReplayed: true });
    expect(restarted.venue.calls).toEqual([]);
  });

  it('with another body is a conflict; of another actor it is another key', async () => {
    const rig = new Rig();
    await rig.submit(RESTS);
    expect(await rig.submit(RESTS, { bodySha256Hex: 'bb' })).toMatchObject({ kind: 'idempotencyConflict' });
    expect(await rig.submit(RESTS, { bodySha256Hex: 'bb', actorId: 'bob' })).toMatchObject({ type: 'made' });
    expect(rig.store.allOrders()).toHaveLength(2);
  });

  it('twice at once is sent once, and both get its answer', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    const twin = submit(rig.parts, rig.submission());
    await rig.pass(50, 10);
    const third = submit(rig.parts, rig.submission());
    say(RESTS);
    await rig.pass(500, 10);
    expect(await answer).toMatchObject({ status: 'OPEN', isReplayed: false });
    expect([await twin, await third]).toEqual([
      { type: 'made', orderId: rig.id(), status: 'OPEN', isReplayed: true },
      { type: 'made', orderId: rig.id(), status: 'OPEN', isReplayed: true },
    ]);
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('twice at once, the second told by the private stream: its answer is that of the first, too', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    const twin = submit(rig.parts, rig.submission());
    rig.hear({ type: 'order', order: rig.told_() });
    await rig.pass(100, 10);
    expect(await twin).toMatchObject({ type: 'made', status: 'OPEN' });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    say(RESTS);
    expect([await answer, rig.order().status]).toMatchObject([{ type: 'made', status: 'OPEN' }, 'FILLED']);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
  });

  it('twice at once after a restart, with a fill between the two: one answer', async () => {
    const rig = new Rig();
    rig.start();
    await rig.pass(10, 5);
    rig.hear({ type: 'order', order: rig.told_() });
    const [one, other] = [rig.submission(), rig.submission()];
    const early = repeated(rig.store, one)!;
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(await answerAgain(rig.parts, other, repeated(rig.store, other)!)).toMatchObject({ status: 'FILLED' });
    expect(await answerAgain(rig.parts, one, early)).toMatchObject({ status: 'FILLED' });
  });

  it('twice at once with two bodies: one is the first, the other a conflict', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    const other = submit(rig.parts, rig.submission({ bodySha256Hex: 'bb' }));
    say(RESTS);
    await rig.pass(50, 10);
    expect([await answer, await other]).toMatchObject([{ type: 'made' }, { kind: 'idempotencyConflict' }]);
  });

  it('that waits for one that was not sent is told so too', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    const twin = submit(rig.parts, rig.submission());
    say(NOT_SENT);
    await rig.pass(500, 10);
    expect(await answer).toMatchObject({ kind: 'unavailable' });
    expect(await twin).toMatchObject({ kind: 'unavailable', message: 'no connection' });
  });

  it('that waits for a process that is no more is told to reconcile', async () => {
    const rig = new Rig();
    rig.start();
    await rig.pass(10, 5);
    const late = submit(rig.parts, rig.submission());
    await rig.pass(6_000);
    expect(await late).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
  });

  it('after a 503 makes the same order, with nothing left of the first', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    rig.ledger.change(entry => entry.apply(rig.id(), [{ type: 'cancel-requested', at: entry.at }]));
    say(NOT_SENT);
    await answer;
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', orderId: rig.id(), isReplayed: false });
    expect(rig.order()).toMatchObject({ status: 'OPEN', error: null, cancelRequestedAt: null });
    expect(rig.store.allOrders()).toHaveLength(1);
    expect(await rig.submit(RESTS, { bodySha256Hex: 'bb' })).toMatchObject({ kind: 'idempotencyConflict' });
  });

  it('after a 504 gets it again at once while nothing is known', async () => {
    const rig = new Rig();
    const first = await rig.submit(TIMEOUT);
    expect(await rig.submit(RESTS)).toEqual({ ...first, isReplayed: true });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('after a 504 that is resolved gets 201, and keeps it', async () => {
    const rig = new Rig();
    await rig.submit(TIMEOUT);
    rig.hear({ type: 'order', order: rig.told_() });
    const second = await rig.submit(REFUSED);
    expect(second).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(await rig.submit(REFUSED)).toEqual(second);
  });

  it('after a 504 that left no trace gets 400, and keeps it even if a trace comes late', async () => {
    const rig = new Rig();
    await rig.submit(TIMEOUT);
    await rig.sweep(31_000);
    const second = await rig.submit(RESTS);
    expect(second).toMatchObject({ kind: 'invalid', message: 'no trace at the venue', isReplayed: true });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(rig.order().status).toBe('FILLED');
    expect(await rig.submit(RESTS)).toEqual(second);
  });

  it('after its answer was forgotten is answered from the order', async () => {
    const rig = new Rig();
    await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    rig.store.prune((rig.timers.now() + 1) as UnixMillis);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'FILLED', isReplayed: true });
  });

  it('after its record was lost finds the order that was adopted meanwhile', async () => {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.told_({ request: YES_BUY }) });
    expect(rig.divergences).toEqual(['adopted-order']);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', orderId: rig.id(), status: 'OPEN' });
    expect(rig.venue.calls).toEqual([]);
    const other = { request: { ...YES_BUY, ticker: 'KXOTHER' }, bodySha256Hex: 'bb' };
    expect(await rig.submit(RESTS, other)).toMatchObject({ kind: 'idempotencyConflict' });
  });

  it('for something else than the adopted order is a conflict', async () => {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.told_({ request: YES_BUY }) });
    const other = { request: { ...YES_BUY, action: 'SELL', price: ticks(6_000) } as const };
    expect(await rig.submit(RESTS, other)).toMatchObject({ kind: 'idempotencyConflict' });
  });
});
