// Why an order ended, and how the venue explained a refusal: for each cause, and for each way in which the gateway hears of it.

import { describe, expect, it } from 'vitest';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { cancelAll } from '../../../src/orders/life/cancel-all.ts';
import { recordCancelRequest } from '../../../src/orders/life/cancel-requests.ts';
import { ACTOR, found, NOT_SENT, OWNER, REFUSED, RESTS, Rig } from './orders-rig.ts';

const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;

const reasons = (rig: Rig) =>
  rig.reported.filter(({ order }) => order.status === 'CANCELLED').map(({ order }) => order.cancelReason);

describe('an order is cancelled', () => {
  it('as REQUESTED', async () => {
    const rig = await Rig.submitted(RESTS);
    await rig.cancel(rig.id());
    expect(reasons(rig)).toEqual(['REQUESTED']);
  });

  it('by its dead man’s switch', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.switched.set(OWNER, 1_000);
    rig.timers.advance(1_000);
    rig.switched.check();
    await rig.sweep();
    expect(reasons(rig)).toEqual(['DEAD_MAN']);
  });

  it('by a cancel of all of its actor, with the reason of that', async () => {
    const rig = await Rig.submitted(RESTS);
    const results = cancelAll(rig, rig.venue, { ...meant, reason: 'DISCONNECT' }, rig.deadline());
    await rig.pass(100);
    expect(await results).toMatchObject({ results: [{ outcome: 'CANCELLED' }] });
    expect(reasons(rig)).toEqual(['DISCONNECT']);
  });

  it('by the venue, which says why on its stream', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone', reason: 'MARKET_CLOSED' }) });
    expect(reasons(rig)).toEqual(['MARKET_CLOSED']);
  });

  it('by the venue, which says why only after a look-up has found the end', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.venue.lookUps = [found('gone')];
    rig.executions.start();
    await rig.pass(50);
    expect(reasons(rig)).toEqual(['VENUE']);
    const said = { type: 'order', order: rig.venueOrder({ state: 'gone', reason: 'SELF_TRADE' }) } as const;
    rig.hear(said);
    rig.hear(said);
    expect(reasons(rig)).toEqual(['VENUE', 'SELF_TRADE']);
  });

  it('as REQUESTED, though the venue gives no reason of its own', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.ledger.change(entry => recordCancelRequest(entry, rig.id()));
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone', reason: 'VENUE' }) });
    expect(reasons(rig)).toEqual(['REQUESTED']);
  });

  it('by the venue in its answer', async () => {
    const rig = await Rig.submitted({ ...RESTS, state: 'gone', stated: NOTHING_FILLED, reason: 'SELF_TRADE' });
    expect(reasons(rig)).toEqual(['SELF_TRADE']);
  });
});

describe('a refusal keeps the venue’s words apart from ours', () => {
  const venueError = { code: 'insufficient_balance', message: 'insufficient balance' };

  it('as an order that is REJECTED', async () => {
    const rig = new Rig();
    await rig.submit({ ...REFUSED, venueError } as typeof REFUSED);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'VENUE_REJECTED' }, venueError });
  });

  it('if nothing was done for now', async () => {
    const rig = new Rig();
    await rig.submit({ ...NOT_SENT, venueError } as typeof NOT_SENT);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' }, isReleased: true, venueError });
    await rig.submit(RESTS);
    expect(rig.order()).toMatchObject({ status: 'OPEN', venueError: null });
  });

  it('unless the refusal is ours, which has none of the venue’s', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_b', { notAfter: 1 as never });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'NOT_FEASIBLE' }, venueError: null });
  });
});
