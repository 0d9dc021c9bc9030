// The bounds of the exchange's memory: how many orders a user may have open, and what is remembered of ended ones, fills and trades.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/limits.ts';
import { contracts, dollars, Rig } from './rig.ts';

describe('a user with more orders than the exchange keeps', () => {
  it('is refused one more open, and can read all that ended until they are old', () => {
    const rig = new Rig({ moneyMicros: dollars(10_000) });
    const max = limits.paperOpenOrdersPerUserMax;
    const stands = rig.order(rig.bob, 'bid 0.01 @ 1');
    const first = rig.order(rig.ann, 'bid 0.01 @ 1');
    for (let count = 1; count < max; count++) rig.order(rig.ann, 'bid 0.01 @ 1');
    const second = { ...rig.ann, subaccount: 1 };
    rig.exchange.deposit(second, dollars(1));
    for (const owner of [rig.ann, second]) {
      expect(rig.place(owner, 'bid 0.01 @ 1')).toEqual({ ok: false, error: 'open-orders-max' });
    }
    expect(rig.place(rig.bob, 'bid 0.01 @ 1').ok).toBe(true);

    expect(rig.exchange.orders.cancelAll(rig.ann)).toBe(max);
    const orders = () => [...rig.exchange.reads(0).orders(rig.ann)];
    expect([orders().length, rig.status(rig.ann, first.orderId)]).toEqual([max, 'canceled']);
    rig.timers.advance(limits.paperYoungMs - 1);
    rig.exchange.orders.cancel(rig.cat, rig.order(rig.cat, 'bid 1 @ 1').orderId);
    expect(orders()).toHaveLength(max);
    rig.timers.advance(1);
    // Each order that ends lets a thousand go.
    const ends = 200;
    for (let end = 0; end < ends; end += 1)
      rig.exchange.orders.cancel(rig.cat, rig.order(rig.cat, 'bid 1 @ 1').orderId);
    expect(orders()).toHaveLength(limits.paperOrderRecordsMax - ends - 1);
    expect(orders()[0]).toMatchObject({ clientOrderId: `c${max + 1}`, status: 'canceled' });
    expect([rig.status(rig.ann, first.orderId), first.initial]).toEqual([undefined, contracts(0.01)]);
    expect(rig.exchange.orders.cancel(rig.ann, first.orderId)).toEqual({ ok: false, error: 'not-found' });
    expect(rig.status(rig.bob, stands.orderId)).toBe('resting');
    // Forgotten as a record, not as an id.
    const again = rig.place(rig.ann, 'bid 1 @ 1', { clientOrderId: first.clientOrderId });
    expect(again).toEqual({ ok: false, error: 'order-exists' });
  });
});

describe('fills and trades', () => {
  const [fillsMax, tradesMax] = [limits.paperFillsPerAccountMax, limits.paperTradesMax];
  const trade = (rig: Rig, times: number): void => {
    for (let time = 0; time < times; time += 1) {
      rig.order(rig.bob, 'ask 0.01 @ 40');
      rig.order(rig.ann, 'bid 0.01 @ 40', { timeInForce: 'IOC' });
    }
  };
  const kept = (rig: Rig): number[] => {
    const { trades } = rig.exchange;
    const lists = [
      rig.exchange.reads(0).fills(rig.ann),
      trades.call(rig.exchange, null),
      trades.call(rig.exchange, rig.market()),
    ];
    return lists.map(list => [...list].length);
  };

  it('are all kept while they are young, and then as many as there is room for', () => {
    const rig = new Rig({ moneyMicros: dollars(10_000) });
    const count = Math.max(fillsMax, tradesMax) + 1_000;
    trade(rig, count);
    expect(kept(rig)).toEqual([count, count, count]);
    const first = [...rig.exchange.reads(0).fills(rig.ann)].at(-1)!;
    rig.timers.advance(limits.paperYoungMs);
    trade(rig, 5);
    expect(kept(rig)).toEqual([fillsMax, tradesMax, tradesMax]);
    expect([...rig.exchange.reads(0).fills(rig.ann)]).not.toContain(first);
    const [position] = rig.exchange.reads(0).positions(rig.ann);
    expect(position?.position).toBe(contracts((count + 5) / 100));
  });
});
