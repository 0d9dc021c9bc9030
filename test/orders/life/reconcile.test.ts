// Cancels that the engine makes by itself, with what the venue says to have filled by then (venue-b.md §5.3).

import { beforeEach, describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import type { StoredOrder } from '../../../src/core/store/order-records.ts';
import { limits } from '../../../src/limits.ts';
import { recordCancelRequest } from '../../../src/orders/life/cancel-requests.ts';
import { Executions } from '../../../src/orders/life/executions.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import type { LookUp } from '../../../src/venues/venue.ts';
import { at, orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { turnsUntil } from '../../support/turns.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ACTOR, found, listed, RESTS, Rig, shares, TIMEOUT } from './orders-rig.ts';
import { ScriptedVenue } from './scripted-venue.ts';

const UNAVAILABLE = { type: 'unavailable', message: 'down' } as const;
const LIMITED = { limits: { ...NO_LIMITS, positionMax: shares(10) } };

/** Cancels as a dead man's switch or a protection does. */
async function fire(rig: Rig): Promise<void> {
  rig.ledger.change(entry => recordCancelRequest(entry, rig.id(), 'DEAD_MAN'));
  rig.executions.cancelNow(rig.account, [rig.id()]);
  await rig.timers.settle();
}

describe('a cancel that nobody waits for', () => {
  it('4002: leaves no room in a limit for what it says to have filled', async () => {
    const rig = await Rig.submitted(RESTS, 'venue_b', LIMITED);
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
    const rig = await Rig.submitted(RESTS);
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(6) }];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 6)])];
    await fire(rig);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(6) } });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'cancel', 'lookUp']);
  });

  it('4002: is looked up again where the order was found and cancelled', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(6) }];
    rig.venue.lookUps = [found('rests'), found('gone', [rig.fill('f', 6)])];
    await fire(rig);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(6) } });
  });

  it('4002: needs no look-up where all that it says is known', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 6) });
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(6) }];
    await fire(rig);
    expect(rig.order().status).toBe('CANCELLED');
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'cancel']);
    expect(rig.store.openCount(ACTOR, 'venue_b')).toBe(0);
  });
});

// A venue's answer arrived after the end, and was applied to a store that was closed.
describe('0014: an account read while the gateway ends', () => {
  const account = { podId: 'pod', venue: 'venue_b' } as const;
  const failed = (error: unknown): never => {
    throw error;
  };
  const intent = { payload: new Uint8Array(), venueOrderId: null, clientOrderId: 'ours' };

  let store: MemoryLedger;
  let timers: VirtualTimers;
  let venue: ScriptedVenue;
  let executions: Executions;
  beforeEach(() => {
    store = new MemoryLedger();
    timers = new VirtualTimers();
    venue = new ScriptedVenue(timers.now());
    const ledger = new Ledger({ store, now: () => timers.now(), publish: () => {}, diverged: () => {} });
    const accounts = [{ account, trading: venue }];
    const actors = { actorOfTag: () => null, actorsOf: () => ['alice'] };
    executions = new Executions({
      ledger,
      timers,
      accounts,
      ...actors,
      announce: () => {},
      storeFailed: failed,
    });
  });

  /** Questions to the venue, and its final answers. */
  const QUESTIONS = {
    openOrders: listed([]),
    fillsSince: listed([]),
    lookUp: found('rests'),
    positions: listed([]),
  } as const;

  it.each(Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[])(
    'the end waits for the %s of the account',
    async question => {
      const { promise, resolve } = Promise.withResolvers<never>();
      let isAsked = false;
      venue[question] = () => {
        isAsked = true;
        return promise;
      };
      store.change(to => to.putOrder(storedOrder({ number: 1, intent }, { status: 'SUBMITTED', sentAt: at(1) })));
      executions.start();
      for (let sweeps = 0; sweeps < 3; sweeps += 1) await timers.settle(limits.sweepMs);
      expect(isAsked).toBe(true);

      let hasStopped = false;
      const stopped = executions.stop().then(() => {
        hasStopped = true;
      });
      // A new connection would request the look-up once more while it is under way. After the stop it does not.
      executions.handle(account, { type: 'up' });
      await timers.settle(limits.sweepMs);
      expect(hasStopped).toBe(false);
      resolve(QUESTIONS[question] as never);
      await stopped;
      if (question === 'lookUp') expect(store.order(orderIdOf(1))?.order.status).toBe('OPEN');
      const { length } = store.log.records;
      await timers.settle(limits.accountReadMs);
      expect(store.log.records).toHaveLength(length);
    },
  );
});

// The venue's reads were 3 s old, so both the list and the confirming look-up still had the order. Nothing was wrong.
describe('0020: a list and a look as old as it', () => {
  async function endedHereAndListed(lookUps: readonly LookUp[]): Promise<Rig> {
    const rig = await Rig.submitted(RESTS);
    await rig.cancel(rig.id());
    rig.venue.calls.length = 0;
    rig.venue.open = [rig.venueOrder()];
    rig.venue.lookUps = [...lookUps];
    rig.hear({ type: 'up' });
    await rig.pass(10, 5);
    return rig;
  }

  it('nothing to cancel is no alarm, and the order is looked at until the reads have come', async () => {
    const rig = await endedHereAndListed([found('rests'), found('rests'), found('rests'), found('gone')]);
    rig.venue.cancels = [{ type: 'not-found', message: 'matched or canceled' }];
    rig.venue.open = [];
    for (let seconds = 0; seconds < 10; seconds += 1) await rig.sweep();
    expect(rig.venue.calls).toEqual(['lookUp', 'cancel', 'lookUp', 'lookUp', 'cancel', 'lookUp']);
    expect([rig.divergences, rig.order().status]).toEqual([[], 'CANCELLED']);
  });

  it('an order that had to be cancelled is one alarm, however old the reads are', async () => {
    const rig = await endedHereAndListed([found('rests')]);
    rig.venue.cancels = [{ type: 'not-sent', message: 'no connection', retryAfterS: 1 }, { type: 'cancelled' }];
    rig.venue.open = [];
    for (let seconds = 0; seconds < 10; seconds += 1) await rig.sweep();
    expect(rig.venue.calls).toEqual(['lookUp', 'cancel', 'lookUp', 'cancel', 'lookUp']);
    expect(rig.divergences).toEqual(['late-trace']);
  });
});

// The gateway read all open orders every half minute, and once more for the unreported fills. With thousands of open orders, fills and
// cancels waited for these reads.
describe('0147: very many open orders', () => {
  const ORDERS = 10 * limits.accountRowsPerTurnMax;
  /** Reads of one order in one turn. */
  const READS_MAX = 3;

  class CountingLedger extends MemoryLedger {
    reads = 0;
    override order(orderId: OrderId): StoredOrder | null {
      this.reads += 1;
      return super.order(orderId);
    }
  }

  it('open orders are gone through a slice at a time', async () => {
    const rig = new Rig('venue_b', new CountingLedger());
    for (let number = 0; number < ORDERS; number += 1) {
      const idempotencyKey = String(number);
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey });
      const clientOrderId = clientOrderIdOf(rig.id(idempotencyKey), ACTOR);
      rig.venue.open.push(rig.venueOrder({ venueOrderId: `v-${number}`, clientOrderId }));
    }
    const perTurn: number[] = [];
    let isDone = false;
    const count = (): void => {
      perTurn.push(rig.store.reads);
      rig.store.reads = 0;
      if (!isDone) setImmediate(count);
    };
    rig.store.reads = 0;
    rig.executions.start();
    count();
    await turnsUntil(() => rig.news.length > 0);
    await rig.sweep(limits.accountReadMs);
    await rig.executions.stop();
    isDone = true;
    perTurn.push(rig.store.reads);
    expect(rig.news).toEqual([{ type: 'read' }]);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(READS_MAX * limits.accountRowsPerTurnMax);
  });
});
