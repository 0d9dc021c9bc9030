// Cancels and switches while the journal takes no records, in virtual time. They act without a record, and are found once the journal takes
// records again.

import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { cancel, cancelBatch, isRecordKept } from '../../../src/orders/life/cancel.ts';
import { CancelAfterWatch } from '../../../src/orders/life/cancel-after.ts';
import { cancelAll } from '../../../src/orders/life/cancel-all.ts';
import { Executions } from '../../../src/orders/life/executions.ts';
import type { CancelOutcome, LookUp, SubmitOutcome } from '../../../src/venues/venue.ts';
import { submit } from '../../support/submitted.ts';
import { ACTOR, POD, REFUSED, RESTS, Rig } from './orders-rig.ts';

const owner = { keyId: 'key', actorId: ACTOR, podId: POD };

let rig: Rig;
let faults: number;
const storeFailed = (error: unknown): void => {
  if (!(error instanceof StoreError)) throw error;
  faults += 1;
};

beforeEach(() => {
  rig = new Rig();
  faults = 0;
});

const accepted = { type: 'accepted', venueOrderId: 'v-1', state: 'rests', stated: null } as const;
const resting: LookUp = { type: 'found', venueOrderId: 'v-1', state: 'rests', stated: null, fills: [] };
const gone: LookUp = { type: 'found', venueOrderId: 'v-1', state: 'gone', stated: NOTHING_FILLED, fills: [] };

describe('a lenient ledger', () => {
  it('says what a change would bring, and changes nothing', async () => {
    await rig.submit(accepted);
    const [before, reported] = [rig.stored(), rig.reported.length];
    rig.store.isFull = true;
    const ledger = rig.ledger.lenient();
    const orderId = rig.id();
    const end = { type: 'ends', at: rig.timers.now(), venueOrderId: null, stated: null } as const;
    expect(ledger.change(entry => entry.apply(orderId, [end])).status).toBe('CANCELLED');
    expect([ledger.isRecorded, rig.stored(), rig.reported.length]).toEqual([false, before, reported]);
    expect(() => rig.ledger.change(entry => entry.apply(orderId, [end]))).toThrow(StoreError);
  });

  it('records nothing any more that may rest on what is missing', async () => {
    await rig.submit({ type: 'unknown', cause: 'timeout', message: 'late' });
    rig.venue.lookUps = [resting];
    const ledger = rig.ledger.lenient();
    rig.store.isFull = true;
    const answer = cancel({ ledger, timers: rig.timers }, rig.venue, rig.stored(), rig.deadline());
    // The order is found while nothing can be recorded. It is cancelled when records can be written again.
    const cancels = rig.venue.cancel.bind(rig.venue);
    rig.venue.cancel = order => {
      if (order.venueOrderId !== null) rig.store.isFull = false;
      return cancels(order);
    };
    await rig.pass(3_000);
    expect([await answer, ledger.isRecorded]).toMatchObject([{ type: 'cancelled' }, false]);
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', venueOrderId: null });
  });
});

describe('a switch that fires without a record', () => {
  let watch: CancelAfterWatch;
  let fired: { readonly orderIds: readonly OrderId[]; readonly isRecorded: boolean }[];
  let executions: Executions;
  let over: number;

  beforeEach(async () => {
    await rig.submit(accepted);
    fired = [];
    over = 0;
    const { ledger, timers, account, venue } = rig;
    executions = new Executions({
      ...{ ledger, timers, storeFailed, actorOfTag: () => null, actorsOf: () => [ACTOR], announce: () => {} },
      accounts: [{ account, trading: venue }],
    });
    watch = new CancelAfterWatch({
      ...{ ledger, timers, storeFailed },
      onFired: (_owner, orderIds, isRecorded) => {
        fired.push({ orderIds, isRecorded });
        executions.cancelNow(account, orderIds, isRecorded);
      },
      onOver: () => {
        over += 1;
      },
    });
    watch.start();
  });

  it('5707: cancels once, says so once, and is recorded as fired when that can be done', async () => {
    expect(watch.set(owner, 2_000)).toMatchObject({ isRecorded: true, hasRecord: true });
    rig.store.isFull = true;
    await rig.pass(10_000);
    expect(rig.venue.calls.filter(it => it === 'cancel')).toHaveLength(1);
    expect([fired, rig.order().status]).toEqual([[{ orderIds: [rig.id()], isRecorded: false }], 'OPEN']);
    expect(faults).toBeGreaterThan(0);
    rig.store.isFull = false;
    rig.venue.lookUps = [gone];
    await rig.pass(2_000);
    await executions.sweep();
    expect([rig.store.cancelAfters(), rig.order().status, over]).toEqual([[], 'CANCELLED', 1]);
  });

  it('that memory alone has is recorded as it was set last', async () => {
    rig.store.isFull = true;
    watch.set(owner, 60_000);
    const deadline = rig.timers.now() + 90_000;
    expect(watch.set(owner, 90_000)).toEqual({ deadline, isRecorded: false, hasRecord: false });
    await rig.pass(3_000);
    expect(rig.store.cancelAfters()).toEqual([]);
    rig.store.isFull = false;
    await rig.pass(2_000);
    expect(rig.store.cancelAfters()).toEqual([{ ...owner, deadline }]);
  });

  it('that memory alone has fires once, though its cancel requests can be recorded by then', async () => {
    watch.stop();
    rig.store.isFull = true;
    watch.check();
    watch.set(owner, 500);
    watch.check();
    rig.store.isFull = false;
    await rig.pass(600);
    watch.check();
    await rig.pass(5_000);
    watch.check();
    await rig.pass(100);
    expect(fired).toEqual([{ orderIds: [rig.id()], isRecorded: true }]);
    expect([rig.store.cancelAfters(), rig.order().status]).toEqual([[], 'CANCELLED']);
  });

  it('that is taken away in memory does not fire', async () => {
    watch.set(owner, 2_000);
    rig.store.isFull = true;
    expect(watch.set(owner, 0)).toEqual({ deadline: null, isRecorded: false, hasRecord: true });
    await rig.pass(5_000);
    expect(fired).toEqual([]);
    rig.store.isFull = false;
    await rig.pass(2_000);
    expect([fired, rig.store.cancelAfters()]).toEqual([[], []]);
  });

  it('that could not be recorded counts for nothing once one of its key is', async () => {
    rig.store.isFull = true;
    watch.set(owner, 2_000);
    rig.store.isFull = false;
    const { deadline } = watch.set(owner, 60_000);
    await rig.pass(5_000);
    expect([fired, rig.store.cancelAfters()]).toEqual([[], [{ ...owner, deadline }]]);
  });

  it('finds and cancels what was sent, and could not be recorded as accepted', async () => {
    await rig.submit({ type: 'unknown', cause: 'timeout', message: 'late' }, { idempotencyKey: 'two' });
    watch.set(owner, 2_000);
    rig.store.isFull = true;
    rig.venue.lookUps = [resting];
    rig.venue.calls.length = 0;
    await rig.pass(5_000);
    expect(rig.venue.calls.filter(it => it === 'cancel')).toHaveLength(2);
  });

  it('cancels what the venue shows in a row that cannot be read', async () => {
    await rig.submit({ type: 'unknown', cause: 'timeout', message: 'late' }, { idempotencyKey: 'two' });
    watch.set(owner, 2_000);
    rig.store.isFull = true;
    const orders = [{ venueOrderId: 'v-2', clientOrderId: null }];
    const nothing = { tradeId: '', addresses: [], at: null, isUnreported: false, form: '' };
    rig.venue.lookUps = [{ type: 'held', row: { about: 'order', key: 'row', orders, ...nothing } }];
    rig.venue.calls.length = 0;
    await rig.pass(5_000);
    expect(rig.venue.calls.filter(it => it === 'cancel').length).toBeGreaterThan(1);
  });
});

// With `power-safe`, a cancel that the venue had not confirmed was answered as recorded before its record was on disk. A power cut could
// take it, and it was never made (simulation, seed 9 219 347). A cancel that is confirmed waits for no disk.
describe('3322: a cancel left for later and not on disk', () => {
  const NOT_SENT: CancelOutcome = { type: 'not-sent', message: 'no connection', retryAfterS: 2 };

  const WAYS: Readonly<Record<string, (rig: Rig) => Promise<boolean>>> = {
    cancel: async rig => {
      const parts = { ledger: rig.ledger.lenient(), timers: rig.timers };
      return isRecordKept(parts, await cancel(parts, rig.venue, rig.stored(), rig.deadline()));
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
});

// Two requests with one key came at once, the second one inadmissible by itself. It got the refusal of the first before that was on disk,
// with `power-safe`. A power cut could take the record, and another answer stood in its place (simulation, seed 8 239 622).
it('3321: waits for the disk with the first request', async () => {
  const rig = new Rig('venue_b');
  const outcome = Promise.withResolvers<SubmitOutcome>();
  rig.venue.submits = [outcome.promise];
  const answered: string[] = [];
  const both = [true, false].map(isTradable =>
    submit(rig.parts, rig.submission({ isTradable })).then(answer => {
      answered.push(isTradable ? 'first' : 'repeat');
      return answer;
    }),
  );
  await rig.pass(100);
  const disk = Promise.withResolvers<void>();
  rig.store.durable = () => disk.promise;
  outcome.resolve(REFUSED);
  await rig.pass(100);
  expect(rig.order().status).toBe('REJECTED');
  expect(answered).toEqual([]);
  disk.resolve();
  const refused = { type: 'refused', kind: 'insufficientBalance', message: 'insufficient balance' };
  expect(await Promise.all(both)).toMatchObject([refused, { ...refused, isReplayed: true }]);
});
