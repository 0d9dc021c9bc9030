// The house of one venue with live-paper. The feed of the real venue writes its books into shared memory, and callers trade with these
// books. While a book is not LIVE, or not known, nothing matches in it. Thread of the paper exchanges.

import {
  ASK,
  BID,
  BOOK_STATES,
  type BookState,
  type Level,
  mirroredTaker,
  type Side,
  TAKER_BUY,
  TAKER_SELL,
  type Venue,
} from '../../core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks } from '../../core/domain/numbers.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { BookListing } from '../../market-data/book/live-books.ts';
import { type LevelChanges, MarketTape, type TapeMarket, type TapeTrade } from '../../market-data/book/market-tape.ts';
import type { Arena } from '../../market-data/book/memory.ts';
import { BookCopy, levelsOf, WHOLE_BOOK } from '../../market-data/book/reader.ts';
import { RECORD_RESET, RECORD_STATE, type TapeReader } from '../../market-data/book/tape-reader.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { HouseBook } from '../flow/house-book.ts';
import type { HouseDesk, HouseMarket } from '../flow/market-maker.ts';

interface LiveHouseParts {
  readonly venue: Venue;
  readonly arena: Arena;
  readonly desk: HouseDesk;
  readonly model: QueueModel;
  readonly timers: Timers;
  /** Called when the venue shows a price that the market’s rules do not allow here. */
  readonly onStrangePrice: (address: string) => void;
}

/** A market of the exchange. */
interface Mirrored {
  /** The addresses of the market at the venue. Prices of the first address are those of the exchange’s book. */
  readonly addresses: readonly string[];
  readonly market: HouseMarket;
  readonly book: HouseBook;
  /** Whether the market's book has come since its feed has had it. */
  hasCome: boolean;
  readonly waiting: Set<() => void>;
}

/** The place of the house in a book that it follows. */
interface Place {
  readonly mirrored: Mirrored;
  /** Whether the followed address is that of the second token. */
  readonly isMirror: boolean;
  epoch: number;
  seq: number;
}

type Followed = TapeMarket<Place>;
type Change = Level & { readonly side: Side };

export class LiveHouse {
  readonly #parts: LiveHouseParts;
  readonly #tape: MarketTape<Place>;
  readonly #copy = new BookCopy(WHOLE_BOOK);
  readonly #byAddress = new Map<string, Mirrored>();
  /** The books that the feeds have, by address. The exchange need not list their markets. */
  readonly #bindings = new Map<string, FeedSubscription>();
  /** The books that have to be read whole. */
  readonly #overdue = new Set<Followed>();

  constructor(parts: LiveHouseParts) {
    this.#parts = parts;
    this.#tape = new MarketTape<Place>(parts.venue, parts.arena, {
      onChanges: (followed, changes, tape) => this.#takeChanges(followed, changes, tape),
      onMark: (followed, tape) => this.#takeMark(followed, tape),
      onTrade: (followed, trade) => this.#takeTrade(followed, trade),
      onLap: () => this.#markMissed([...this.#tape.all()]),
    });
  }

  /** The number of books that the house follows. */
  get size(): number {
    return this.#tape.size;
  }

  /** Adds a market that the exchange has listed. Nothing matches in it until its book comes. */
  open(addresses: readonly string[], market: HouseMarket): void {
    const { desk, model } = this.#parts;
    const book = new HouseBook({ desk, market, model });
    const mirrored: Mirrored = { addresses, market, book, hasCome: false, waiting: new Set() };
    book.markUnknown();
    for (const address of addresses) this.#byAddress.set(address, mirrored);
    this.#attach(mirrored);
  }

  /** Removes a market that the exchange has dropped. */
  close(addresses: readonly string[]): void {
    for (const address of addresses) {
      this.#detach(address);
      this.#byAddress.delete(address);
    }
  }

  /** Takes a message of the main thread about which market has which book. */
  handleListing({ op, address, ...rest }: BookListing): void {
    const mirrored = this.#byAddress.get(address);
    this.#bindings.delete(address);
    if (mirrored !== undefined && this.#detach(address)) this.#markUnknown(mirrored);
    if (op === 'list' && 'binding' in rest) this.#bindings.set(address, rest.binding);
    if (mirrored !== undefined) this.#attach(mirrored);
  }

  /**
   * Resolves when the market’s first book has come, or has taken too long. Returns null if the book is there, or if the market is not
   * listed.
   */
  waitFor(address: string): Promise<void> | null {
    const mirrored = this.#byAddress.get(address);
    if (mirrored === undefined || mirrored.hasCome) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.timers.after(limits.paperFirstBookMs, () => {
      mirrored.waiting.delete(resolve);
      resolve();
    });
    mirrored.waiting.add(() => {
      cancel();
      resolve();
    });
    return promise;
  }

  /** Sets the book of a market again, because the market's rules have changed. */
  renew(address: string): void {
    const followed = this.#findFollowed(this.#byAddress.get(address)?.addresses ?? []);
    if (followed !== null) this.#markMissed([followed]);
  }

  /** Applies the changes that have come, at most one turn’s worth. Returns false if there were none. */
  follow(): boolean {
    const isNews = this.#tape.follow();
    for (const followed of [...this.#overdue]) this.#readWhole(followed);
    return isNews;
  }

  #attach(mirrored: Mirrored): void {
    if (this.#findFollowed(mirrored.addresses) !== null) return;
    for (const [index, address] of mirrored.addresses.entries()) {
      const binding = this.#bindings.get(address);
      if (binding === undefined) continue;
      const place: Place = { mirrored, isMirror: index > 0, epoch: 0, seq: 0 };
      if (this.#tape.list(address, binding, () => place) !== 'listed') continue;
      const followed = this.#tape.get(address)!;
      this.#overdue.add(followed);
      this.#readWhole(followed);
      return;
    }
  }

  /** Stops following the book of this address. Returns whether it was the followed one. */
  #detach(address: string): boolean {
    const followed = this.#tape.unlist(address);
    if (followed !== undefined) this.#overdue.delete(followed);
    return followed !== undefined;
  }

  #findFollowed(addresses: readonly string[]): Followed | null {
    for (const address of addresses) {
      const followed = this.#tape.get(address);
      if (followed !== undefined) return followed;
    }
    return null;
  }

  #markUnknown(mirrored: Mirrored): void {
    mirrored.hasCome = false;
    mirrored.book.markUnknown();
  }

  #markMissed(all: readonly Followed[]): void {
    for (const followed of all) {
      followed.own.mirrored.book.markUnknown();
      this.#overdue.add(followed);
    }
  }

  #takeChanges(followed: Followed, changes: LevelChanges, tape: TapeReader): void {
    const { own } = followed;
    const { epoch, seq } = tape;
    const isInBook = epoch < own.epoch || (epoch === own.epoch && seq <= own.seq);
    if (isInBook || this.#overdue.has(followed)) return;
    if (epoch !== own.epoch || seq !== own.seq + 1) {
      this.#markMissed([followed]);
      return;
    }
    own.seq = seq;
    const all = changesOf(changes, own.isMirror);
    own.mirrored.book.change(all, this.#nowMs);
    this.#checkPrices(own.mirrored, all);
  }

  #takeMark(followed: Followed, tape: TapeReader): void {
    const { own } = followed;
    if (tape.epoch < own.epoch || this.#overdue.has(followed)) return;
    if (tape.kind === RECORD_RESET && tape.epoch > own.epoch) this.#markMissed([followed]);
    if (tape.kind !== RECORD_STATE || (tape.epoch === own.epoch && tape.seq < own.seq)) return;
    const { book } = own.mirrored;
    const state: BookState = BOOK_STATES[tape.stateCode]!;
    if (state === 'RESYNCING') book.markUnknown();
    else if (state !== 'LIVE') book.halt();
    // A book that was read while it was not LIVE has not been set, so it must be read whole.
    else if (book.isLost) this.#overdue.add(followed);
    else book.resume();
  }

  #takeTrade(followed: Followed, { price, size, takerSide, epoch }: TapeTrade): void {
    const { own } = followed;
    if (epoch !== own.epoch && !this.#tape.stillHasBook(followed)) return;
    const { book } = own.mirrored;
    const [at, taker] = own.isMirror ? [complementTicks(price), mirroredTaker(takerSide)] : [price, takerSide];
    // The venue may not say who was the taker.
    if (taker === TAKER_BUY) book.trade(ASK, at, size, this.#nowMs);
    else if (taker === TAKER_SELL) book.trade(BID, at, size, this.#nowMs);
  }

  /** Reads a whole book. A book that is being written is read at the next look. */
  #readWhole(followed: Followed): void {
    const copy = this.#copy;
    if (!this.#tape.read(followed, copy) || !this.#tape.stillHasBook(followed)) return;
    this.#overdue.delete(followed);
    const { own } = followed;
    const { mirrored, isMirror } = own;
    own.epoch = copy.epoch;
    own.seq = copy.seq;
    if (copy.state === 'LIVE') {
      const [bids, asks] = [levelsOf(copy.bids), levelsOf(copy.asks)];
      const [ownBids, ownAsks] = isMirror ? [mirroredLevels(asks), mirroredLevels(bids)] : [bids, asks];
      mirrored.book.state(ownBids, ownAsks, this.#nowMs);
      this.#checkPrices(mirrored, [...ownBids, ...ownAsks]);
    } else mirrored.book.markUnknown();
    // While it subscribes, the feed already has a book, which is empty until the venue has answered.
    if (copy.state === 'RESYNCING' && copy.reason === 'OPENING') return;
    mirrored.hasCome = true;
    for (const go of mirrored.waiting) go();
    mirrored.waiting.clear();
  }

  #checkPrices({ market, addresses }: Mirrored, levels: readonly Level[]): void {
    if (levels.some(({ price, size }) => size > 0 && !market.isOnGrid(price)))
      this.#parts.onStrangePrice(addresses[0]!);
  }

  get #nowMs(): number {
    return this.#parts.timers.elapsed();
  }
}

function changesOf({ count, sides, prices, sizes }: LevelChanges, isMirror: boolean): readonly Change[] {
  return Array.from({ length: count }, (_, index) => {
    const [side, price] = [sides[index] as Side, prices[index] as Ticks];
    return {
      side: isMirror ? ((1 - side) as Side) : side,
      price: isMirror ? complementTicks(price) : price,
      size: sizes[index] as MicroShares,
    };
  });
}

function mirroredLevels(levels: readonly Level[]): readonly Level[] {
  return levels.map(({ price, size }) => ({ price: complementTicks(price), size }));
}
