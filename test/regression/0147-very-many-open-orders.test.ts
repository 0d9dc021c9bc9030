// Found by review: a reading of an account went through all its open orders and all that the venue listed without a pause. It did so every
// half minute, and once more for the unreported fills. With thousands of them, fills and cancels waited for it.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { OrderId } from '../../src/domain/order.ts';
import { limits } from '../../src/limits.ts';
import type { StoredOrder } from '../../src/store/order-records.ts';
import { ACTOR, RESTS, Rig } from '../orders/orders-rig.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { turnsUntil } from '../support/turns.ts';

const ORDERS = 10 * limits.accountRowsPerTurnMax;
/** Of one order in one turn. */
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
