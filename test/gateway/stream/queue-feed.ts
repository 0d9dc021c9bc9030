// The feed of a simulated market into real shared memory. Messages come late, and in any sequence across lanes; a lane keeps its sequence.

import type { Level } from '../../../src/core/domain/market.ts';
import { ASK, BID, PRIMARY, type Side, TAKER_BUY, TAKER_SELL } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Random } from '../../../src/core/runtime/random.ts';
import { StreamBooks } from '../../../src/gateway/stream/books.ts';
import { STREAM_CODECS } from '../../../src/gateway/stream/clients.ts';
import { VenueStream } from '../../../src/gateway/stream/venue-stream.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import type { VirtualTimers } from '../../support/virtual-timers.ts';

export const TICKER = 'KXTEST-26NOV21AAABBB-AAA';
export const AT = 1_790_000_000_000 as UnixMillis;
/** The longest delay of a message. */
export const LATE_MS = 200;

interface Message {
  readonly at: number;
  readonly deliver: () => void;
}

/** The memory that all feeds share, one feed after the other. */
const arena = createArena();

interface FeedParts {
  readonly timers: VirtualTimers;
  readonly random: Random;
  /** Whether book and trades come at once, because other callers hear the venue by the same feed. */
  readonly isShared: boolean;
  /** Returns the displayed levels at present. */
  readonly levels: (side: Side) => Iterable<Level>;
}

export class QueueFeed {
  readonly books: StreamBooks;
  readonly stream: VenueStream;
  readonly #timers: VirtualTimers;
  readonly #random: Random;
  readonly #isShared: boolean;
  readonly #levels: FeedParts['levels'];
  readonly #writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
  readonly #book = this.#writer.openBook(100 as Ticks)!;
  #messages: Message[] = [];
  readonly #lanes = new Map<string, number>();
  #turns: (() => void)[] = [];
  #isGap = false;
  #held: (() => void) | null = null;

  constructor({ timers, random, isShared, levels }: FeedParts) {
    [this.#timers, this.#random, this.#isShared, this.#levels] = [timers, random, isShared, levels];
    const index = new BookIndexWriter(indexOf(arena));
    this.books = new StreamBooks(STREAM_CODECS, { subscribe: () => {}, unsubscribe: () => {} }, index, 0, timers);
    this.stream = new VenueStream({
      ...{ venue: 'venue_b', region: regionOf(arena, 'venue_b'), books: this.books, now: () => timers.now() },
      publish: () => {},
      suspendLaggards: () => {},
      yieldTo: task => this.#turns.push(task),
      timers,
    });
  }

  get isIdle(): boolean {
    return this.#messages.length === 0;
  }

  /** Subscribes to the book, which becomes LIVE. */
  open(): void {
    void this.books.acquire({ venue: 'venue_b', ticker: TICKER });
    this.#writer.setViews(this.#book, true, false);
    this.stream.begin(this.books.settle('venue_b', TICKER, { book: this.#book, view: PRIMARY })!);
    this.snapshot();
    this.drain();
  }

  close(): void {
    this.books.close();
    this.#writer.releaseBook(this.#book);
  }

  flush(): void {
    const change = this.#held;
    this.#held = null;
    if (change !== null) this.#write([change]);
  }

  #write(changes: readonly (() => void)[]): void {
    if (this.#isGap) return;
    this.#writer.begin(this.#book);
    for (const change of changes) change();
    this.#writer.commit(this.#book, AT);
  }

  levelMessage(side: Side, price: Ticks, size: MicroShares): void {
    // Some changes come together with the next change.
    const before = this.#held;
    this.#held = null;
    const change = () => this.#writer.set(this.#book, side, price, size);
    const changes = before === null ? [change] : [before, change];
    if (before === null && this.#random.below(50) === 0) {
      this.#held = change;
      // The held change comes by itself if no other change follows.
      this.later('book', () => this.flush());
    } else this.later('book', () => this.#write(changes));
  }

  tradeMessage(side: Side, price: Ticks, size: MicroShares): void {
    this.later('trades', () => {
      if (this.#isGap) return;
      const taker = side === BID ? TAKER_SELL : TAKER_BUY;
      this.#writer.trade(this.#book, PRIMARY, price, size, taker, AT, 't');
    });
  }

  /** Makes the feed lose the book for a while, and then state the book again. */
  gap(): void {
    this.later('book', () => {
      this.#isGap = true;
      this.#writer.setState(this.#book, 'RESYNCING', 'SEQUENCE_GAP');
    });
    this.#timers.after(1_000, () => {
      this.#deliverAll();
      this.#isGap = false;
      this.#held = null;
      this.snapshot();
    });
  }

  snapshot(): void {
    this.#writer.begin(this.#book);
    this.#writer.clear(this.#book);
    for (const side of [BID, ASK] as const) {
      const levels = this.#levels(side);
      for (const { price, size } of levels) this.#writer.set(this.#book, side, price, size);
    }
    this.#writer.commitSnapshot(this.#book, AT);
  }

  /** Delivers later, in the sequence of the lane. The paper house hears its venue by the feed itself, so that neither is later. */
  later(lane: string, deliver: () => void): void {
    if (this.#isShared && (lane === 'book' || lane === 'trades')) {
      deliver();
      this.drain();
      return;
    }
    const at = Math.max(this.#timers.now() + 1 + this.#random.below(LATE_MS - 1), this.#lanes.get(lane) ?? 0);
    this.#lanes.set(lane, at);
    this.#messages.push({ at, deliver });
  }

  pass(ms: number): void {
    const end = this.#timers.now() + ms;
    for (let next = this.#next(end); next !== null; next = this.#next(end)) {
      this.#timers.advance(Math.max(0, next.at - this.#timers.now()));
      this.#messages = this.#messages.filter(it => it !== next);
      next.deliver();
      this.drain();
    }
    this.#timers.advance(Math.max(0, end - this.#timers.now()));
    this.drain();
  }

  #next(until: number): Message | null {
    let next: Message | null = null;
    for (const it of this.#messages) if (it.at <= until && (next === null || it.at < next.at)) next = it;
    return next;
  }

  #deliverAll(): void {
    const messages = this.#messages.toSorted((a, b) => a.at - b.at);
    // The effects of these trades come later.
    this.#messages = [];
    for (const { deliver } of messages) deliver();
  }

  drain(): void {
    this.stream.drain();
    for (let turn = this.#turns.shift(); turn !== undefined; turn = this.#turns.shift()) turn();
  }
}
