// Games that come and go while venue B runs.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { VenueBEventListing } from '../../../../src/paper/catalog/listings.ts';
import { CLOSE_MS, dollars, OPEN_MS, Rig, START } from './rig.ts';

const DAY_MS = 86_400_000;

/** The rig's own event once more, a day later, under other names. */
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
