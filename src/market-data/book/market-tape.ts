// One venue's tape, split by market. Each record goes to the markets that have the record's book, to each in the frame of its own view.
// This reader looks at the tape by itself and never sleeps on it, so the tape's writer does not know of this reader. Threads that follow
// the tapes beside the main thread.

import {
  type BookId,
  COMPLEMENT,
  mirroredTaker,
  PRIMARY,
  type TakerSide,
  type Venue,
  type View,
} from '../../core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { BookIndexReader, type IndexKey, indexKey } from './book-index.ts';
import { type Arena, indexOf, regionOf } from './memory.ts';
import { type BookCopy, BookReader } from './reader.ts';
import { RECORD_CHANGE, RECORD_TRADE, TAPE_EMPTY, TAPE_LAPPED, TapeReader } from './tape-reader.ts';

/** A followed market, with the data that its listener keeps. */
export interface TapeMarket<Own> {
  readonly address: string;
  readonly book: BookId;
  readonly view: View;
  readonly own: Own;
  readonly key: IndexKey;
  /** The stamp of the market's assignment in the index. If the index has another stamp, the book belongs to another market. */
  readonly stamp: number;
  /** Records of earlier epochs belong to the previous market of the book. */
  readonly firstEpoch: number;
}

/** A batch of absolute sizes in one market's frame. Reused for every batch; only the first `count` entries are valid. */
export interface LevelChanges {
  count: number;
  readonly sides: Uint8Array;
  /** Prices in ticks. */
  readonly prices: Int32Array;
  /** Micro-shares; 0 removes the level. */
  readonly sizes: Float64Array;
}

/** A trade in one market's frame. */
export interface TapeTrade {
  readonly tradeId: string;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly takerSide: TakerSide;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
  /** The epoch of the book when the trade arrived; `seq` likewise. */
  readonly epoch: number;
  readonly seq: number;
}

/** Called for one market at a time. The book may have gone to another market meanwhile: ask `stillHasBook` after the last read. */
interface TapeListener<Own> {
  /** `tape` has the batch's epoch, seq and times. `checksum` is the checksum of the market's view. */
  onChanges(market: TapeMarket<Own>, changes: LevelChanges, tape: TapeReader, checksum: number): void;
  /** Called for a reset, a state or missed trades; `tape.kind` says which of them. */
  onMark(market: TapeMarket<Own>, tape: TapeReader): void;
  onTrade(market: TapeMarket<Own>, trade: TapeTrade): void;
  /** Called when this reader was lapped: changes, states and trades of all markets may be missing. */
  onLap(): void;
}

/**
 * Whether a market is followed now. `full` means that the listener has no place for the market, `gone` that the feed has dropped the market
 * meanwhile.
 */
export type Listed = 'listed' | 'full' | 'gone';

export class MarketTape<Own> {
  readonly #venue: Venue;
  readonly #listener: TapeListener<Own>;
  readonly #tape: TapeReader;
  readonly #reader: BookReader;
  readonly #index: BookIndexReader;
  readonly #byAddress = new Map<string, TapeMarket<Own>>();
  /** The market of each view of each book, at `book * 2 + view`. */
  readonly #byBook: (TapeMarket<Own> | undefined)[] = [];
  /** The batch that is being read: `#changes` in the frame of the primary view, `#mirrored` in the frame of the complement. */
  readonly #changes = levelChanges();
  readonly #mirrored = levelChanges();

  constructor(venue: Venue, arena: Arena, listener: TapeListener<Own>) {
    const region = regionOf(arena, venue);
    this.#venue = venue;
    this.#listener = listener;
    this.#tape = new TapeReader(region);
    this.#reader = new BookReader(region);
    this.#index = new BookIndexReader(indexOf(arena));
  }

  get size(): number {
    return this.#byAddress.size;
  }

  all(): IterableIterator<TapeMarket<Own>> {
    return this.#byAddress.values();
  }

  get(address: string): TapeMarket<Own> | undefined {
    return this.#byAddress.get(address);
  }

  /**
   * Follows a market that is not followed yet. `make` is called once the index has the binding. If `make` returns null, the listener has no
   * place.
   */
  list(address: string, { book, view }: FeedSubscription, make: () => Own | null): Listed {
    const key = indexKey(this.#venue, address);
    const found = this.#index.findPatiently(key);
    if (found === null || found.book !== book || found.view !== view) return 'gone';
    const own = make();
    if (own === null) return 'full';
    const market = { address, book, view, own, key, stamp: found.stamp, firstEpoch: this.#reader.epochOf(book) };
    this.#byAddress.set(address, market);
    this.#byBook[book * 2 + view] = market;
    return 'listed';
  }

  /** Ends following a market and returns it, or returns undefined if it was not followed. */
  unlist(address: string): TapeMarket<Own> | undefined {
    const market = this.#byAddress.get(address);
    if (market === undefined) return undefined;
    this.#byAddress.delete(address);
    const place = market.book * 2 + market.view;
    if (this.#byBook[place] === market) this.#byBook[place] = undefined;
    return market;
  }

  /** Whether the market still has its book. */
  stillHasBook({ key, stamp }: TapeMarket<Own>): boolean {
    return this.#index.findPatiently(key)?.stamp === stamp;
  }

  /** Copies the present book of the market; call `stillHasBook` afterwards. Returns false if every attempt met a write. */
  read({ book, view }: TapeMarket<Own>, copy: BookCopy): boolean {
    return this.#reader.read(book, view, copy);
  }

  /** Passes on at most one turn's number of the tape's records. Returns false if the tape had no record. */
  follow(): boolean {
    for (let count = 0; count < limits.tapeRecordsPerTurnMax; count++) {
      const found = this.#tape.read();
      if (found === TAPE_EMPTY) return count > 0;
      if (found === TAPE_LAPPED) {
        this.#changes.count = 0;
        this.#listener.onLap();
      } else this.#take();
    }
    return true;
  }

  #take(): void {
    const tape = this.#tape;
    switch (tape.kind) {
      case RECORD_CHANGE:
        this.#add();
        if (tape.isCommit) this.#passChanges();
        return;
      case RECORD_TRADE:
        this.#passTrade();
        return;
      default:
        this.#passMark(PRIMARY);
        this.#passMark(COMPLEMENT);
    }
  }

  /** Returns the market that the record belongs to in this view, or undefined if no market that is followed has the book. */
  #recipient(view: View): TapeMarket<Own> | undefined {
    const { book, epoch } = this.#tape;
    const market = this.#byBook[book * 2 + view];
    return market === undefined || epoch < market.firstEpoch ? undefined : market;
  }

  #add(): void {
    const { side, price, size } = this.#tape;
    const changes = this.#changes;
    changes.sides[changes.count] = side;
    changes.prices[changes.count] = price;
    changes.sizes[changes.count] = size;
    changes.count += 1;
  }

  #passChanges(): void {
    const tape = this.#tape;
    const [primary, complement] = [this.#recipient(PRIMARY), this.#recipient(COMPLEMENT)];
    if (primary !== undefined) this.#listener.onChanges(primary, this.#changes, tape, tape.checksum);
    if (complement !== undefined) {
      mirror(this.#changes, this.#mirrored);
      this.#listener.onChanges(complement, this.#mirrored, tape, tape.complementChecksum);
    }
    this.#changes.count = 0;
  }

  #passMark(view: View): void {
    const market = this.#recipient(view);
    if (market !== undefined) this.#listener.onMark(market, this.#tape);
  }

  #passTrade(): void {
    const tape = this.#tape;
    const { size, takerSide, venueTime, receivedAt, epoch, seq, view: tradedView } = tape;
    const price = tape.price as Ticks;
    const tradeId = tape.readTradeId();
    if (tradeId === null) return;
    const rest = { tradeId, size, venueTime, receivedAt, epoch, seq } as Omit<TapeTrade, 'price' | 'takerSide'>;
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      const market = this.#recipient(view);
      if (market === undefined) continue;
      const shown =
        view === tradedView
          ? { price, takerSide }
          : { price: complementTicks(price), takerSide: mirroredTaker(takerSide) };
      this.#listener.onTrade(market, { ...rest, ...shown });
    }
  }
}

function levelChanges(): LevelChanges {
  return {
    count: 0,
    sides: new Uint8Array(limits.changesPerBatchMax),
    prices: new Int32Array(limits.changesPerBatchMax),
    sizes: new Float64Array(limits.changesPerBatchMax),
  };
}

function mirror(from: LevelChanges, into: LevelChanges): void {
  into.count = from.count;
  for (let index = 0; index < from.count; index++) {
    into.sides[index] = 1 - from.sides[index]!;
    into.prices[index] = complementTicks(from.prices[index]! as Ticks);
    into.sizes[index] = from.sizes[index]!;
  }
}
