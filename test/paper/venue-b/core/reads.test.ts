// Reads that lag behind (venue-b.md §5.6): they show one past state of everything, or the present without a lag. Positions and money (venue-b.md
// §5.6, §6, §11): netting, the cost of a position, the income from closing it, and the value of everything.

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
    // The state at 10 is forgotten, so the oldest kept state stands in for it.
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

/** One cent a contract, each way. */
type Row = [
  what: string,
  takes: string[],
  position: number,
  exposure: number,
  realizedPnl: number,
  traded: number,
  volume: number,
];

const rows: Row[] = [
  ['buys YES', ['bid 10 @ 40'], 10, 4, 0, 4, 10],
  ['buys NO', ['ask 10 @ 40'], -10, 6, 0, 6, 10],
  ['adds at another price', ['bid 10 @ 40', 'bid 10 @ 60'], 20, 10, 0, 10, 20],
  ['sells a part with profit', ['bid 10 @ 40', 'ask 4 @ 50'], 6, 2.4, 0.4, 6, 14],
  ['sells all with loss', ['bid 10 @ 40', 'ask 10 @ 30'], 0, 0, -1, 7, 20],
  ['closes NO', ['ask 10 @ 40', 'bid 5 @ 30'], -5, 3, 0.5, 9.5, 15],
  ['turns around', ['bid 10 @ 40', 'ask 15 @ 50'], -5, 2.5, 1, 11.5, 25],
];

describe('a position', () => {
  it.each(rows)('%s', (_what, takes, position, exposure, realizedPnl, traded, volume) => {
    const rig = new Rig();
    for (const text of takes) {
      rig.quote(text.startsWith('bid') ? text.replace('bid', 'ask') : text.replace('ask', 'bid'));
      rig.order(rig.ann, text);
    }
    const reads = rig.exchange.reads(0);
    const [record] = reads.positions(rig.ann);
    expect(record).toMatchObject({
      position: contracts(position),
      exposure: dollars(exposure),
      realizedPnl: dollars(realizedPnl),
      traded: dollars(traded),
      volume: contracts(volume),
      isSettled: false,
    });
    expect(reads.balance(rig.ann).available).toBe(dollars(1_000 + realizedPnl - exposure));
  });

  it('carries its fees, and those of what is held', () => {
    const rig = new Rig({ feeMultiplier: '1' });
    rig.quote('ask 10 @ 50');
    rig.order(rig.ann, 'bid 10 @ 50');
    rig.quote('bid 10 @ 50');
    rig.order(rig.ann, 'ask 5 @ 50');
    const [record] = rig.exchange.reads(0).positions(rig.ann);
    expect(record).toMatchObject({ fees: dollars(0.175 + 0.0875), heldFees: dollars(0.0875) });
  });

  it('is worth the middle of the book, or the last price, or what it has cost', () => {
    const rig = new Rig();
    const worth = () => rig.exchange.reads(0).balance(rig.ann).portfolioValue;
    rig.quote('bid 10 @ 40');
    rig.order(rig.ann, 'ask 10 @ 40');
    expect(worth()).toBe(dollars(6));
    rig.quote('bid 1 @ 30');
    rig.quote('ask 1 @ 45');
    expect(worth()).toBe(dollars(6.25));
    rig.exchange.life.determine(rig.market(), cents(0));
    expect(worth()).toBe(dollars(10));
  });

  it('makers pay their fee, and their fill says they made it', () => {
    const rig = new Rig({ feeMultiplier: '1' });
    rig.order(rig.ann, 'bid 100 @ 50');
    rig.quote('ask 100 @ 50', 'M', 'take');
    const [fill] = rig.exchange.reads(0).fills(rig.ann);
    expect(fill).toMatchObject({ isTaker: false, fee: dollars(0.4375), positionAfter: contracts(100) });
    const [order] = rig.exchange.reads(0).orders(rig.ann);
    expect(order).toMatchObject({ makerFees: dollars(0.4375), makerFillCost: dollars(50), takerFees: 0 });
  });

  it('both fills of a match carry its trade', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 5 @ 50');
    rig.order(rig.bob, 'ask 3 @ 50');
    const reads = rig.exchange.reads(0);
    const trades = [reads.fills(rig.ann), reads.fills(rig.bob)].map(fills => [...fills][0]?.trade);
    const [trade] = rig.exchange.trades(null);
    expect(trades).toEqual([trade, trade]);
    expect([...rig.exchange.trades(rig.market())]).toEqual([trade]);
    expect([...rig.exchange.trades(rig.market('TAPERED'))]).toEqual([]);
    expect(rig.market()).toMatchObject({ lastPrice: cents(50), volume: contracts(3), openInterest: contracts(3) });
  });

  it('money can be taken out as far as it is free', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 100 @ 40');
    expect(rig.exchange.deposit(rig.ann, dollars(-961))).toBe(false);
    expect(rig.exchange.deposit(rig.ann, dollars(-960))).toBe(true);
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(0);
    expect(rig.exchange.deposit({ ...rig.ann, subaccount: -1 }, dollars(1))).toBe(false);
  });
});
