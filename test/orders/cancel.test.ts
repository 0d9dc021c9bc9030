// Cancels (contract §4.9, §4.11): what the venue says to them, what happens meanwhile, and those that stay wanted.

import { describe, expect, it } from 'vitest';
import { createOrder } from '../../src/domain/order.ts';
import { limits } from '../../src/limits.ts';
import { CancelAfterWatch, setCancelAfter } from '../../src/orders/cancel-after.ts';
import { cancelAll } from '../../src/orders/cancel-all.ts';
import { wantCancelled } from '../../src/orders/cancel-wishes.ts';
import type { Account, OrderTransaction } from '../../src/store/order-records.ts';
import type { CancelOutcome, LookUp } from '../../src/venues/venue.ts';
import { NaiveOrderStore } from '../support/naive-order-store.ts';
import { ACTOR, found, POD, RESTS, Rig, shares, TIMEOUT, YES_BUY } from './orders-rig.ts';

const CANCELLED: CancelOutcome = { type: 'cancelled' };
const NOT_FOUND: CancelOutcome = { type: 'not-found', message: 'not found' };
const NOT_NOW: CancelOutcome = { type: 'not-now', message: 'delayed' };
const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };
const UNAVAILABLE: LookUp = { type: 'unavailable', message: 'down' };

async function resting(): Promise<Rig> {
  const rig = new Rig();
  await rig.submit(RESTS);
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
    [
      'refused',
      [{ type: 'refused', kind: 'fault', message: 'key revoked' }],
      [],
      { type: 'refused', kind: 'fault', message: 'key revoked' },
      'OPEN',
      ['cancel'],
    ],
    [
      'not sent',
      [{ type: 'not-sent', message: 'no connection', retryAfterS: 2 }],
      [],
      { kind: 'unavailable', retryAfterS: 2 },
      'OPEN',
      ['cancel'],
    ],
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

  it('that nobody can say anything of: 504, and the cancel stays wanted until it is made', async () => {
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

  it('a fill wins over the cancel that finds nothing', async () => {
    const rig = await resting();
    rig.venue.cancels = [NOT_FOUND];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'notCancellable' });
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
  });

  it('a fill told after a confirmed cancel counts', async () => {
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

describe('a second try, after the thread of the first has died', () => {
  it('is answered what the first has done', async () => {
    const rig = await resting();
    const triedAt = rig.timers.now();
    await rig.cancel(rig.id());
    rig.timers.advance(1_000);
    expect(await rig.cancel(rig.id(), rig.terms(triedAt))).toMatchObject({ type: 'cancelled' });
    expect(rig.venue.calls).toEqual(['cancel']);
  });

  it('cannot cancel what had ended before the first', async () => {
    const rig = await resting();
    await rig.cancel(rig.id());
    rig.timers.advance(1);
    const triedAt = rig.timers.now();
    expect(await rig.cancel(rig.id(), rig.terms(triedAt))).toMatchObject({ kind: 'notCancellable' });
  });

  it('cannot cancel what has ended without a wish of anybody', async () => {
    const rig = await resting();
    const triedAt = rig.timers.now();
    rig.hear({ type: 'order', order: rig.told_({ state: 'gone' }) });
    expect(rig.order().status).toBe('CANCELLED');
    expect(await rig.cancel(rig.id(), rig.terms(triedAt))).toMatchObject({ kind: 'notCancellable' });
  });

  it('cannot cancel what was filled meanwhile', async () => {
    const rig = await resting();
    const triedAt = rig.timers.now();
    rig.venue.cancels = [UNKNOWN];
    rig.venue.lookUps = [UNAVAILABLE];
    await rig.cancel(rig.id());
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(await rig.cancel(rig.id(), rig.terms(triedAt))).toMatchObject({ kind: 'notCancellable' });
  });

  it('is answered of what was never sent', async () => {
    const rig = unsent();
    const triedAt = rig.timers.now();
    await rig.cancel(rig.id());
    expect(await rig.cancel(rig.id(), rig.terms(triedAt))).toMatchObject({ type: 'cancelled' });
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
    const rig = new Rig();
    await rig.submit(TIMEOUT);
    rig.venue.lookUps = [{ type: 'absent', isCurrent: false }];
    expect(await rig.cancel(rig.id())).toMatchObject({ kind: 'unknownOutcome' });
    rig.venue.lookUps = [found('rests')];
    await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', venueOrderId: 'v-1' });
  });

  it('was never sent: nothing is, ever', async () => {
    const rig = unsent();
    expect(await rig.cancel(rig.id())).toMatchObject({ type: 'cancelled' });
    expect(rig.venue.calls).toEqual([]);
  });
});

/** With an order that another process has recorded and not sent. */
function unsent(): Rig {
  const rig = new Rig();
  const names = { orderId: rig.id(), podId: POD, actorId: ACTOR, keyId: 'key' };
  const order = createOrder({ ...names, request: YES_BUY, at: rig.timers.now() });
  rig.store.change(transaction =>
    transaction.putOrder({
      order,
      intent: { payload: new Uint8Array(), venueOrderId: null, clientOrderId: 'c' },
      idempotencyKey: 'one',
      refusedAs: null,
    }),
  );
  return rig;
}

/** Tells how many orders each transaction has put. */
class CountedStore extends NaiveOrderStore {
  readonly #changed: number[];

  constructor(changed: number[]) {
    super({ defer: queueMicrotask, watch: () => changed.push((changed.pop() ?? 0) + 1) });
    this.#changed = changed;
  }

  override change<T>(work: (transaction: OrderTransaction) => T): T {
    this.#changed.push(0);
    return super.change(work);
  }
}

describe('all of them', () => {
  const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;

  async function several(rig: Rig): Promise<void> {
    for (const idempotencyKey of ['one', 'two', 'three']) {
      const request = idempotencyKey === 'three' ? { ...YES_BUY, ticker: 'KXOTHER' } : YES_BUY;
      const outcome = { ...RESTS, venueOrderId: `v-${idempotencyKey}` };
      await rig.submit(outcome, { idempotencyKey, request, keyId: idempotencyKey === 'two' ? 'other' : 'key' });
      rig.timers.advance(1);
    }
    await rig.submit(RESTS, { idempotencyKey: 'bobs', actorId: 'bob' });
  }

  it('of the actor, and of nobody else, each with its outcome', async () => {
    const rig = new Rig();
    await several(rig);
    rig.venue.cancels = [CANCELLED, { type: 'refused', kind: 'fault', message: 'no' }, NOT_FOUND];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10, { venueOrderId: 'v-one' })])];
    expect(await cancelAll(rig, rig.venue, meant, rig.terms())).toEqual([
      { orderId: rig.id('three'), outcome: 'CANCELLED' },
      { orderId: rig.id('two'), outcome: 'RECONCILE' },
      { orderId: rig.id('one'), outcome: 'NOT_CANCELLABLE' },
    ]);
    expect(rig.order(rig.id('two')).cancelRequestedAt).not.toBeNull();
    expect(rig.store.openCount('bob', 'venue_b')).toBe(1);
  });

  it('within one deadline, however many they are', async () => {
    const rig = new Rig();
    for (let number = 0; number < 3 * limits.cancelsInFlightMax; number += 1) {
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `${number}` });
    }
    rig.venue.cancels = [UNKNOWN];
    rig.venue.lookUps = [UNAVAILABLE];
    const results = cancelAll(rig, rig.venue, meant, rig.terms());
    await rig.pass(limits.venueAnswerTimeoutMs);
    const late = rig.timers.settle().then(() => 'late');
    const outcomes = await Promise.race([results.then(all => new Set(all.map(({ outcome }) => outcome))), late]);
    expect(outcomes).toEqual(new Set(['RECONCILE']));
    expect(rig.store.allOrders().every(({ order }) => order.cancelRequestedAt !== null)).toBe(true);
  });

  it('a second time, after the thread of the first has died: with what that has done', async () => {
    const rig = new Rig();
    await several(rig);
    await rig.submit({ ...RESTS, venueOrderId: 'v-four' }, { idempotencyKey: 'four' });
    await rig.cancel(rig.id('three'));
    rig.timers.advance(1);
    const triedAt = rig.timers.now();
    rig.venue.cancels = [CANCELLED, UNKNOWN];
    rig.venue.lookUps = [UNAVAILABLE];
    const dies = cancelAll(rig, rig.venue, meant, rig.terms());
    await rig.pass(100);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { venueOrderId: 'v-two', clientOrderId: null }) });
    rig.venue.cancels = [CANCELLED];
    const results = await cancelAll(rig, rig.venue, meant, rig.terms(triedAt));
    expect(Object.fromEntries(results.map(({ orderId, outcome }) => [orderId, outcome]))).toEqual({
      [rig.id('four')]: 'CANCELLED',
      [rig.id('two')]: 'NOT_CANCELLABLE',
      [rig.id('one')]: 'CANCELLED',
    });
    expect(results).toHaveLength(3);
    await rig.pass(1_000);
    await dies;
  });

  it('of one market', async () => {
    const rig = new Rig();
    await several(rig);
    const results = await cancelAll(rig, rig.venue, { ...meant, address: 'KXOTHER' }, rig.terms());
    expect(results).toEqual([{ orderId: rig.id('three'), outcome: 'CANCELLED' }]);
  });

  it('of a signing key that has not reported in time; a restart does not matter', async () => {
    const rig = new Rig();
    await several(rig);
    const owner = { keyId: 'key', actorId: ACTOR, podId: POD };
    expect(setCancelAfter(rig.ledger, owner, 5_000)).toBe(rig.timers.now() + 5_000);
    const fired: string[] = [];
    const watch = (): CancelAfterWatch =>
      new CancelAfterWatch({ ...rig, fired: (_owner, orderIds) => fired.push(...orderIds) });
    const first = watch();
    first.start();
    rig.timers.advance(4_900);
    expect(setCancelAfter(rig.ledger, owner, 5_000)).toBe(rig.timers.now() + 5_000);
    rig.timers.advance(4_900);
    expect(fired).toEqual([]);
    first.stop();
    rig.timers.advance(60_000);
    expect(fired).toEqual([]);
    const second = watch();
    second.start();
    await rig.timers.settle();
    expect(fired).toEqual([rig.id('three'), rig.id('one')]);
    expect(rig.store.cancelAfters()).toEqual([]);
    second.stop();
    rig.venue.lookUps = [found('rests')];
    await rig.sweep();
    expect(rig.order(rig.id('two')).status).toBe('OPEN');
    expect(rig.store.openCount(ACTOR, 'venue_b')).toBe(1);
  });

  it('of a signing key with very many: no transaction holds up the others', async () => {
    const changed: number[] = [];
    const rig = new Rig('venue_b', new CountedStore(changed));
    const count = limits.ordersPerPageMax + 1;
    for (let number = 0; number < count; number += 1) {
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `${number}` });
    }
    setCancelAfter(rig.ledger, { keyId: 'key', actorId: ACTOR, podId: POD }, 1_000);
    rig.timers.advance(1_000);
    changed.length = 0;
    const fired: string[] = [];
    const watch = new CancelAfterWatch({ ...rig, fired: (_owner, orderIds) => fired.push(...orderIds) });
    watch.check();
    expect(rig.store.cancelAfters()).toHaveLength(1);
    await rig.timers.settle();
    expect([changed, fired.length, rig.store.cancelAfters()]).toEqual([[limits.ordersPerPageMax, 1, 0], count, []]);
    changed.length = 0;
    rig.venue.cancels = [CANCELLED];
    const all = cancelAll(rig, rig.venue, meant, rig.terms());
    await rig.pass(100);
    expect(await all).toHaveLength(count);
    expect(Math.max(...changed)).toBeLessThanOrEqual(limits.ordersPerPageMax);
  });

  it('nothing happens once the switch is set anew while it fires', async () => {
    const rig = new Rig();
    for (let number = 0; number <= limits.ordersPerPageMax; number += 1) {
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `${number}` });
    }
    const owner = { keyId: 'key', actorId: ACTOR, podId: POD };
    setCancelAfter(rig.ledger, owner, 1_000);
    rig.timers.advance(1_000);
    const fired: string[] = [];
    new CancelAfterWatch({ ...rig, fired: (_owner, orderIds) => fired.push(...orderIds) }).check();
    setCancelAfter(rig.ledger, owner, 1_000);
    await rig.timers.settle();
    expect([fired.length, rig.store.cancelAfters().length]).toEqual([limits.ordersPerPageMax, 1]);
  });

  it('nothing happens once the switch is taken away', async () => {
    const rig = new Rig();
    await several(rig);
    const owner = { keyId: 'key', actorId: ACTOR, podId: POD };
    setCancelAfter(rig.ledger, owner, 1_000);
    expect(setCancelAfter(rig.ledger, owner, 0)).toBeNull();
    rig.timers.advance(10_000);
    new CancelAfterWatch({ ...rig, fired: () => {} }).check();
    expect(rig.store.openCount(ACTOR, 'venue_b')).toBe(3);
  });
});

describe('wanted cancels of the executions thread', () => {
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
      .filter(({ idempotencyKey }) => idempotencyKey.startsWith(prefix))
      .map(({ order }) => order.orderId);
    rig.ledger.change(entry => orderIds.forEach(orderId => void wantCancelled(entry, orderId)));
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

  it('of orders that have to be found first do not wait behind others that nobody wants cancelled', async () => {
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

it('a sweep asks for no order that rests and that nobody wants cancelled', async () => {
  let walks = 0;
  class WatchedStore extends NaiveOrderStore {
    override openOrders(account: Account) {
      walks += 1;
      return super.openOrders(account);
    }
  }
  const rig = new Rig('venue_b', new WatchedStore({ defer: queueMicrotask }));
  await rig.submit(RESTS);
  rig.hear({ type: 'up' });
  await rig.pass(10, 5);
  expect(walks).toBeGreaterThan(0);
  walks = 0;
  await rig.sweep();
  expect(walks).toBe(0);
});
