// Submissions: the venue's answers, and the refusals before the venue is asked (contract §4.3).

import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { submit as startSubmit } from '../../../src/orders/life/submit.ts';
import type { Standing, SubmitOutcome } from '../../../src/venues/venue.ts';
import { submit } from '../../support/submitted.ts';
import { ABSENT, found, NOT_SENT, REFUSED, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL } from './orders-rig.ts';

const stated = (count: number) => ({
  size: shares(count),
  cost: BigInt(shares(count)) * 5_600n,
  fees: 0 as MicroDollars,
});
const accepted = (state: Standing['state'], count: number): SubmitOutcome => ({
  type: 'accepted',
  venueOrderId: 'v-1',
  state,
  stated: stated(count),
});

describe('what the venue says', () => {
  it.each([
    ['rests', accepted('rests', 0), { type: 'made', status: 'OPEN' }, { status: 'OPEN', venueOrderId: 'v-1' }],
    ['partly filled', accepted('rests', 4), { type: 'made', status: 'OPEN' }, { status: 'OPEN' }],
    ['filled', accepted('gone', 10), { type: 'made', status: 'FILLED' }, { status: 'FILLED', error: null }],
    ['killed the rest', accepted('gone', 4), { type: 'made', status: 'CANCELLED' }, { status: 'CANCELLED' }],
    ['delayed', accepted('delayed', 0), { status: 'SUBMITTED' }, { status: 'SUBMITTED', venueOrderId: 'v-1' }],
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
      {
        status: 'REJECTED',
        isReleased: true,
        error: { code: 'UNKNOWN', message: 'venue_b: no connection: nothing was done' },
      },
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

  it('that our own code fails on: the caller hears it, and the order is still looked for', async () => {
    const rig = new Rig();
    rig.venue.submit = (_prepared, _deadline, _notAfter, hearer) => hearer.failed(new Error('a fault of ours'));
    await expect(rig.submit(RESTS)).rejects.toThrow('a fault of ours');
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', closedAt: null });
  });

  it('an answer that our own code fails on is a failure for the caller, who hears of it once', async () => {
    const rig = new Rig();
    rig.venue.submits = [RESTS];
    const heard: unknown[] = [];
    const asker = {
      answered: () => {
        throw new Error('a fault of ours');
      },
      failed: (error: Error) => heard.push(error.message),
    };
    startSubmit(rig.parts, [rig.submission({ asker })]);
    await rig.pass(1);
    expect([heard, rig.order().status]).toEqual([['a fault of ours'], 'OPEN']);
  });

  it('that our own code fails on after the caller has an answer is a failure of the engine', async () => {
    const rig = new Rig();
    rig.venue.submit = (_prepared, _deadline, _notAfter, hearer) => {
      hearer.answered(RESTS);
      hearer.failed(new Error('a fault of ours'));
    };
    expect(await submit(rig.parts, rig.submission())).toMatchObject({ type: 'made', status: 'OPEN' });
    await expect(Promise.all(rig.late)).rejects.toThrow('a fault of ours');
  });

  it('that it exists, which a look confirms', async () => {
    const rig = new Rig();
    rig.venue.lookUps = [found('rests', [rig.fill('f', 4)])];
    expect(await rig.submit({ type: 'exists', message: 'exists' })).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.order()).toMatchObject({ venueOrderId: 'v-1', filled: { size: shares(4) } });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'lookUp at any time']);
  });

  describe('that it is taken, at prices that the venue does not state', () => {
    const unreported = { type: 'exists', message: 'taken', venueOrderId: 'v-1' } as const;

    it('which a look-up shows', async () => {
      const rig = new Rig();
      rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
      expect(await rig.submit(unreported)).toMatchObject({ type: 'made', status: 'FILLED' });
      expect(rig.order()).toMatchObject({ venueOrderId: 'v-1', filled: { size: shares(10) } });
      expect(rig.order().sentAt).not.toBeNull();
      expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'lookUp']);
    });

    it.each([
      ['absent', ABSENT],
      ['resting, of a list that is older', found('rests', [])],
    ])('which a look-up does not show, %s: its fills do', async (_what, seen) => {
      const rig = new Rig();
      rig.venue.lookUps = [seen];
      expect(await rig.submit(unreported)).toMatchObject({ type: 'made', status: 'SUBMITTED' });
      expect(rig.order()).toMatchObject({
        status: 'SUBMITTED',
        venueOrderId: 'v-1',
        filled: { size: 0 },
        stated: { size: 0 },
      });
      rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
      expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
    });
  });

  it('that it exists, which no look confirms: the outcome is unknown', async () => {
    const rig = new Rig();
    expect(await rig.submit({ type: 'exists', message: 'exists' })).toMatchObject({ kind: 'unknownOutcome' });
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', sentAt: null });
  });
});

describe('what was reported before the answer stands', () => {
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

  it('cancelled and reported so, then an older "it rests"', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'order', order: rig.venueOrder() });
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
    say(RESTS);
    expect(await answer).toMatchObject({ type: 'made', status: 'CANCELLED' });
  });

  it('the end of a killed order is left to the refusal that says why', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
    say({ type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: 'killed' } });
    expect(await answer).toMatchObject({ kind: 'invalid', message: 'killed' });
    expect(rig.order().status).toBe('REJECTED');
  });

  it('what the venue holds back was sent: its key is never free', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(100);
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'delayed' }) });
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
    ['market closed', (rig: Rig) => facts(rig, { phase: 'CLOSED' }), 'notFound'],
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

describe('4039: an answer has the order’s own code', () => {
  it.each([
    ['refused by the venue', REFUSED, 'VENUE_REJECTED'],
    ['not sent', NOT_SENT, 'UNKNOWN'],
    ['unknown', TIMEOUT, null],
  ] satisfies [string, SubmitOutcome, string | null][])(
    'exactly if it is REJECTED: %s',
    async (_case, outcome, reason) => {
      const rig = new Rig();
      expect(await rig.submit(outcome)).toMatchObject({ type: 'refused', reason });
      expect(rig.order().error?.code ?? null).toBe(reason);
    },
  );

  it('4039: an answer has no code where no order was made', async () => {
    const rig = new Rig();
    rig.venue.facts_ = { ok: false, error: { type: 'unknown-market' } };
    expect(await rig.submit(RESTS)).toMatchObject({ kind: 'notFound', reason: null });
    const other = await Rig.submitted(RESTS);
    expect(await other.submit(RESTS, { bodySha256Hex: 'b'.repeat(64) })).toMatchObject({
      kind: 'idempotencyConflict',
      reason: null,
    });
  });
});

it('4029: an order to a paused market at venue A leaves no record, and the same key places it once the pause is over', async () => {
  const rig = new Rig('venue_a');
  const open = rig.venue.facts_;
  if (!open.ok) throw new Error('facts are scripted');
  rig.venue.facts_ = { ok: true, value: { ...open.value, phase: 'PAUSED' } };
  expect(await rig.submit(RESTS)).toMatchObject({ kind: 'unavailable', orderId: null, retryAfterS: 1 });
  expect(rig.store.order(rig.id())).toBeNull();
  rig.venue.facts_ = open;
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN' });
});

it('4004: while the history is too far behind no order is taken, in words, and all else goes on', async () => {
  const rig = await Rig.submitted(RESTS);
  rig.store.log.backlog = 'the history is behind';
  const next = { idempotencyKey: 'next' };
  expect(await rig.submit(RESTS, next)).toMatchObject({ kind: 'unavailable', message: 'the history is behind' });
  expect(rig.store.order(rig.id('next'))).toBeNull();
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', isReplayed: true });
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  expect(await rig.cancel(rig.id())).toMatchObject({ type: 'cancelled', order: { filled: { size: shares(4) } } });
  rig.store.log.backlog = null;
  expect(await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, next)).toMatchObject({ type: 'made', status: 'OPEN' });
});

describe('refused as an order', () => {
  it.each([
    ['not-after', 'invalid', 'NOT_FEASIBLE', (rig: Rig) => ({ notAfter: (rig.timers.now() - 1) as UnixMillis })],
    [
      'notionalMax',
      'invalid',
      'NOT_FEASIBLE',
      () => ({ limits: { ...NO_LIMITS, notionalMax: 5_599_999 as MicroDollars } }),
    ],
    ['sizeMax', 'invalid', 'NOT_FEASIBLE', () => ({ limits: { ...NO_LIMITS, sizeMax: shares(9) } })],
    ['openOrdersMax', 'invalid', 'INVALID_ORDER', () => ({ limits: { ...NO_LIMITS, openOrdersMax: 0 } })],
    ['positionMax', 'invalid', 'INVALID_ORDER', () => ({ limits: { ...NO_LIMITS, positionMax: shares(9) } })],
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
    expect(answer).toMatchObject({ type: 'refused', kind, reason: code, isReplayed: false });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: false, error: { code } });
    expect(rig.venue.calls).toEqual([]);
    expect(rig.reported.map(({ event, order }) => [event, order.status])).toEqual([['STATUS', 'REJECTED']]);
    expect(await rig.submit(RESTS, change)).toEqual({ ...answer, isReplayed: true });
    const other = { ...change, bodySha256Hex: 'b'.repeat(64) };
    expect(await rig.submit(RESTS, other)).toMatchObject({ kind: 'idempotencyConflict' });
  });

  it('a sale of what is not held, though what the venue says is bought may be sold at once', async () => {
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

  it('an order whose not-after passes between the record and the sending', async () => {
    const rig = new Rig();
    const notAfter = (rig.timers.now() + 5) as UnixMillis;
    const passed = (stage: string): void => {
      if (stage === 'store') rig.timers.advance(10);
    };
    expect(await rig.submit(RESTS, { notAfter, stopwatch: { passed } })).toMatchObject({ kind: 'invalid' });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' } });
    expect(rig.venue.calls).toEqual([]);
  });

  it('unless its not-after is this very millisecond, which the venue’s connection knows', async () => {
    const rig = new Rig();
    const notAfter = rig.timers.now();
    const reported: unknown[] = [];
    rig.venue.submit = (_prepared, _deadline, until, hearer) => {
      reported.push(until);
      hearer.answered(RESTS);
    };
    expect(await rig.submit(RESTS, { notAfter })).toMatchObject({ type: 'made' });
    expect(reported).toEqual([notAfter]);
  });

  it('an order whose not-after passes while it waits for a connection', async () => {
    const rig = new Rig();
    const notAfter = (rig.timers.now() + 5) as UnixMillis;
    rig.venue.submit = (_prepared, _deadline, _notAfter, hearer) => {
      void rig.timers.settle(10).then(() => hearer.answered(NOT_SENT));
    };
    expect(await rig.submit(NOT_SENT, { notAfter })).toMatchObject({ kind: 'invalid' });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' }, isReleased: false });
  });

  it('an order whose record took so long that it was given up', async () => {
    const rig = new Rig();
    const passed = (stage: string): void => {
      if (stage === 'store') rig.timers.advance(5_000);
    };
    expect(await rig.submit(RESTS, { stopwatch: { passed } })).toMatchObject({ kind: 'unavailable' });
    expect(rig.order().isReleased).toBe(true);
    expect(rig.venue.calls).toEqual([]);
  });
});
