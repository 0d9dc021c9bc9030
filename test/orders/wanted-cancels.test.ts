// Cancels that the engine makes by itself: at once, before all look-ups, a few at a time.

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { wantCancelled } from '../../src/orders/cancel-requests.ts';
import type { Account } from '../../src/store/order-records.ts';
import type { CancelOutcome } from '../../src/venues/venue.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { ACTOR, found, RESTS, Rig, TIMEOUT } from './orders-rig.ts';

const CANCELLED: CancelOutcome = { type: 'cancelled' };
const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };

describe('cancels that the engine makes by itself', () => {
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
      .filter(({ order }) => order.idempotencyKey.startsWith(prefix))
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

  it('of orders that have to be found first do not wait behind orders without a cancel request', async () => {
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

  it('that find nothing end nothing: what was to be cancelled may have been filled', async () => {
    const rig = await rigWith(1, 0);
    rig.venue.cancels = [{ type: 'not-found', message: 'not found' }];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    wantAll(rig, 'r');
    await rig.timers.settle();
    expect([times(rig, 'cancel'), rig.order(rig.id('r0')).status]).toEqual([1, 'OPEN']);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10, { venueOrderId: 'v-0' })])];
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order(rig.id('r0')).status).toBe('FILLED');
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

it('a sweep looks up no resting order without a cancel request', async () => {
  let walks = 0;
  class WatchedLedger extends MemoryLedger {
    override openOrders(account: Account) {
      walks += 1;
      return super.openOrders(account);
    }
  }
  const rig = new Rig('venue_b', new WatchedLedger());
  await rig.submit(RESTS);
  rig.hear({ type: 'up' });
  await rig.pass(10, 5);
  expect(walks).toBeGreaterThan(0);
  walks = 0;
  await rig.sweep();
  expect(walks).toBe(0);
});
