// Random recordings: markets of both venues with books that change, are lost and come again, as a recorder writes them. Each recording comes with the
// books that a naive reader derives from it.

import fc from 'fast-check';
import { type Level, STATE_REASONS, TAKER_SELL, type TakerSide } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import type { RecordedEvent, RecordedMarket } from '../../../src/market-data/recording/format.ts';

export const START = 1_790_000_000_000;

export const MARKETS: readonly RecordedMarket[] = [
  { venue: 'venue_a', address: '7'.repeat(77) },
  { venue: 'venue_b', address: 'KXNBAGAME-26NOV21BOSLAL-BOS' },
  { venue: 'venue_b', address: 'KXNFLGAME-26NOV22KCBUF-KC' },
];

/** A book in plain maps. */
export class NaiveBook {
  readonly sides = [new Map<number, number>(), new Map<number, number>()] as const;
  isKnown = false;
  epoch = 0;
  seq = 0;

  get bids(): Level[] {
    return levels(this.sides[0], (a, b) => b - a);
  }

  get asks(): Level[] {
    return levels(this.sides[1], (a, b) => a - b);
  }

  /** Applies an event of a recording. */
  take(event: RecordedEvent): void {
    if (event.kind === 'gap' || event.kind === 'end') this.isKnown = false;
    if (event.kind === 'book') {
      this.clear();
      for (const { price, size } of event.bids) this.sides[0].set(price, size);
      for (const { price, size } of event.asks) this.sides[1].set(price, size);
      this.isKnown = true;
    }
    if (event.kind === 'changes') for (const { side, price, size } of event.changes) this.set(side, price, size);
    if (event.kind === 'state' && event.state === 'RESYNCING') this.clear();
  }

  set(side: number, price: number, size: number): void {
    if (size === 0) this.sides[side]!.delete(price);
    else this.sides[side]!.set(price, size);
  }

  clear(): void {
    for (const side of this.sides) side.clear();
  }
}

function levels(side: ReadonlyMap<number, number>, order: (a: number, b: number) => number): Level[] {
  const sorted = [...side].sort(([a], [b]) => order(a, b));
  return sorted.map(([price, size]) => ({ price: price as Ticks, size: size as MicroShares }));
}

const size = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map(it => it * 10_000),
  fc.maxSafeNat(),
);
const change = fc.record({
  side: fc.constantFrom(0 as const, 1 as const),
  distance: fc.integer({ min: 1, max: 40 }),
  size,
});

const step = fc.record({
  market: fc.nat(MARKETS.length - 1),
  waitMs: fc.nat(5_000),
  venueLagMs: fc.oneof(fc.constant(null), fc.integer({ min: -50, max: 400 })),
  what: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('change' as const),
        changes: fc.array(change, { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('book' as const), changes: fc.array(change, { maxLength: 6 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('trade' as const),
        price: fc.integer({ min: 1, max: 9_999 }),
        size: fc.maxSafeNat(),
        taker: fc.integer({ min: 0, max: TAKER_SELL }),
        id: fc.string({
          unit: fc.integer({ min: 0x21, max: 0x7e }).map(it => String.fromCharCode(it)),
          minLength: 1,
          maxLength: 64,
        }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('state' as const),
        state: fc.constantFrom('RESYNCING' as const, 'STALE' as const, 'LIVE' as const, 'CLOSED' as const),
        reason: fc.constantFrom(...STATE_REASONS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('again' as const, 'lap' as const, 'end' as const, 'missed' as const),
      }),
    },
  ),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Random events as a recorder would have written them. */
export const inventedRecording: fc.Arbitrary<RecordedEvent[]> = fc
  .array(step, { minLength: 1, maxLength: 80 })
  .map(steps => {
    const writer = new Writer();
    for (const it of steps) writer.take(it);
    return writer.events;
  });

/** The middle of the book: bids are below it, asks above. */
const MIDDLE = 5_000;

class Writer {
  readonly events: RecordedEvent[] = [];
  readonly #books = MARKETS.map(() => new NaiveBook());
  #at = START;
  #epoch = 0;

  take({ market: index, waitMs, venueLagMs, what }: Step): void {
    const book = this.#books[index]!;
    const market = MARKETS[index]!;
    this.#at += waitMs;
    const at = this.#at as UnixMillis;
    const venueTime = (venueLagMs === null ? 0 : this.#at - venueLagMs) as UnixMillis;
    const times = { venueTime, receivedAt: at };
    const own = { market, at } as const;
    if (!book.isKnown) {
      this.events.push({ ...own, kind: 'gap', why: 'START' });
      this.#newBook(book, own, times);
    }
    switch (what.do) {
      case 'change':
        this.#change(book, what.changes);
        book.seq += 1;
        this.events.push({
          ...{ ...own, ...times, kind: 'changes', epoch: book.epoch, seq: book.seq },
          checksum: checksumLevels(book.bids, book.asks),
          changes: what.changes.map(it => ({ side: it.side, price: priceOf(it), size: it.size as MicroShares })),
        });
        return;
      case 'book':
        book.clear();
        this.#change(book, what.changes);
        this.events.push({ ...own, kind: 'gap', why: 'EPOCH' });
        this.#newBook(book, own, times);
        return;
      case 'trade':
        this.#trade(book, own, times, what);
        return;
      case 'state':
        if (what.state === 'RESYNCING') book.clear();
        this.events.push({
          ...own,
          kind: 'state',
          epoch: book.epoch,
          seq: book.seq,
          state: what.state,
          reason: what.reason,
        });
        return;
      case 'again':
        this.#pushBook(book, own, times);
        return;
      case 'lap':
        this.events.push({ ...own, kind: 'gap', why: 'LAPPED' });
        this.#newBook(book, own, times);
        return;
      case 'end':
        book.isKnown = false;
        this.events.push({ ...own, kind: 'end' });
        return;
      default:
        this.events.push({ ...own, kind: 'tradesMissed' });
    }
  }

  #change(book: NaiveBook, changes: readonly { side: 0 | 1; distance: number; size: number }[]): void {
    for (const it of changes) book.set(it.side, priceOf(it), it.size);
  }

  #trade({ epoch, seq }: NaiveBook, own: Own, times: Times, what: Extract<Step['what'], { do: 'trade' }>): void {
    const [price, size] = [what.price as Ticks, what.size as MicroShares];
    const takerSide = what.taker as TakerSide;
    this.events.push({ ...own, ...times, kind: 'trade', epoch, seq, price, size, takerSide, tradeId: what.id });
  }

  #newBook(book: NaiveBook, own: Own, times: Times): void {
    this.#epoch += 1;
    book.epoch = this.#epoch;
    book.seq = 1;
    book.isKnown = true;
    this.#pushBook(book, own, times);
  }

  #pushBook(book: NaiveBook, own: Own, times: Times): void {
    const { bids, asks, epoch, seq } = book;
    const facts = {
      state: 'LIVE',
      reason: 'SNAPSHOT',
      checksum: checksumLevels(bids, asks),
      lastTrade: 0 as Ticks,
    } as const;
    this.events.push({ ...own, ...times, kind: 'book', epoch, seq, ...facts, bids, asks });
  }
}

interface Own {
  readonly market: RecordedMarket;
  readonly at: UnixMillis;
}

interface Times {
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

function priceOf({ side, distance }: { readonly side: 0 | 1; readonly distance: number }): Ticks {
  return (side === 0 ? MIDDLE - distance * 100 : MIDDLE + distance * 100) as Ticks;
}
