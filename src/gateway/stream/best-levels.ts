// The best bid and ask of one book as quotes. A quote changes with a best level or with the state of the book. Main thread.

import { BID, type Level, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { Quote } from '../../core/wire/messages.ts';
import { BookCopy, type SideCopy } from '../../market-data/book/reader.ts';
import type { StreamBook } from './book.ts';
import type { ReadBook } from './depth-stream.ts';
import type { PacedValue } from './paced-stream.ts';

/** The quote of one book, which all its quote streams share. */
export class BestLevels implements PacedValue<Quote> {
  readonly #book: StreamBook;
  readonly #copy = new BookCopy(1);
  #quote: Quote | null = null;

  constructor(book: StreamBook) {
    this.#book = book;
  }

  /** Null before the first reading. */
  latest(): Quote | null {
    return this.#quote;
  }

  isSame(one: Quote, another: Quote): boolean {
    return one.state === another.state && isSameLevel(one.bid, another.bid) && isSameLevel(one.ask, another.ask);
  }

  /** Whether the state of the book has changed. Subscribers must learn at once that they cannot trust a book any more. */
  isUrgent(next: Quote, sent: Quote): boolean {
    return next.state !== sent.state;
  }

  /** Returns the quote as it is, because its times are not relative. */
  aged(sent: Quote): Quote {
    return sent;
  }

  /** Whether a change at this price can change the quote. */
  isTouchedBy(side: Side, price: Ticks): boolean {
    const best = side === BID ? this.#quote?.bid : this.#quote?.ask;
    if (best === undefined || best === null) return true;
    return side === BID ? price >= best.price : price <= best.price;
  }

  /** Reads the best levels again. Returns false if the book cannot be read now. A book that its feed does not have counts as RESYNCING. */
  refresh(read: ReadBook, now: UnixMillis): boolean {
    const { market, binding } = this.#book;
    if (binding === null) {
      this.#quote = { ...NO_LEVELS, market, receivedAt: now };
      return true;
    }
    const copy = this.#copy;
    if (!read(this.#book, copy)) return false;
    const { epoch, seq, state, venueTime } = copy;
    this.#quote = {
      type: 'quote',
      market,
      epoch,
      seq,
      state,
      bid: bestOf(copy.bids),
      ask: bestOf(copy.asks),
      venueTime: venueTime as UnixMillis,
      receivedAt: (copy.receivedAt || now) as UnixMillis,
    };
    return true;
  }
}

const NO_LEVELS = {
  type: 'quote',
  epoch: 0,
  seq: 0,
  state: 'RESYNCING',
  bid: null,
  ask: null,
  venueTime: 0 as UnixMillis,
} as const;

function bestOf({ count, prices, sizes }: SideCopy): Level | null {
  return count === 0 ? null : { price: prices[0]! as Ticks, size: sizes[0]! as MicroShares };
}

function isSameLevel(a: Level | null, b: Level | null): boolean {
  return a?.price === b?.price && a?.size === b?.size;
}
