// With `power-safe`, a cancel that the venue had not confirmed was answered as recorded before its record was on disk. A power cut could
// take it, and it was never made (simulation, seed 9 219 347). A cancel that is confirmed waits for no disk.

import { describe, expect, it } from 'vitest';
import { cancel, cancelBatch, isKeptBy } from '../../src/orders/cancel.ts';
import { cancelAll } from '../../src/orders/cancel-all.ts';
import { StoreError } from '../../src/store/store-error.ts';
import type { CancelOutcome } from '../../src/venues/venue.ts';
import { ACTOR, RESTS, Rig } from '../orders/orders-rig.ts';

const NOT_SENT: CancelOutcome = { type: 'not-sent', message: 'no connection', retryAfterS: 2 };

const WAYS: Readonly<Record<string, (rig: Rig) => Promise<boolean>>> = {
  cancel: async rig => {
    const parts = { ledger: rig.ledger.lenient(), timers: rig.timers };
    return isKeptBy(parts, await cancel(parts, rig.venue, rig.stored(), rig.deadline()));
  },
  'cancel of several': async rig => {
    const [answer] = cancelBatch(rig, rig.venue, [rig.stored()], rig.deadline());
    return (await answer!).isRecorded;
  },
  'cancel of all': async rig => {
    const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;
    return (await cancelAll(rig, rig.venue, meant, rig.deadline())).isRecorded;
  },
};

describe.each(Object.entries(WAYS))('a %s', (_what, way) => {
  it.each([true, false])('that is left for later waits for the disk, which does its work: %s', async works => {
    const { answered, disk, rig } = await asked(way, NOT_SENT);
    await rig.pass(900);
    expect(answered).toEqual([]);
    if (works) disk.resolve();
    else disk.reject(new StoreError('the disk fails'));
    await rig.pass(50);
    expect(answered).toEqual([works]);
  });

  it('does not wait for a disk that hangs', async () => {
    const { answered, rig } = await asked(way, NOT_SENT);
    await rig.pass(1_100);
    expect(answered).toEqual([false]);
  });

  it('that is not recorded does not, and says so', async () => {
    const { answered, rig } = await asked(way, NOT_SENT, () => {
      throw new StoreError('the disk is full');
    });
    await rig.pass(50);
    expect(answered).toEqual([false]);
  });

  it('that is confirmed does not', async () => {
    const { answered, rig } = await asked(way, { type: 'cancelled' });
    await rig.pass(1_000);
    expect(answered).toEqual([true]);
  });
});

async function asked(way: (rig: Rig) => Promise<boolean>, outcome: CancelOutcome, change?: () => never) {
  const rig = new Rig('venue_b');
  await rig.submit(RESTS);
  const disk = Promise.withResolvers<void>();
  rig.store.durable = () => disk.promise;
  if (change !== undefined) rig.store.change = change;
  rig.venue.cancels = [outcome];
  const answered: boolean[] = [];
  void way(rig).then(isRecorded => answered.push(isRecorded));
  return { answered, disk, rig };
}
