// The fill model on the engine: the events that may fill an order of a bot, and the events that may not.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type Side } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { QUEUE_MODELS } from '../../../src/core/runtime/paper-terms.ts';
import type { EngineEvent, MarketId } from '../../../src/paper/engine/engine-types.ts';
import { HouseBook } from '../../../src/paper/flow/house-book.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { CoreRig } from '../venue-a/core/core-rig.ts';
import { Rig } from '../venue-b/core/rig.ts';
import { ExchangeDesk } from './exchange-desk.ts';

const SHARE = 1_000_000;
const shares = (count: number) => (count * SHARE) as MicroShares;
const cents = (count: number) => (count * 100) as Ticks;

function open(model: (typeof QUEUE_MODELS)[number]) {
  const timers = new VirtualTimers();
  const desk = new ExchangeDesk(timers);
  desk.list('M', { question: 'M', isComplement: false }, price => price % 100 === 0);
  const market = desk.market('M');
  return { timers, desk, market, book: new HouseBook({ desk, market, model }) };
}

const sideOf = fc.constantFrom<Side>(BID, ASK);
/** Bids are at most 49¢ and asks at least 51¢, so the displayed book is never crossed. */
const happening = fc.oneof(
  fc.record({ op: fc.constant('show' as const), side: sideOf, away: fc.nat(3), size: fc.nat(9) }),
  fc.record({ op: fc.constant('move' as const), by: fc.constantFrom(-3, -1, 1, 3) }),
  fc.record({
    op: fc.constant('trade' as const),
    side: sideOf,
    away: fc.integer({ min: -2, max: 3 }),
    size: fc.nat(9),
  }),
  fc.record({
    op: fc.constant('order' as const),
    side: sideOf,
    away: fc.integer({ min: -4, max: 3 }),
    size: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ op: fc.constant('leave' as const) }),
  fc.record({ op: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 1_500) }),
);

describe('any course of a venue’s book and trades', () => {
  it('fills an order with displayed size or with a trade that reaches it, and conserves money', () => {
    fc.assert(
      fc.property(fc.constantFrom(...QUEUE_MODELS), fc.array(happening, { maxLength: 30 }), (model, happenings) => {
        const { timers, desk, market, book } = open(model);
        const deposits = money(desk, market.id);
        let middle = 50;
        const priceOf = (side: Side, away: number): Ticks =>
          cents(side === BID ? middle - 1 - away : middle + 1 + away);
        const empty = (): void => {
          for (const side of [BID, ASK] as const)
            for (const price of book.prices(side)) book.show(side, price, shares(0), timers.now());
        };
        for (const it of happenings) {
          const before = desk.events.length;
          const fills = () => desk.events.slice(before).filter(event => event.type === 'fill');
          if (it.op === 'show') {
            const price = priceOf(it.side, it.away);
            book.show(it.side, price, shares(it.size), timers.now());
            for (const fill of fills()) expect(it.side === BID ? fill.price <= price : fill.price >= price).toBe(true);
            expect(total(fills())).toBeLessThanOrEqual(shares(it.size));
          } else if (it.op === 'move') {
            empty();
            expect(fills()).toEqual([]);
            middle += it.by;
          } else if (it.op === 'trade') {
            const price = priceOf(it.side, it.away);
            book.trade(it.side, price, shares(it.size), timers.now());
            for (const fill of fills()) expect(it.side === BID ? fill.price >= price : fill.price <= price).toBe(true);
            expect(total(fills())).toBeLessThanOrEqual(shares(it.size));
          } else if (it.op === 'order') {
            const other = it.side === BID ? ASK : BID;
            const price = priceOf(it.side, it.away);
            const isMet = (at: Ticks): boolean => (it.side === BID ? at <= price : at >= price);
            const displayed = book
              .prices(other)
              .filter(isMet)
              .reduce((sum, at) => sum + book.shown(other, at), 0);
            desk.leave(market);
            const filled = desk.trade(market, it.side, price, shares(it.size));
            expect(filled).toBeLessThanOrEqual(displayed);
          } else if (it.op === 'leave') desk.leave(market);
          else timers.advance(it.ms);
          expect(money(desk, market.id)).toBe(deposits);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('without a trade, a book that moves on its own side alone fills nothing', () => {
    const quiet = fc.record({ side: sideOf, away: fc.nat(3), size: fc.nat(9), ms: fc.constantFrom(1, 1_500) });
    fc.assert(
      fc.property(fc.constantFrom(...QUEUE_MODELS), fc.array(quiet), (model, changes) => {
        const { timers, desk, market, book } = open(model);
        for (const side of [BID, ASK] as const)
          desk.trade(market, side, side === BID ? cents(49) : cents(51), shares(5));
        for (const { side, away, size, ms } of changes) {
          book.show(side, side === BID ? cents(49 - away) : cents(51 + away), shares(size), timers.now());
          timers.advance(ms);
        }
        expect(desk.events.filter(({ type }) => type === 'fill')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

it('of two changes of a level in one batch the last one counts', () => {
  const { desk, market, book, timers } = open('proportional');
  const at = { side: BID, price: cents(49) } as const;
  book.change(
    [
      { ...at, size: shares(3) },
      { ...at, size: shares(0) },
    ],
    timers.now(),
  );
  expect(desk.best(market, BID)).toBeNull();
  book.change(
    [
      { ...at, size: shares(0) },
      { ...at, size: shares(3) },
    ],
    timers.now(),
  );
  expect(desk.best(market, BID)).toEqual({ price: cents(49), size: shares(3) });
});

it('4202: a trade that moves the queue on never leaves less displayed, not even between two messages', () => {
  const { desk, market, book, timers } = open('proportional');
  book.show(BID, cents(49), shares(20), timers.now());
  desk.trade(market, BID, cents(49), shares(3));
  const before = desk.changes.length;
  book.trade(BID, cents(49), shares(5), timers.now());
  const sizes = desk.changes.slice(before).map(({ after }) => after / SHARE);
  expect([sizes.at(-1), sizes.every(size => size >= 23)]).toEqual([23, true]);
});

describe('a book that is not known', () => {
  const filled = (desk: ExchangeDesk) => total(desk.events) / SHARE;

  it('fills nothing and takes no order until it is stated; then the whole book is before orders that have waited', () => {
    const { desk, market, book } = open('proportional');
    book.show(BID, cents(40), shares(5), 0);
    desk.trade(market, BID, cents(40), shares(10));
    book.markUnknown();
    book.trade(BID, cents(40), shares(50), 0);
    book.change([{ side: ASK, price: cents(40), size: shares(9) }], 0);
    desk.trade(market, BID, cents(41), shares(10));
    expect([filled(desk), desk.best(market, BID)]).toEqual([0, { price: cents(40), size: shares(10) }]);
    book.state([{ price: cents(40), size: shares(30) }], [], 0);
    book.trade(BID, cents(40), shares(30), 0);
    expect(filled(desk)).toBe(0);
    book.trade(BID, cents(40), shares(4), 0);
    expect(filled(desk)).toBe(4);
  });

  it('goes on with what was displayed meanwhile where it was only halted', () => {
    const { desk, market, book } = open('proportional');
    book.show(ASK, cents(60), shares(5), 0);
    book.halt();
    book.change([{ side: ASK, price: cents(60), size: shares(7) }], 0);
    expect(desk.trade(market, BID, cents(60), shares(1))).toBe(0);
    book.resume();
    expect(desk.trade(market, BID, cents(60), shares(20))).toBe(shares(7));
  });
});

describe.each(QUEUE_MODELS)(
  '6006: shares that were taken from a book before it was halted, with the model %s',
  model => {
    const left = (whileHalted: (book: HouseBook) => void): number => {
      const { desk, market, book } = open(model);
      book.show(ASK, cents(60), shares(5), 0);
      expect(desk.trade(market, BID, cents(60), shares(3))).toBe(shares(3));
      book.halt();
      whileHalted(book);
      book.resume();
      return desk.trade(market, BID, cents(60), shares(20)) / SHARE;
    };
    const display = (count: number) => (book: HouseBook) =>
      book.change([{ side: ASK, price: cents(60), size: shares(count) }], 0);

    it('stay taken while the venue displays the same', () => {
      expect([left(() => {}), left(display(5))]).toEqual([2, 2]);
    });

    it('are there again after a change, unless the model is pessimistic', () => {
      expect([left(display(6)), left(display(2))]).toEqual(model === 'pessimistic' ? [3, 0] : [6, 2]);
    });
  },
);

describe('on the exchanges', () => {
  it.each(['venue A', 'venue B'])('%s refuses orders while the book is not known, and keeps those that rest', name => {
    const [a, b] = [new CoreRig(), new Rig()];
    const isA = name === 'venue A';
    const desk = isA ? a.exchange.desk : b.exchange.desk;
    const book = new HouseBook({ desk, market: isA ? desk.markets[0]! : b.house(), model: 'proportional' });
    const order = (price: number) =>
      isA ? a.place('ann', `buy yes 10 @ ${price}`) : b.place(b.ann, `bid 10 @ ${price}`);
    order(40);
    book.markUnknown();
    const refused = order(41);
    book.state([{ price: cents(40), size: shares(5) }], [], 0);
    expect(refused).toMatchObject({ ok: false, error: isA ? 'market-not-ready' : 'market-paused' });
    expect(desk.best(desk.markets[0]!, BID)).toEqual({ price: cents(40), size: shares(15) });
    expect(desk.queue(desk.markets[0]!, BID, cents(40)).map(({ isHouse }) => isHouse)).toEqual([true, false]);
  });

  it.each(['venue A', 'venue B'])('6225: %s takes finer prices once its grid is refined, and no coarser grid', name => {
    const [a, b] = [new CoreRig(), new Rig()];
    const isA = name === 'venue A';
    const desk = isA ? a.exchange.desk : b.exchange.desk;
    const market = isA ? desk.markets[0]! : b.house();
    const takes = (price: number) => desk.place(market, BID, price as Ticks, shares(5), 'rest') !== null;
    expect([takes(4_010), takes(4_001)]).toEqual([false, false]);
    desk.refine(market, 10 as Ticks);
    desk.refine(market, 100 as Ticks);
    expect([takes(4_010), takes(4_001), takes(4_000)]).toEqual([true, false, true]);
    desk.refine(market, 1 as Ticks);
    expect([takes(4_010), takes(4_001)]).toEqual([true, true]);
  });

  // The market took orders again, in a book without the house, as soon as the venue had resumed, opened or cleared it.
  describe('6208: a market that takes orders again while its book is not known', () => {
    const known = (book: HouseBook) => book.state([], [{ price: cents(60), size: shares(5) }], 0);

    it('refuses them at venue B until the book is known', () => {
      const rig = new Rig();
      const { desk, life } = rig.exchange;
      const book = new HouseBook({ desk, market: rig.house(), model: 'proportional' });
      life.setPaused(rig.market(), true);
      book.markUnknown();
      life.setPaused(rig.market(), false);
      expect(rig.place(rig.ann, 'bid 10 @ 40')).toMatchObject({ ok: false, error: 'market-paused' });
      known(book);
      expect(rig.place(rig.ann, 'bid 10 @ 40')).toMatchObject({ ok: true });
    });

    it('refuses them at venue A until the book is known', () => {
      const rig = new CoreRig();
      const { exchange } = rig;
      const [market] = [...exchange.markets.values()];
      const book = new HouseBook({ desk: exchange.desk, market: exchange.desk.markets[0]!, model: 'proportional' });
      exchange.setAcceptingOrders(market!, false);
      book.markUnknown();
      exchange.setAcceptingOrders(market!, true);
      exchange.resolutions.clearBook(market!, rig.timers.now());
      expect(rig.place('ann', 'buy yes 10 @ 40')).toMatchObject({ ok: false, error: 'market-not-ready' });
      known(book);
      expect(rig.place('ann', 'buy yes 10 @ 40')).toMatchObject({ ok: true });
    });
  });

  it('venue A tells of a trade that reached a caller behind the house, and all money is there', () => {
    const rig = new CoreRig();
    const { desk } = rig.exchange;
    const book = new HouseBook({ desk, market: desk.markets[0]!, model: 'proportional' });
    book.show(BID, cents(40), shares(100), 0);
    rig.placed('ann', 'buy yes 10 @ 40');
    book.trade(BID, cents(40), shares(104), 0);
    book.show(BID, cents(40), shares(0), 0);
    expect(rig.held('ann')).toEqual([4, 0]);
    expect(rig.open('ann').map(({ matched }) => matched)).toEqual([shares(4)]);
    expect(rig.book()).toEqual([['0.4 × 6'], []]);
    const { wallets, house, escrow, pots, fees, deposited } = rig.exchange.audit();
    expect(wallets + house + escrow + pots + fees).toBe(deposited);
  });

  it('venue B tells of it, too, and its reads agree', () => {
    const rig = new Rig();
    const book = new HouseBook({ desk: rig.exchange.desk, market: rig.house(), model: 'proportional' });
    book.show(ASK, cents(60), shares(100), 0);
    const { orderId } = rig.order(rig.ann, 'ask 10 @ 60');
    book.show(ASK, cents(60), shares(120), 0);
    book.trade(ASK, cents(60), shares(104), 0);
    expect(rig.exchange.reads(0).order(rig.ann, orderId)?.filled).toBe(shares(4));
    expect(rig.market().bestAsk).toEqual({ price: 6_000, size: shares(126) });
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(996 * SHARE);
  });
});

function total(fills: readonly EngineEvent[]): number {
  return fills.reduce((sum, event) => sum + (event.type === 'fill' ? event.size : 0), 0);
}

/** Returns the money of all accounts and of the pot, plus the fees. */
function money({ engine }: ExchangeDesk, market: MarketId): number {
  const accounts = ([0, 1, 2] as Parameters<typeof engine.account>[0][]).map(id => engine.account(id));
  return accounts.reduce((sum, { cash, reserved }) => sum + cash + reserved, engine.pot(market) + engine.feesTaken);
}
