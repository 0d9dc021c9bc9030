// Cancels (contract §4.9): the venue's answers, events meanwhile, and cancels that stay requested.

import { describe, expect, it } from 'vitest';
import { recordCancelRequest } from '../../../src/orders/life/cancel-requests.ts';
import type { CancelOutcome, LookUp } from '../../../src/venues/venue.ts';
import { found, RESTS, Rig, shares, TIMEOUT } from './orders-rig.ts';

const CANCELLED: CancelOutcome = { type: 'cancelled' };
const NOT_FOUND: CancelOutcome = { type: 'not-found', message: 'not found' };
const NOT_NOW: CancelOutcome = { type: 'not-now', message: 'delayed' };
const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };
const NOT_SENT: CancelOutcome = { type: 'not-sent', message: 'no connection', retryAfterS: 2 };
const REFUSED: CancelOutcome = { type: 'refused', kind: 'fault', message: 'key revoked' };
const STAYS_WANTED =
  'venue_b: no connection: nothing was sent yet; the cancel stays wanted and is made as soon as the venue takes it: read the order';
const UNAVAILABLE: LookUp = { type: 'unavailable', message: 'down' };

async function resting(): Promise<Rig> {
  const rig = await Rig.submitted(RESTS);
  rig.venue.calls.length = 0;
  return rig;
}

describe('a resting order', () => {
  it.each([
    ['cancelled', [CANCELLED], [], { type: 'cancelled' }, 'CANCELLED', ['cancel']],
    ['not there, and gone', [NOT_FOUND], [found('gone')], { type: 'cancelled' }, 'CANCELLED', ['cancel', 'lookUp']],
    [
      'not there, but a stale read shows it: looked at until it is gone',
      [NOT_FOUND],
      [found('rests'), found('rests'), found('gone')],
      { type: 'cancelled' },
      'CANCELLED',
      ['cancel', 'lookUp', 'cancel', 'lookUp', 'cancel', 'lookUp'],
    ],
    [
      'not now, then cancelled',
      [NOT_NOW, CANCELLED],
      [found('rests')],
      { type: 'cancelled' },
      'CANCELLED',
      ['cancel', 'lookUp', 'cancel'],
    ],
    [
      'the answer lost, and it is gone',
      [UNKNOWN],
      [found('gone')],
      { type: 'cancelled' },
      'CANCELLED',
      ['cancel', 'lookUp'],
    ],
    ['not sent', [NOT_SENT], [], { kind: 'unavailable', message: STAYS_WANTED, retryAfterS: 2 }, 'OPEN', ['cancel']],
  ] satisfies [string, CancelOutcome[], LookUp[], object, string, string[]][])(
    '%s',
    async (_case, cancels, lookUps, answer, status, calls) => {
      const rig = await resting();
      rig.venue.cancels = cancels;
      rig.venue.lookUps = lookUps;
      expect(await rig.cancel(rig.id())).toMatchObject(answer);
      expect(rig.order().status).toBe(status);
      expect(rig.order().cancelRequestedAt).not.toBeNull();
      expect(rig.venue.calls).toEqual(calls);
    },
  );

  it('of unknown outcome gets a 504, and its cancel request stays until the cancel is made', async () => {
    const rig = await resting();
    rig.venue.cancels = [UNKNOWN];
    rig.venue.lookUps = [UNAVAILABLE];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
    expect(rig.order().status).toBe('OPEN');
    rig.venue.cancels = [CANCELLED];
    rig.venue.lookUps = [found('rests')];
    await rig.sweep();
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('of unknown outcome is answered in time, though the clock is set back meanwhile', async () => {
    const rig = await resting();
    rig.venue.cancels = [UNKNOWN];
    rig.venue.lookUps = [UNAVAILABLE];
    const asked = rig.cancel(rig.id());
    rig.timers.setClock(-3_600_000);
    expect(await asked).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
  });

  it('has a fill that wins over the cancel that finds nothing', async () => {
    const rig = await resting();
    rig.venue.cancels = [NOT_FOUND];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'notCancellable' });
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
  });

  it('that was filled in part just before the cancel is answered with that part', async () => {
    const rig = await resting();
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    const answer = await rig.cancel(rig.id());
    expect(answer).toMatchObject({ type: 'cancelled', order: { status: 'CANCELLED', filled: { size: shares(4) } } });
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp']);
  });

  it('4002: that was filled in part is cancelled with that part, though a stale look shows it before', async () => {
    const rig = await resting();
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
    rig.venue.lookUps = [found('rests'), found('rests', [rig.fill('f', 4)]), UNAVAILABLE];
    const answer = await rig.cancel(rig.id());
    expect(answer).toMatchObject({ type: 'cancelled', order: { status: 'CANCELLED', filled: { size: shares(4) } } });
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp', 'lookUp']);
  });

  it('4002: that was filled in part counts as open until its fills are known', async () => {
    const rig = await resting();
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }, NOT_FOUND];
    rig.venue.lookUps = [UNAVAILABLE];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: 0 } });
    expect(rig.venue.calls.filter(call => call === 'cancel')).toHaveLength(1);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
  });

  it('4002: that was filled in part ends with the fill that the private stream reports', async () => {
    const rig = await resting();
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
    rig.venue.lookUps = [UNAVAILABLE];
    const cancelling = rig.cancel(rig.id());
    await rig.pass(200);
    expect(rig.order().status).toBe('OPEN');
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    expect(await cancelling).toMatchObject({ type: 'cancelled', order: { filled: { size: shares(4) } } });
  });

  it('4002: that was reduced by hand ends as the venue shows it', async () => {
    const rig = await resting();
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
    rig.venue.lookUps = [found('gone')];
    expect(await rig.cancel(rig.id())).toMatchObject({ type: 'cancelled', order: { filled: { size: 0 } } });
  });

  it('whose fills are reported before the cancel is answered is not looked at', async () => {
    const rig = await resting();
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
    expect(await rig.cancel(rig.id())).toMatchObject({ type: 'cancelled', order: { filled: { size: shares(4) } } });
    expect(rig.venue.calls).toEqual(['cancel']);
  });

  it('has a fill that counts though it is reported after a confirmed cancel', async () => {
    const rig = await resting();
    await rig.cancel(rig.id());
    const { closedAt } = rig.order();
    rig.timers.advance(10);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) }, closedAt });
    rig.hear({ type: 'fill', fill: rig.fill('g', 6) });
    expect(rig.order().status).toBe('FILLED');
  });

  it('cannot be cancelled twice', async () => {
    const rig = await resting();
    await rig.cancel(rig.id());
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'notCancellable' });
  });
});

describe('a cancel that the venue refuses', () => {
  /** Makes a cancel under way that the venue refuses on command. */
  function refusing(rig: Rig) {
    const { promise, resolve } = Promise.withResolvers<CancelOutcome>();
    rig.venue.cancels = [promise];
    const cancelling = rig.cancel(rig.id());
    return { cancelling, refuse: () => resolve(REFUSED) };
  }

  it('is not made later', async () => {
    const rig = await resting();
    rig.venue.cancels = [REFUSED];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'fault', message: 'key revoked' });
    expect(rig.order()).toMatchObject({ status: 'OPEN', cancelRequestedAt: null });
    rig.venue.cancels = [CANCELLED];
    rig.venue.open = [rig.venueOrder()];
    await rig.sweep(10_000);
    expect(rig.venue.calls).toEqual(['cancel']);
    expect(rig.order().status).toBe('OPEN');
  });

  it('is made later if it was requested before', async () => {
    const rig = await resting();
    rig.venue.cancels = [NOT_SENT];
    await rig.cancel(rig.id());
    rig.venue.cancels = [REFUSED];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'fault' });
    expect(rig.order().cancelRequestedAt).not.toBeNull();
    rig.venue.cancels = [CANCELLED];
    rig.venue.lookUps = [found('rests')];
    await rig.sweep(10_000);
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('is made later if it was requested again meanwhile', async () => {
    const rig = await resting();
    const { cancelling, refuse } = refusing(rig);
    rig.ledger.change(entry => recordCancelRequest(entry, rig.id()));
    refuse();
    expect(await cancelling).toMatchObject({ kind: 'fault' });
    expect(rig.order().cancelRequestedAt).not.toBeNull();
  });

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('is heard by both of two callers, with %s answered first, and one cancel is made later', async (_which, first) => {
    const rig = await resting();
    const said = [Promise.withResolvers<CancelOutcome>(), Promise.withResolvers<CancelOutcome>()];
    rig.venue.cancels = said.map(({ promise }) => promise);
    const cancelling = [rig.cancel(rig.id()), rig.cancel(rig.id())];
    said[first]!.resolve(REFUSED);
    await rig.pass(10, 10);
    said[1 - first]!.resolve(REFUSED);
    const refused = { type: 'refused', kind: 'fault', message: 'key revoked', orderId: null };
    expect(await Promise.all(cancelling)).toMatchObject([refused, refused]);
    rig.venue.cancels = [CANCELLED];
    await rig.sweep(10_000);
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('changes nothing of an order that has ended meanwhile', async () => {
    const rig = await resting();
    const { cancelling, refuse } = refusing(rig);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    refuse();
    expect(await cancelling).toMatchObject({ kind: 'fault' });
    expect(rig.order().status).toBe('FILLED');
  });
});

describe('an order that may not be there', () => {
  it('is cancelled as soon as its answer comes', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(20, 5);
    const cancelling = rig.cancel(rig.id());
    await rig.pass(10, 10);
    say(RESTS);
    expect(await answer).toMatchObject({ status: 'OPEN' });
    expect(await cancelling).toMatchObject({ type: 'cancelled' });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'cancel']);
  });

  it('is cancelled when it is found, long after the 504', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.venue.lookUps = [{ type: 'absent', isCurrent: false }];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'unknownOutcome' });
    rig.venue.lookUps = [found('rests')];
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', venueOrderId: 'v-1' });
  });

  it('was never sent, and no cancel ever is', async () => {
    const rig = new Rig();
    rig.putUnsent();
    expect(await rig.cancel(rig.id())).toMatchObject({ type: 'cancelled' });
    expect(rig.venue.calls).toEqual([]);
  });
});
