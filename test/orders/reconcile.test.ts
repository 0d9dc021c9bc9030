// Cancels that the engine makes by itself, with what the venue says to have filled by then (venue-b.md §5.3).

import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/domain/identity.ts';
import { limits } from '../../src/limits.ts';
import { wantCancelled } from '../../src/orders/cancel-requests.ts';
import { ACTOR, found, RESTS, Rig, shares, TIMEOUT } from './orders-rig.ts';

const UNAVAILABLE = { type: 'unavailable', message: 'down' } as const;
const LIMITED = { limits: { ...NO_LIMITS, positionMax: shares(10) } };

/** What a dead man's switch or a protection does. */
async function fire(rig: Rig): Promise<void> {
  rig.ledger.change(entry => wantCancelled(entry, rig.id(), 'DEAD_MAN'));
  rig.executions.cancelNow(rig.account, [rig.id()]);
  await rig.timers.settle();
}

describe('a cancel that nobody waits for', () => {
  it('4002: leaves no room in a limit for what it says to have filled', async () => {
    const rig = new Rig();
    await rig.submit(RESTS, LIMITED);
    rig.venue.cancels = [
      { type: 'cancelled', filled: shares(6) },
      { type: 'not-found', message: 'not found' },
    ];
    rig.venue.lookUps = [UNAVAILABLE];
    await fire(rig);
    const next = { ...LIMITED, idempotencyKey: 'next' };
    expect(await rig.submit(RESTS, next)).toMatchObject({ kind: 'invalid' });
    rig.venue.lookUps = [found('gone', [rig.fill('f', 6)])];
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(6) }, cancelReason: 'DEAD_MAN' });
    expect(await rig.submit(RESTS, { ...next, idempotencyKey: 'last' })).toMatchObject({ kind: 'invalid' });
    expect(rig.position()).toBe(shares(6));
  });

  it('4002: is looked up at once, and its fills are those that the venue lists', async () => {
    const rig = new Rig();
    await rig.submit(RESTS);
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(6) }];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 6)])];
    await fire(rig);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(6) } });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'cancel', 'lookUp']);
  });

  it('4002: is looked up again where the order was found and cancelled', async () => {
    const rig = new Rig();
    await rig.submit(TIMEOUT);
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(6) }];
    rig.venue.lookUps = [found('rests'), found('gone', [rig.fill('f', 6)])];
    await fire(rig);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(6) } });
  });

  it('4002: needs no look-up where all that it says is known', async () => {
    const rig = new Rig();
    await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 6) });
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(6) }];
    await fire(rig);
    expect(rig.order().status).toBe('CANCELLED');
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'cancel']);
    expect(rig.store.openCount(ACTOR, 'venue_b')).toBe(0);
  });
});
