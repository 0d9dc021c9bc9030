// Games that are listed and delisted while venue B runs. Also the memory bounds of the exchange: the open orders of a user, and the kept records of
// ended orders, fills and trades.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { VenueBEventListing } from '../../../../src/paper/catalog/listings.ts';
import { CLOSE_MS, contracts, dollars, OPEN_MS, Rig, START } from './rig.ts';

const DAY_MS = 86_400_000;

/** Lists the rig's own event again, a day later and under other names. */
function tomorrow({ exchange }: Rig, eventTicker = 'NEXT'): VenueBEventListing {
  const [event] = exchange.events;
  const later = (at: UnixMillis): UnixMillis => (at + DAY_MS) as UnixMillis;
  return {
    ...event!,
    eventTicker,
    markets: event!.markets.map((listing, index) => ({
      ...listing,
      eventTicker,
      ticker: `${eventTicker}-${index}`,
      marketId: `00000000-0000-4000-8000-0000000001${index}0`,
      openAt: (START + OPEN_MS) as UnixMillis,
      closeAt: later(listing.closeAt),
    })),
  };
}

describe('an event that is listed while the exchange runs', () => {
  it('is reported market by market, opens by the clock, and trades', () => {
    const rig = new Rig();
    rig.news();
    expect(rig.exchange.list([tomorrow(rig)])).toBe(true);
    expect(rig.news()).toEqual(['NEXT-0 created', 'NEXT-1 created', 'NEXT-2 created']);
    expect(rig.exchange.marketsById.get('00000000-0000-4000-8000-000000000100')?.status).toBe('initialized');
    expect(rig.quote('bid 10 @ 40', 'NEXT-0')).toBeNull();
    rig.timers.advance(OPEN_MS);
    expect(rig.market('NEXT-0').status).toBe('active');
    rig.quote('bid 10 @ 40', 'NEXT-0');
    expect(rig.book('NEXT-0')).toBe('10@40 | ');
    rig.timers.advance(CLOSE_MS + DAY_MS);
    expect([rig.market('NEXT-0').status, rig.book('NEXT-0')]).toEqual(['closed', ' | ']);
  });

  it('is listed once, as a whole or not at all', () => {
    const rig = new Rig();
    const event = tomorrow(rig);
    const twice = { ...event, markets: [event.markets[0]!, event.markets[0]!] };
    expect(rig.exchange.list([twice])).toBe(false);
    expect(rig.exchange.list([event, rig.exchange.events[0]!])).toBe(false);
    expect([rig.exchange.markets.size, rig.exchange.events.length]).toEqual([3, 1]);
  });
});

describe('an event that is settled', () => {
  it('is forgotten after its time, with everything but what its owners know of it', () => {
    const rig = new Rig();
    rig.quote('ask 10 @ 40');
    expect(rig.place(rig.ann, 'bid 10 @ 40').ok).toBe(true);
    const market = rig.market('M');
    for (const each of rig.exchange.markets.values()) rig.exchange.life.determine(each, 10_000 as Ticks);
    rig.exchange.forgetSettled(rig.timers.now());
    expect(rig.exchange.markets.size).toBe(3);
    rig.timers.advance(600_000);
    const settledAt = market.outcome!.settledAt!;
    rig.exchange.forgetSettled((settledAt - 1) as UnixMillis);
    expect(rig.exchange.markets.size).toBe(3);
    rig.news();

    rig.exchange.forgetSettled(settledAt);
    expect(rig.news()).toEqual(['M forgotten', 'TAPERED forgotten', 'LATER forgotten']);
    const { markets, marketsById, events, desk } = rig.exchange;
    expect([markets.size, marketsById.size, events.length, desk.markets.length]).toEqual([0, 0, 0, 0]);
    expect([...rig.exchange.trades(market)]).toEqual([]);
    expect([[...market.levels(BID)], [...market.levels(ASK)]]).toEqual([[], []]);
    expect([...rig.exchange.reads(0).settlements(rig.ann)]).toHaveLength(1);
    expect(rig.timers.pending).toBe(0);
  });
});

describe('the positions of an account', () => {
  it('are kept in the last markets that are forgotten, and in all that are listed', () => {
    const rig = new Rig({ moneyMicros: dollars(10_000), faults: { settlementDelayMs: () => 0 } });
    const max = limits.paperPastMarketsPerAccountMax;
    const [template] = rig.exchange.events;
    const buy = (ticker: string): void => {
      rig.quote('ask 1 @ 40', ticker);
      rig.order(rig.ann, 'bid 1 @ 40', { market: rig.market(ticker) });
    };
    buy('M');
    for (let number = 0; number < max + 2; number += 1) {
      const ticker = `PAST-${number}`;
      const listing = { ...template!.markets[0]!, eventTicker: ticker, ticker, marketId: ticker };
      rig.exchange.list([{ ...template!, eventTicker: ticker, markets: [listing] }]);
      buy(ticker);
      rig.exchange.life.determine(rig.market(ticker), 10_000 as Ticks);
      rig.timers.advance(1);
      rig.exchange.forgetSettled(rig.timers.now());
    }
    const tickers = Array.from(rig.exchange.reads(0).positions(rig.ann), ({ market }) => market.ticker);
    expect(tickers).toHaveLength(max + 1);
    expect([tickers[0], tickers.at(-2), tickers.at(-1)]).toEqual([`PAST-${max + 1}`, 'PAST-2', 'M']);
  });
});

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
    // Each order that ends releases a thousand ended orders.
    const ends = 200;
    for (let end = 0; end < ends; end += 1)
      rig.exchange.orders.cancel(rig.cat, rig.order(rig.cat, 'bid 1 @ 1').orderId);
    expect(orders()).toHaveLength(limits.paperOrderRecordsMax - ends - 1);
    expect(orders()[0]).toMatchObject({ clientOrderId: `c${max + 1}`, status: 'canceled' });
    expect([rig.status(rig.ann, first.orderId), first.initial]).toEqual([undefined, contracts(0.01)]);
    expect(rig.exchange.orders.cancel(rig.ann, first.orderId)).toEqual({ ok: false, error: 'not-found' });
    expect(rig.status(rig.bob, stands.orderId)).toBe('resting');
    // The exchange has forgotten the record of the order, but not its id.
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
