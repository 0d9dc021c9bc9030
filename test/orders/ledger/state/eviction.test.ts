// Orders and positions that leave the engine's memory, when, and how they are loaded again.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroDollars, MicroShares } from '../../../../src/core/domain/numbers.ts';
import type { Order } from '../../../../src/core/domain/order.ts';
import { noPosition } from '../../../../src/core/domain/position.ts';
import type { LedgerTransaction, StoredOrder } from '../../../../src/core/store/order-records.ts';
import { limits } from '../../../../src/limits.ts';
import { fillOf, orderIdOf, storedOrder } from '../../../core/store/orders/order-rig.ts';
import { EngineRig } from '../engine-rig.ts';

const NOW = 1_790_000_000_000;
const ACCOUNT = { podId: 'pod', venue: 'venue_b' } as const;
const ID = orderIdOf(1);
const HASH = '0'.repeat(64);
const CANCELLED = { status: 'CANCELLED', closedAt: NOW as Order['closedAt'] } as const;
const NOTHING = { orders: 0, keys: 0, fills: 0, positions: 0 };

let rig: EngineRig;
beforeEach(() => {
  rig = new EngineRig(NOW);
});
afterEach(() => rig.close());

it('an order that has ended leaves with its fills and its key once the history has it, and comes back when it is named', () => {
  submitted();
  ended();
  rig.evict();
  expect(rig.store.sizes).toMatchObject({ orders: 1, keys: 1, fills: 1 });
  rig.follow();
  rig.evict();
  expect(rig.store.sizes).toEqual(NOTHING);

  expect(rig.store.orderOfVenue(ACCOUNT, 'v1')).toBe(ID);
  expect(rig.store.idempotency('alice', 'venue_b', 'key 1')?.answer?.outcome).toBe('made');
  expect(rig.store.fill(ACCOUNT, 'f1')?.orderId).toBe(ID);
  expect(rig.store.order(ID)?.order.status).toBe('CANCELLED');
  expect(rig.store.fills(ID, 0, 10)).toEqual([fillOf('f1')]);
  expect(rig.store.sizes).toMatchObject({ orders: 1, fills: 1 });
});

it('an order that was recalled leaves again after a pause', () => {
  submitted();
  ended();
  rig.follow();
  rig.evict();
  rig.store.order(ID);
  rig.evict();
  expect(rig.store.sizes.orders).toBe(1);
  later(limits.evictionPauseMs);
  rig.evict();
  expect(rig.store.sizes).toEqual(NOTHING);
});

it('an order that is open stays, with its key', () => {
  submitted();
  rig.follow();
  rig.evict();
  expect(rig.store.sizes).toMatchObject({ orders: 1, keys: 1 });
});

it('an order with unreported fills stays for a day, over a restart, too', async () => {
  submitted();
  const stated = { size: 2_000_000 as MicroShares, cost: 0n, fees: 0 as MicroDollars };
  change(to => to.putOrder(moved({ ...CANCELLED, stated })));
  rig.follow();
  rig.evict();
  await rig.restart();
  expect(rig.store.sizes).toMatchObject({ orders: 1, keys: 1 });
  later(limits.accountFirstReadMs);
  rig.evict();
  expect(rig.store.sizes).toMatchObject({ orders: 0, keys: 0 });
  await rig.restart();
  expect(rig.store.sizes.orders).toBe(0);
});

it('an answer that is kept after the order has ended stays until the history has it', () => {
  submitted();
  change(to => to.putOrder(moved(CANCELLED)));
  rig.follow();
  answered();
  rig.evict();
  expect(rig.store.sizes).toMatchObject({ orders: 0, keys: 1 });
  rig.follow();
  rig.evict();
  expect(rig.store.sizes).toMatchObject({ orders: 0, keys: 0 });
  expect(rig.store.idempotency('alice', 'venue_b', 'key 1')?.answer?.outcome).toBe('made');
});

it('an unattributed fill and a closed position leave', () => {
  change(to => {
    to.addFill(ACCOUNT, { orderId: null, fill: fillOf('strange') });
    const before = noPosition('venue_b', 'TICKER', rig.now);
    to.putPosition('alice', before);
    to.addBooked('alice', {
      fillId: 'strange',
      change: 1 as MicroShares,
      addressPrice: fillOf('f').price,
      fee: 0 as MicroDollars,
      before,
    });
  });
  rig.evict();
  expect(rig.store.sizes).toMatchObject({ fills: 1, positions: 1 });
  rig.follow();
  rig.evict();
  expect(rig.store.sizes).toEqual(NOTHING);
  expect(rig.store.fill(ACCOUNT, 'strange')).toEqual({ orderId: null, fill: fillOf('strange') });
  expect(rig.store.movements('alice', 'venue_b', 'TICKER', 10)).toHaveLength(1);
});

it('a step that is undone changes nothing of what leaves', () => {
  submitted();
  ended();
  rig.follow();
  const undone = () =>
    change(to => {
      to.putOrder(moved({ ...CANCELLED, updatedAt: rig.now }));
      to.addFill(ACCOUNT, { orderId: ID, fill: fillOf('f2') });
      throw new Error('deliberate');
    });
  expect(undone).toThrow('deliberate');
  rig.evict();
  expect(rig.store.sizes).toEqual(NOTHING);
  // The undone step has also changed orders that were loaded again.
  expect(undone).toThrow('deliberate');
  expect(rig.store.fills(ID, 0, 10)).toEqual([fillOf('f1')]);
  later(limits.evictionPauseMs);
  rig.evict();
  expect(rig.store.sizes).toEqual(NOTHING);
});

it('looks at a bounded number, and goes on from there', () => {
  for (let number = 1; number <= 5; number++) change(to => to.putOrder(storedOrder({ number }, CANCELLED)));
  rig.follow();
  expect([rig.evict(3), rig.store.sizes.orders]).toEqual([3, 2]);
  expect([rig.evict(3), rig.store.sizes.orders]).toEqual([2, 0]);
});

it('a start replays from the moment that it has loaded, though the history goes on', () => {
  change(to => to.putOrder(storedOrder({ number: 1 }, CANCELLED)));
  rig.follow();
  change(to => to.addFill(ACCOUNT, { orderId: ID, fill: fillOf('f1') }));
  const found = rig.found(() => rig.follow());
  expect(found.fills(ID, 0, 10)).toEqual([fillOf('f1')]);
});

function later(ms: number): void {
  rig.now = (rig.now + ms) as typeof rig.now;
}

function change(work: (to: LedgerTransaction) => void): void {
  rig.store.change(work);
}

function submitted(): void {
  change(to => {
    to.putOrder(storedOrder({ number: 1 }, { status: 'OPEN', venueOrderId: 'v1' }));
    to.putIdempotency('alice', 'venue_b', 'key 1', { orderId: ID, bodySha256Hex: HASH, answer: null });
  });
}

function ended(): void {
  change(to => to.addFill(ACCOUNT, { orderId: ID, fill: fillOf('f1') }));
  answered();
  change(to => to.putOrder(moved(CANCELLED)));
}

function answered(): void {
  const answer = { outcome: 'made', status: 'OPEN', message: '', at: rig.now } as const;
  change(to => to.putIdempotency('alice', 'venue_b', 'key 1', { orderId: ID, bodySha256Hex: HASH, answer }));
}

function moved(changes: Partial<Order>): StoredOrder {
  const stored = rig.store.order(ID)!;
  return { ...stored, order: { ...stored.order, ...changes } };
}
