// The bounds of the exchange's memory: how many orders a user may have open, and how many ended ones are remembered.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/limits.ts';
import { contracts, dollars, Rig } from './rig.ts';

describe('a user with more orders than the exchange keeps', () => {
  it('is refused one more open, and can read the newest of those that ended', () => {
    const rig = new Rig({ moneyMicros: dollars(10_000) });
    const max = limits.paperOpenOrdersPerUserMax;
    const first = rig.order(rig.ann, 'bid 0.01 @ 1');
    for (let count = 1; count < max; count++) rig.order(rig.ann, 'bid 0.01 @ 1');
    const second = { ...rig.ann, subaccount: 1 };
    rig.exchange.deposit(second, dollars(1));
    for (const owner of [rig.ann, second]) {
      expect(rig.place(owner, 'bid 0.01 @ 1')).toEqual({ ok: false, error: 'open-orders-max' });
    }
    expect(rig.place(rig.bob, 'bid 0.01 @ 1').ok).toBe(true);

    expect(rig.exchange.cancelAll(rig.ann)).toBe(max);
    const last = rig.order(rig.ann, 'bid 1 @ 1');
    const reads = rig.exchange.reads(0);
    const orders = [...reads.orders(rig.ann)];
    expect([orders.length, orders[0]]).toEqual([limits.paperOrderRecordsMax + 1, last]);
    expect(orders[1]).toMatchObject({ clientOrderId: `c${max}`, status: 'canceled' });
    expect([reads.order(rig.ann, first.orderId), first.initial]).toEqual([null, contracts(0.01)]);
    // Forgotten as a record, not as an id.
    const again = rig.place(rig.ann, 'bid 1 @ 1', { clientOrderId: first.clientOrderId });
    expect(again).toEqual({ ok: false, error: 'order-exists' });
  });
});
