// Reads that lag behind (venue-b.md §5.6): the picture of some time ago, of everything, and the present when they do not.

import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/core/domain/durations.ts';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { cents, contracts, dollars, Rig, START } from './rig.ts';

const AGO_MS = 500;

describe('stale reads', () => {
  it('show an order that was cancelled as resting, and one that is new not at all', () => {
    const rig = new Rig();
    const first = rig.order(rig.ann, 'bid 10 @ 40');
    rig.timers.advance(AGO_MS);
    rig.exchange.orders.cancel(rig.ann, first.orderId);
    const second = rig.order(rig.ann, 'bid 5 @ 41');
    rig.timers.advance(AGO_MS - 140);

    const stale = rig.exchange.reads(AGO_MS);
    expect(stale.asOf).toBe(START + AGO_MS - 140);
    expect(stale.order(rig.ann, first.orderId)).toEqual(first);
    expect(stale.order(rig.ann, second.orderId)).toBeNull();
    expect([...stale.orders(rig.ann)]).toEqual([first]);
    expect([...stale.restingOrders(rig.ann)]).toEqual([first]);
    expect(stale.balance(rig.ann).available).toBe(dollars(996));

    const live = rig.exchange.reads(0);
    expect([...live.orders(rig.ann)].map(({ status }) => status)).toEqual(['resting', 'canceled']);
    expect([...live.restingOrders(rig.ann)]).toEqual([second]);
    expect(live.balance(rig.ann).available).toBe(dollars(997.95));
  });

  it('show fills, positions and settlements when their time has come', () => {
    const rig = new Rig({ faults: { settlementDelayMs: () => 0 } });
    rig.quote('ask 9 @ 40');
    const seen = () => {
      const reads = rig.exchange.reads(AGO_MS);
      const [position] = reads.positions(rig.ann);
      return [[...reads.fills(rig.ann)].length, position?.position ?? null, [...reads.settlements(rig.ann)].length];
    };
    rig.order(rig.ann, 'bid 4 @ 40');
    expect(seen()).toEqual([0, null, 0]);
    rig.timers.advance(AGO_MS);
    rig.order(rig.ann, 'bid 2 @ 40');
    expect(seen()).toEqual([1, contracts(4), 0]);
    rig.timers.advance(AGO_MS);
    rig.exchange.life.determine(rig.market(), cents(100));
    rig.timers.advance(AGO_MS - 1);
    expect(seen()).toEqual([2, contracts(6), 0]);
    rig.timers.advance(1);
    expect(seen()).toEqual([2, 0, 1]);
  });

  it('follow an order through every change', () => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40');
    for (const to of [8, 6, 4]) {
      rig.timers.advance(100);
      rig.exchange.orders.decrease(rig.ann, orderId, { to: contracts(to) });
    }
    const remaining = [400, 300, 250, 200, 150, 100, 50, 0].map(
      staleMs => rig.exchange.reads(staleMs).order(rig.ann, orderId)?.remaining ?? null,
    );
    expect(remaining).toEqual([null, 10, 10, 8, 8, 6, 6, 4].map(size => (size === null ? null : contracts(size))));
  });

  it('remember no longer than they may lag', () => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40');
    rig.timers.advance(1_000);
    rig.exchange.orders.decrease(rig.ann, orderId, { to: contracts(5) });
    rig.timers.advance(limits.paperStaleMsMax + 1);
    rig.order(rig.ann, 'bid 1 @ 1');
    // The picture of 10 is forgotten: the oldest that is left stands in for it.
    const staleMs = limits.paperStaleMsMax + 1_001;
    expect(rig.exchange.reads(staleMs).order(rig.ann, orderId)?.remaining).toBe(contracts(5));
  });

  it('that do not lag see everything, even if the clock has been set back', () => {
    const rig = new Rig();
    const order = rig.order(rig.ann, 'bid 10 @ 40');
    rig.timers.now = () => (START - 10_000) as UnixMillis;
    expect(rig.exchange.reads(0).order(rig.ann, order.orderId)).toEqual(order);
  });

  it('show a user the orders of all subaccounts by id, others none', () => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40');
    expect(rig.exchange.reads(0).order({ ...rig.ann, subaccount: 3 }, orderId)?.orderId).toBe(orderId);
    expect(rig.exchange.reads(0).order(rig.bob, orderId)).toBeNull();
    expect([...rig.exchange.reads(0).orders({ ...rig.ann, subaccount: 3 })]).toEqual([]);
  });

  it('list newest first', () => {
    const rig = new Rig();
    rig.quote('ask 9 @ 40');
    for (const size of [1, 2, 3]) rig.order(rig.ann, `bid ${size} @ 40`);
    rig.order(rig.ann, 'bid 4 @ 30', { market: rig.market('TAPERED') });
    const reads = rig.exchange.reads(0);
    expect([...reads.orders(rig.ann)].map(({ initial }) => initial)).toEqual([4, 3, 2, 1].map(contracts));
    expect([...reads.fills(rig.ann)].map(({ trade }) => trade.size)).toEqual([3, 2, 1].map(contracts));
    expect([...rig.exchange.trades(null)].map(({ size }) => size)).toEqual([3, 2, 1].map(contracts));
  });
});

describe('4001: what the archive has', () => {
  function idsIn(rig: Rig) {
    const reads = rig.exchange.reads(0);
    const idsOf = (orders: Iterable<{ readonly orderId: string }>) => [...orders].map(({ orderId }) => orderId);
    return {
      live: idsOf(reads.orders(rig.ann)),
      archived: idsOf(reads.archivedOrders(rig.ann)),
      fills: idsOf(reads.fills(rig.ann)),
      archivedFills: idsOf(reads.archivedFills(rig.ann)),
    };
  }

  it('is each ended order two weeks after its last change, and a fill three months after its trade', () => {
    const rig = new Rig();
    rig.quote('ask 9 @ 40');
    const filled = rig.order(rig.ann, 'bid 4 @ 40').orderId;
    const part = rig.order(rig.ann, 'bid 6 @ 40').orderId;
    expect(idsIn(rig)).toEqual({ live: [part, filled], archived: [], fills: [part, filled], archivedFills: [] });
    rig.timers.now = () => (START + 14 * DAY_MS) as UnixMillis;
    expect(idsIn(rig).archived).toEqual([]);
    rig.timers.now = () => (START + 14 * DAY_MS + 1) as UnixMillis;
    expect(idsIn(rig)).toMatchObject({ live: [part], archived: [filled], fills: [part, filled] });
    expect(rig.exchange.reads(0).order(rig.ann, filled)).toBeNull();
    rig.timers.now = () => (START + 90 * DAY_MS + 1) as UnixMillis;
    expect(idsIn(rig)).toEqual({ live: [part], archived: [filled], fills: [], archivedFills: [part, filled] });
  });

  it('is a settled position, and never a settlement', () => {
    const rig = new Rig({ faults: { settlementDelayMs: () => 0 } });
    rig.quote('ask 9 @ 40');
    rig.order(rig.ann, 'bid 4 @ 40');
    rig.exchange.life.determine(rig.market(), cents(100));
    rig.timers.advance(1);
    const seen = () => {
      const reads = rig.exchange.reads(0);
      const lists = [reads.positions(rig.ann), reads.archivedPositions(rig.ann), reads.settlements(rig.ann)];
      return lists.map(list => [...list].length);
    };
    expect(seen()).toEqual([1, 0, 1]);
    rig.timers.now = () => (START + 91 * DAY_MS) as UnixMillis;
    expect(seen()).toEqual([0, 1, 0]);
  });
});
