// An order store whose process is killed in the middle of its work: everything that was said to be committed is there, at most one
// step more is, and every table agrees with every other.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkOrders } from '../../../src/store/orders/check.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { openOrders, orderIdOf } from './order-rig.ts';

const CHILD = join(import.meta.dirname, 'order-store-child.ts');
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('survives kill -9, again and again', async () => {
  let filled = 0;
  for (const more of [1, 40, 250]) {
    const child = new OwnProcess([CHILD, folder]);
    await child.said(new RegExp(`^filled ${filled + more}$`, 'm'));
    child.signal('SIGKILL');
    expect(await child.ended).toBeNull();
    const [step, text] = child.stdout.trim().split('\n').at(-1)!.split(' ');
    const number = Number(text);

    const store = await openOrders(folder);
    try {
      const { rows, faults } = store.inspect(checkOrders);
      expect(faults).toEqual([]);
      // What was committed and not said yet: one step.
      const steps = 2 * (step === 'filled' ? number : number - 1) + (step === 'filled' ? 0 : 1);
      expect(rows.orders + rows.fills - steps).toBeOneOf([0, 1]);
      expect(rows.events).toBe(rows.fills);
      for (let each = 1; each < number; each++) {
        expect(store.order(orderIdOf(each))!.order.status).toBe('FILLED');
        expect(store.fills(orderIdOf(each), 0, 10)).toHaveLength(1);
        expect(store.idempotency('alice', 'venue_b', `key ${each}`)?.orderId).toBe(orderIdOf(each));
      }
      filled = store.lastCursor('alice');
      expect(filled).toBe(rows.fills);
    } finally {
      await store.close();
    }
  }
});
