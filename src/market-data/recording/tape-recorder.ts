// Follows one venue's tape into the files of a recording. A market begins with its whole book; every change, trade and state follows in the
// sequence of the tape. If records are missed, a gap marks the place, and the whole book is written again. The recorder's thread.

import {
  BOOK_STATES,
  type BookState,
  type Side,
  STATE_REASONS,
  type StateReason,
  type Venue,
} from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { type LevelChanges, type Listed, MarketTape, type TapeMarket, type TapeTrade } from '../book/market-tape.ts';
import type { Arena } from '../book/memory.ts';
import { BookCopy, levelsOf, WHOLE_BOOK } from '../book/reader.ts';
import { RECORD_RESET, RECORD_STATE, type TapeReader } from '../book/tape-reader.ts';
import type { GapReason, RecordedChange, RecordedEvent, RecordedMarket } from './format.ts';
import type { RecordingFile } from './recorded-file.ts';

/** A market's place in the recording. */
interface Place {
  readonly market: RecordedMarket;
  file: RecordingFile;
  /** The epoch of the book after the records that are written; `seq`, `state` and `reason` likewise. */
  epoch: number;
  seq: number;
  state: BookState;
  reason: StateReason;
}

type Recorded = TapeMarket<Place>;

/** The most turns for the rest of the tape, which is more than a whole tape takes. */
const TURNS_MAX = 32;
/** The most whole books that are copied in one turn, which takes some milliseconds. */
const BOOKS_PER_TURN_MAX = 256;

export class TapeRecorder {
  /** The number of times that the tape's writer was a whole ring ahead. */
  laps = 0;
  readonly #venue: Venue;
  readonly #tape: MarketTape<Place>;
  readonly #now: () => UnixMillis;
  readonly #copy = new BookCopy(WHOLE_BOOK);
  /** The markets by address. A market that comes back gets the same object again, so that it keeps its number within a file. */
  readonly #markets = new Map<string, RecordedMarket>();
  /** Markets whose whole books are still to be written. */
  readonly #awaitingBook = new Set<Recorded>();
  /** Markets whose records still go into the previous file. */
  readonly #moving = new Set<Recorded>();
  #file: RecordingFile;

  /** `now` never decreases. All writers of one file use the same function. */
  constructor(venue: Venue, arena: Arena, now: () => UnixMillis, file: RecordingFile) {
    this.#venue = venue;
    this.#now = now;
    this.#file = file;
    this.#tape = new MarketTape<Place>(venue, arena, {
      onChanges: (...batch) => this.#takeChanges(...batch),
      onMark: (recorded, tape) => this.#takeMark(recorded, tape),
      onTrade: (recorded, trade) => this.#takeTrade(recorded, trade),
      onLap: () => this.#takeLap(),
    });
  }

  get size(): number {
    return this.#tape.size;
  }

  /** Whether records of any market still go into the previous file. */
  get isMoving(): boolean {
    return this.#moving.size > 0;
  }

  /** Begins to record a market. Throws a StoreError, as all methods that write, if the file cannot be written. */
  list(address: string, binding: FeedSubscription): Listed {
    this.unlist(address);
    const listed = this.#tape.list(address, binding, () => this.#placeOf(address));
    const recorded = this.#tape.get(address);
    if (recorded !== undefined) this.#markGap(recorded, 'START');
    return listed;
  }

  /**
   * Ends a market's recording. The market's records that are on the tape are written first, even if the index does not have its book any
   * more.
   */
  unlist(address: string): void {
    if (this.#tape.get(address) !== undefined) for (let turn = 0; turn < TURNS_MAX && this.#tape.follow(); turn++);
    const recorded = this.#tape.unlist(address);
    if (recorded === undefined) return;
    this.#awaitingBook.delete(recorded);
    this.#moving.delete(recorded);
    this.#write(recorded, { kind: 'end' });
  }

  /** Writes at most one turn's number of the tape's unread records. Returns false if the tape had no record. */
  follow(): boolean {
    for (const recorded of firstOf(this.#awaitingBook)) this.#renew(recorded);
    const isNews = this.#tape.follow();
    for (const recorded of firstOf(this.#moving)) this.#move(recorded);
    return isNews;
  }

  /**
   * Moves each market to the new file as soon as the market's present book equals its book in the old file. So nothing is missing between
   * the two files.
   */
  moveTo(file: RecordingFile): void {
    this.#file = file;
    for (const recorded of this.#tape.all()) this.#moving.add(recorded);
    for (const address of this.#markets.keys()) {
      if (this.#tape.get(address) === undefined) this.#markets.delete(address);
    }
  }

  #placeOf(address: string): Place {
    const market = this.#markets.get(address) ?? { venue: this.#venue, address };
    this.#markets.set(address, market);
    return { market, file: this.#file, epoch: 0, seq: 0, state: 'RESYNCING', reason: 'OPENING' };
  }

  #takeChanges(recorded: Recorded, changes: LevelChanges, tape: TapeReader, checksum: number): void {
    const { own } = recorded;
    const { epoch, seq } = tape;
    const isInBook = epoch < own.epoch || (epoch === own.epoch && seq <= own.seq);
    if (isInBook || this.#awaitingBook.has(recorded)) return;
    if (epoch !== own.epoch || seq !== own.seq + 1) {
      this.#markGap(recorded, 'LAPPED');
      return;
    }
    own.seq = seq;
    // Nearly all events take this path. An object made with spreads would cost twice the processor time, encoding included.
    own.file.add({
      market: own.market,
      at: this.#now(),
      kind: 'changes',
      epoch,
      seq,
      venueTime: tape.venueTime as UnixMillis,
      receivedAt: tape.receivedAt as UnixMillis,
      checksum,
      changes: changesOf(changes),
    });
  }

  #takeMark(recorded: Recorded, tape: TapeReader): void {
    const { own } = recorded;
    switch (tape.kind) {
      case RECORD_RESET:
        if (tape.epoch > own.epoch && !this.#awaitingBook.has(recorded)) this.#markGap(recorded, 'EPOCH');
        return;
      case RECORD_STATE:
        this.#takeState(recorded, tape);
        return;
      default:
        if (this.#belongsTo(recorded, tape)) this.#write(recorded, { kind: 'tradesMissed' });
    }
  }

  #takeState(recorded: Recorded, tape: TapeReader): void {
    const { own } = recorded;
    const [state, reason] = [BOOK_STATES[tape.stateCode]!, STATE_REASONS[tape.reasonCode]!];
    const isInBook = tape.epoch < own.epoch || (tape.epoch === own.epoch && tape.seq < own.seq);
    if (isInBook || this.#awaitingBook.has(recorded) || (state === own.state && reason === own.reason)) return;
    if (!this.#belongsTo(recorded, tape)) return;
    own.state = state;
    own.reason = reason;
    this.#write(recorded, { kind: 'state', epoch: own.epoch, seq: own.seq, state, reason });
  }

  #takeTrade(recorded: Recorded, trade: TapeTrade): void {
    if (this.#belongsTo(recorded, trade)) this.#write(recorded, { kind: 'trade', ...trade });
  }

  #takeLap(): void {
    this.laps += 1;
    for (const recorded of this.#tape.all()) {
      this.#write(recorded, { kind: 'gap', why: 'LAPPED' });
      this.#awaitingBook.add(recorded);
    }
  }

  /** Marks a gap: something may be missing before now. The whole book follows, at once if it can be read. */
  #markGap(recorded: Recorded, why: GapReason): void {
    this.#write(recorded, { kind: 'gap', why });
    this.#renew(recorded);
  }

  #renew(recorded: Recorded): void {
    // Until the book is read, changes need not be written: the book will contain them.
    this.#awaitingBook.add(recorded);
    if (!this.#read(recorded)) return;
    this.#awaitingBook.delete(recorded);
    const { own } = recorded;
    const { epoch, seq, state, reason } = this.#copy;
    Object.assign(own, { epoch, seq, state, reason });
    this.#write(recorded, bookOf(this.#copy));
  }

  #move(recorded: Recorded): void {
    if (this.#awaitingBook.has(recorded) || !this.#read(recorded)) return;
    const { own } = recorded;
    const { epoch, seq, state, reason } = this.#copy;
    if (epoch !== own.epoch || seq !== own.seq || state !== own.state || reason !== own.reason) return;
    this.#moving.delete(recorded);
    own.file = this.#file;
    this.#write(recorded, bookOf(this.#copy));
  }

  /**
   * Whether a record of the market's book belongs to this market. An epoch is never given out twice, so the next market that gets the book
   * has another epoch.
   */
  #belongsTo(recorded: Recorded, { epoch }: { readonly epoch: number }): boolean {
    return epoch === recorded.own.epoch || this.#tape.stillHasBook(recorded);
  }

  /** Copies the market's book. Returns false if the book is being written, or belongs to another market now. */
  #read(recorded: Recorded): boolean {
    return this.#tape.read(recorded, this.#copy) && this.#tape.stillHasBook(recorded);
  }

  #write({ own }: Recorded, event: DistributiveOmit<RecordedEvent, 'market' | 'at'>): void {
    own.file.add({ market: own.market, at: this.#now(), ...event } as RecordedEvent);
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function changesOf({ count, sides, prices, sizes }: LevelChanges): readonly RecordedChange[] {
  const changes: RecordedChange[] = [];
  for (let index = 0; index < count; index++) {
    changes.push({
      side: sides[index] as Side,
      price: prices[index] as Ticks,
      size: sizes[index] as MicroShares,
    });
  }
  return changes;
}

function bookOf(copy: BookCopy) {
  const { epoch, seq, state, reason, checksum, lastTrade, bids, asks } = copy;
  return {
    kind: 'book',
    epoch,
    seq,
    state,
    reason,
    checksum,
    venueTime: copy.venueTime as UnixMillis,
    receivedAt: copy.receivedAt as UnixMillis,
    lastTrade: lastTrade as Ticks,
    bids: levelsOf(bids),
    asks: levelsOf(asks),
  } as const;
}

/** Returns at most one turn's number of markets, as a copy, because the set may change meanwhile. */
function firstOf(all: ReadonlySet<Recorded>): Recorded[] {
  const first: Recorded[] = [];
  for (const recorded of all) {
    if (first.length === BOOKS_PER_TURN_MAX) break;
    first.push(recorded);
  }
  return first;
}
