// The house of live-paper over real shared memory: callers can trade with everything that the feed writes, and with nothing else.

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY, type Side, TAKER_BUY, type View } from '../../../src/core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks, type UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { LiveHouse } from '../../../src/paper/live/live-house.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ExchangeDesk } from '../flow/exchange-desk.ts';

const [FIRST, SECOND] = ['1111', '2222'] as const;
const AT = 5 as UnixMillis;
const shares = (count: number) => (count * 1_000_000) as MicroShares;
const cents = (count: number) => (count * 100) as Ticks;

type Sizes = readonly [bids: Map<Ticks, MicroShares>, asks: Map<Ticks, MicroShares>];

/** The shared memory of all rigs, which use it one after another. */
const arena = createArena();
const writer = new BookWriter(regionOf(arena, 'venue_a'), () => {});
const index = new BookIndexWriter(indexOf(arena));

/** A feed with one market of two tokens, an exchange with that market, and the house between them. */
class Rig {
  readonly timers = new VirtualTimers();
  readonly desk = new ExchangeDesk(this.timers);
  readonly strange: string[] = [];
  readonly house: LiveHouse;
  /** The sizes that the feed has written, in the frame of the first token. */
  readonly shown: Sizes = [new Map(), new Map()];
  readonly book = writer.openBook(10 as Ticks)!;

  constructor() {
    this.desk.list('M', { question: 'M', isComplement: false }, price => price % 100 === 0);
    this.house = new LiveHouse({
      ...{ venue: 'venue_a', arena, desk: this.desk, model: 'proportional', timers: this.timers },
      onStrangePrice: address => this.strange.push(address),
    });
    writer.setViews(this.book, true, true);
  }

  get market() {
    return this.desk.market('M');
  }

  bind(address: string, view: View): void {
    const binding = { book: this.book, view };
    index.put('venue_a', address, binding);
    this.house.handleListing({ op: 'list', venue: 'venue_a', address, binding });
  }

  close(): void {
    for (const address of [FIRST, SECOND]) index.remove('venue_a', address);
    writer.releaseBook(this.book);
  }

  unbind(address: string): void {
    index.remove('venue_a', address);
    this.house.handleListing({ op: 'unlist', venue: 'venue_a', address });
  }

  snapshot(levels: readonly (readonly [Side, Ticks, MicroShares])[]): void {
    for (const sizes of this.shown) sizes.clear();
    writer.begin(this.book);
    writer.clear(this.book);
    for (const level of levels) this.#set(level);
    writer.commitSnapshot(this.book, AT);
  }

  change(levels: readonly (readonly [Side, Ticks, MicroShares])[]): void {
    writer.begin(this.book);
    for (const level of levels) this.#set(level);
    writer.commit(this.book, AT);
  }

  trade(price: Ticks, size: MicroShares): void {
    writer.trade(this.book, PRIMARY, price, size, TAKER_BUY, AT, 't');
  }

  state(state: 'LIVE' | 'STALE' | 'RESYNCING' | 'CLOSED'): void {
    if (state === 'RESYNCING') for (const sizes of this.shown) sizes.clear();
    writer.setState(this.book, state, state === 'LIVE' ? 'RESUMED' : 'DISCONNECTED');
  }

  follow(): void {
    while (this.house.follow());
    this.house.follow();
  }

  /** The levels of the exchange's book, by side. */
  levels(): readonly (readonly (readonly [number, number])[])[] {
    return ([BID, ASK] as const).map(side =>
      [...this.desk.levels(this.market, side)].map(({ price, size }) => [price, size] as const),
    );
  }

  expected(): ReturnType<Rig['levels']> {
    return this.shown.map((sizes, side) =>
      [...sizes].sort(([a], [b]) => (side === BID ? b - a : a - b)).map(([price, size]) => [price, size] as const),
    );
  }

  #set([side, price, size]: readonly [Side, Ticks, MicroShares]): void {
    writer.set(this.book, side, price, size);
    if (size === 0) this.shown[side].delete(price);
    else this.shown[side].set(price, size);
  }
}

const OPENING = [
  [BID, cents(49), shares(10)],
  [ASK, cents(51), shares(10)],
] as const;
const NOTHING = [[], []];

let open: Rig;
afterEach(() => open.close());

function rigOf(): Rig {
  open = new Rig();
  return open;
}

function live(): Rig {
  const rig = rigOf();
  rig.house.open([FIRST, SECOND], rig.market);
  rig.bind(FIRST, PRIMARY);
  rig.snapshot(OPENING);
  rig.follow();
  return rig;
}

/** Bids are at most 49¢ and asks at least 51¢, so the book is never crossed. */
const levels = fc
  .array(fc.tuple(fc.constantFrom<Side>(BID, ASK), fc.nat(5), fc.nat(9)), { maxLength: 6 })
  .map(all =>
    all.map(([side, away, size]) => [side, cents(side === BID ? 49 - away : 51 + away), shares(size)] as const),
  );
const present = levels.map(all => all.filter(([, , size]) => size > 0));
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('change' as const), levels }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('snapshot' as const), levels: present }) },
  fc.record({
    op: fc.constant('state' as const),
    state: fc.constantFrom<'LIVE' | 'STALE' | 'RESYNCING'>('LIVE', 'STALE', 'RESYNCING'),
  }),
  fc.record({ op: fc.constant('bind' as const), first: fc.boolean() }),
  fc.record({ op: fc.constant('follow' as const) }),
);

describe('the exchange’s book', () => {
  it('is the feed’s while that is LIVE and bound, by either token, and otherwise empty and closed to orders', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), happenings => {
        const rig = live();
        let state = 'LIVE';
        let bound: string | null = FIRST;
        for (const it of happenings) {
          if (it.op === 'change' && state !== 'RESYNCING') rig.change(it.levels);
          else if (it.op === 'snapshot') {
            rig.snapshot(it.levels);
            state = 'LIVE';
          } else if (it.op === 'state' && !(it.state === 'LIVE' && state === 'RESYNCING')) {
            rig.state(it.state);
            state = it.state;
          } else if (it.op === 'bind') {
            if (bound !== null) rig.unbind(bound);
            bound = bound === null ? (it.first ? FIRST : SECOND) : null;
            if (bound !== null) rig.bind(bound, bound === FIRST ? PRIMARY : COMPLEMENT);
          } else if (it.op === 'follow') rig.follow();
        }
        rig.follow();
        const isOpen = state === 'LIVE' && bound !== null;
        expect(rig.levels()).toEqual(isOpen ? rig.expected() : NOTHING);
        expect(rig.market.isOpen()).toBe(isOpen);
        rig.close();
      }),
    );
  });

  it('is read anew after the tape has gone by', () => {
    const rig = live();
    for (let count = 0; count < 70_000; count += 1)
      rig.change([[BID, cents(1 + (count % 49)), shares(1 + (count % 7))]]);
    rig.follow();
    expect(rig.levels()).toEqual(rig.expected());
    rig.change([[ASK, cents(60), shares(3)]]);
    rig.follow();
    expect(rig.levels()).toEqual(rig.expected());
  });
});

describe('an order', () => {
  it('takes what is displayed, which stays taken until the venue’s book changes there', () => {
    const rig = live();
    expect(rig.desk.trade(rig.market, BID, cents(51), shares(15))).toBe(shares(10));
    rig.change([[BID, cents(48), shares(1)]]);
    rig.follow();
    expect(rig.desk.trade(rig.market, BID, cents(52), shares(1))).toBe(0);
  });

  it('rests while the book is STALE, and is filled by a trade only after it is LIVE again', () => {
    const rig = live();
    rig.desk.trade(rig.market, ASK, cents(50), shares(2));
    rig.state('STALE');
    rig.trade(cents(50), shares(2));
    rig.follow();
    expect(rig.levels()).toEqual([[], [[cents(50), shares(2)]]]);
    rig.state('LIVE');
    rig.trade(cents(50), shares(2));
    rig.follow();
    expect(rig.levels()).toEqual(rig.expected());
  });

  it('that has waited stands behind the whole book after a gap', () => {
    const rig = live();
    rig.desk.trade(rig.market, BID, cents(48), shares(2));
    rig.change([[BID, cents(48), shares(5)]]);
    rig.follow();
    const isHouse = () => rig.desk.queue(rig.market, BID, cents(48)).map(it => it.isHouse);
    expect(isHouse()).toEqual([false, true]);
    rig.snapshot([...OPENING, [BID, cents(48), shares(5)]]);
    rig.follow();
    expect(isHouse()).toEqual([true, false]);
  });

  it('that waits for the first book goes on when it comes, or after paperFirstBookMs', async () => {
    const rig = rigOf();
    expect(rig.house.waitFor(FIRST)).toBeNull();
    rig.house.open([FIRST, SECOND], rig.market);
    let went = 0;
    const go = (): void => {
      went += 1;
    };
    const [one, other] = [rig.house.waitFor(FIRST)!.then(go), rig.house.waitFor(SECOND)!.then(go)];
    rig.bind(SECOND, COMPLEMENT);
    rig.snapshot(OPENING);
    rig.follow();
    await Promise.all([one, other]);
    expect([went, rig.house.waitFor(FIRST), rig.market.isOpen()]).toEqual([2, null, true]);
    rig.unbind(SECOND);
    const late = rig.house.waitFor(FIRST)!.then(go);
    rig.timers.advance(limits.paperFirstBookMs);
    await late;
    expect(rig.market.isOpen()).toBe(false);
  });
});

it('a price off the grid is reported and left out, and comes once the market’s rules have it', () => {
  const rig = live();
  rig.change([[BID, 4_950 as Ticks, shares(4)]]);
  rig.follow();
  expect(rig.strange).toEqual([FIRST]);
  expect(rig.levels()[BID]).toEqual([[cents(49), shares(10)]]);
  rig.house.renew(SECOND);
  rig.follow();
  expect(rig.levels()[ASK]).toEqual([[cents(51), shares(10)]]);
});

it('has the second token’s book in the frame of the first', () => {
  const rig = rigOf();
  rig.house.open([FIRST, SECOND], rig.market);
  rig.snapshot([[BID, cents(40), shares(7)]]);
  rig.bind(SECOND, COMPLEMENT);
  rig.follow();
  expect(rig.levels()).toEqual([[[cents(40), shares(7)]], []]);
  expect(complementTicks(cents(40))).toBe(cents(60));
});
