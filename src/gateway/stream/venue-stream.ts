// The market data stream: drain the tapes → encode once per codec → publish. A book's published stream begins with the first snapshot of an
// epoch. Every delta follows in order. After a gap the stream continues with a snapshot. Main thread.

import {
  BOOK_STATES,
  type BookState,
  COMPLEMENT,
  mirroredTaker,
  PRIMARY,
  type Side,
  STATE_REASONS,
  type StateReason,
  type Venue,
  type View,
} from '../../core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { AssertionFailure } from '../../core/domain/result.ts';
import type { STREAM_COUNTERS } from '../../core/metrics/metric-table.ts';
import { hasCome, type Timers, wallTimers } from '../../core/runtime/timers.ts';
import type { ServerMessage, Snapshot, StreamCodec } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import type { Region } from '../../market-data/book/memory.ts';
import { BookCopy, BookReader, WHOLE_BOOK } from '../../market-data/book/reader.ts';
import {
  RECORD_CHANGE,
  RECORD_RESET,
  RECORD_STATE,
  RECORD_TRADE,
  RECORD_TRADES_MISSED,
  TAPE_EMPTY,
  TAPE_LAPPED,
  TapeReader,
} from '../../market-data/book/tape-reader.ts';
import { type StreamBook, snapshotMessage } from './book.ts';
import type { StreamBooks } from './books.ts';
import type { Publish } from './outlets.ts';
import { Tops } from './tops.ts';

interface VenueStreamParts {
  readonly venue: Venue;
  readonly region: Region;
  readonly books: StreamBooks;
  readonly publish: Publish;
  /** Suspends clients that have too much unsent data to take snapshots in addition. */
  readonly suspendLaggards: () => void;
  readonly now: () => UnixMillis;
  /** Calls `task` after other sockets have had their turn. */
  readonly yieldTo: (task: () => void) => void;
  /** The timers for the intervals of quotes. The default is wall timers. */
  readonly timers?: Timers;
}

type StreamCounts = Record<keyof typeof STREAM_COUNTERS, number>;

/** The states' reasons that mean that a book's levels are not available from its venue. */
const WITHOUT_VENUE_DATA: readonly StateReason[] = ['OPENING', 'DISCONNECTED', 'SILENCE', 'FEED_RESTARTED'];

export class VenueStream {
  /** The streams of the best levels. */
  readonly tops: Tops;
  readonly counts: StreamCounts = { deltas: 0, snapshots: 0, trades: 0, laps: 0, busyReads: 0 };
  readonly #parts: VenueStreamParts;
  readonly #tape: TapeReader;
  readonly #reader: BookReader;
  readonly #copy = new BookCopy(WHOLE_BOOK);
  /** The books that need a snapshot once the tape is drained. */
  readonly #dirty = new Set<StreamBook>();
  #isTurnPlanned = false;

  // The batch being read from the tape, in parallel arrays.
  readonly #sides = new Uint8Array(limits.changesPerBatchMax);
  readonly #prices = new Int32Array(limits.changesPerBatchMax);
  readonly #sizes = new Float64Array(limits.changesPerBatchMax);
  #changes = 0;

  constructor(parts: VenueStreamParts) {
    this.#parts = parts;
    this.#tape = new TapeReader(parts.region);
    this.#reader = new BookReader(parts.region);
    const { publish, suspendLaggards, timers = wallTimers } = parts;
    this.tops = new Tops({ read: (book, into) => this.copy(book, into), publish, suspendLaggards, timers });
    this.#tape.sleep();
  }

  /** Publishes the unread records of the tape. Stops after one turn's share and continues later, so that other sockets are served. */
  drain(): void {
    if (this.#readTape()) this.#publishSnapshots();
    else this.#planTurn();
    if (!this.tops.flush()) this.#planTurn();
  }

  /** Begins the stream of a newly bound book. */
  begin(book: StreamBook): void {
    if (book.binding !== null) book.firstEpoch = this.#reader.epochOf(book.binding.book);
    this.continueWithSnapshot(book);
  }

  /** Continues the book's stream with a snapshot for all subscribers, as soon as the book's levels can be read. */
  continueWithSnapshot(book: StreamBook): void {
    this.#dirty.add(book);
    this.tops.markBookChanged(book);
    this.#planTurn();
  }

  /**
   * A snapshot exactly at the published position, so that the next published delta follows it. Returns null if nothing is published yet, or
   * if the book is ahead of that position or being written. In these cases all its subscribers get a snapshot shortly.
   */
  snapshotAtPosition(book: StreamBook): Snapshot | null {
    this.#readTape();
    // The snapshot for all is published in a turn of its own, never while a single client is being sent a snapshot.
    this.#planTurn();
    if (!book.isPublished || this.#dirty.has(book)) return null;
    const isRead = this.#read(book);
    if (isRead && this.#copy.epoch === book.epoch && this.#copy.seq === book.seq)
      return snapshotMessage(book.market, this.#copy);
    this.continueWithSnapshot(book);
    return null;
  }

  /** Sends a state to all subscribers of the book's channels. */
  announceState(book: StreamBook, state: BookState, reason: StateReason): void {
    if (state === 'RESYNCING') {
      book.withdraw();
      book.queue?.lose();
    }
    book.state = state;
    book.reason = reason;
    this.tops.noteSentState(book, state);
    // A dead feed writes no record that would cause the quotes to be sent, so a turn is planned.
    this.#planTurn();
    const message: ServerMessage = { type: 'state', market: book.market, state, reason };
    for (const { codec, stateTopic, subscribers } of book.outlets) {
      if (subscribers.book + subscribers.trade + subscribers.depth > 0) this.#publish(stateTopic, codec, message);
    }
  }

  /**
   * `lost` means that books are subscribed and none of them is live. `unasked` means that no open book is subscribed: a venue sends nothing
   * more about an ended market.
   */
  get health(): 'live' | 'lost' | 'unasked' {
    const books = this.#parts.books.of(this.#parts.venue);
    if (books.some(({ state, reason }) => state !== 'CLOSED' && !WITHOUT_VENUE_DATA.includes(reason))) return 'live';
    return books.every(({ state }) => state === 'CLOSED') ? 'unasked' : 'lost';
  }

  /** Sends a heartbeat for every book that has been quiet for `heartbeatIntervalMs`. `now` is in Unix milliseconds. */
  beatQuietBooks(now: number): void {
    for (const book of this.#parts.books.of(this.#parts.venue)) {
      const dueAt = book.lastMessageAt + limits.heartbeatIntervalMs;
      if (!book.isPublished || !hasCome(dueAt, now, limits.heartbeatIntervalMs)) continue;
      const books = [{ market: book.market, epoch: book.epoch, seq: book.seq }];
      this.#publishOnBookChannel(book, { type: 'heartbeat', books });
    }
    this.tops.beat(now as UnixMillis);
  }

  /** Returns the size of the message in bytes. */
  #publishOnBookChannel(book: StreamBook, message: ServerMessage): number {
    let bytes = 0;
    book.lastMessageAt = this.#parts.now();
    for (const { codec, bookTopic, subscribers } of book.outlets) {
      if (subscribers.book > 0) bytes += this.#publish(bookTopic, codec, message);
    }
    return bytes;
  }

  #publish(topic: string, codec: StreamCodec, message: ServerMessage): number {
    const frame = codec.encode(message);
    this.#parts.publish(topic, frame, codec.isBinary);
    return frame.byteLength;
  }

  /**
   * Publishes records of the tape, at most one turn's share. Returns true if the tape is empty. The next record then rings the doorbell.
   */
  #readTape(): boolean {
    for (let count = 0; count < limits.tapeRecordsPerTurnMax; count++) {
      const found = this.#tape.read();
      if (found === TAPE_LAPPED) this.#resynchronise();
      else if (found !== TAPE_EMPTY) this.#publishRecord();
      else if (this.#tape.sleep()) return true;
    }
    return false;
  }

  #publishRecord(): void {
    const tape = this.#tape;
    switch (tape.kind) {
      case RECORD_CHANGE:
        this.#sides[this.#changes] = tape.side;
        this.#prices[this.#changes] = tape.price;
        this.#sizes[this.#changes] = tape.size;
        this.#changes += 1;
        if (!tape.isCommit) return;
        this.#publishDelta(PRIMARY);
        this.#publishDelta(COMPLEMENT);
        this.#changes = 0;
        return;
      case RECORD_RESET:
        this.#takeReset(PRIMARY);
        this.#takeReset(COMPLEMENT);
        return;
      case RECORD_STATE:
        this.#publishState(PRIMARY);
        this.#publishState(COMPLEMENT);
        return;
      case RECORD_TRADE:
        this.#publishTrade();
        return;
      case RECORD_TRADES_MISSED:
        this.#publishTradesMissed(PRIMARY);
        this.#publishTradesMissed(COMPLEMENT);
        return;
      default:
        throw new AssertionFailure(`the tape holds a record of kind ${tape.kind}`);
    }
  }

  /** The book that the current record belongs to, for this view. */
  #bookOfRecord(view: View): StreamBook | undefined {
    const book = this.#parts.books.boundTo(this.#parts.venue, this.#tape.book, view);
    return book === undefined || this.#tape.epoch < book.firstEpoch ? undefined : book;
  }

  #takeReset(view: View): void {
    const book = this.#bookOfRecord(view);
    if (book === undefined) return;
    this.tops.markBookChanged(book);
    if (this.#tape.epoch <= book.epoch) return;
    this.#dirty.add(book);
    book.queue?.lose();
  }

  #publishState(view: View): void {
    const tape = this.#tape;
    const book = this.#bookOfRecord(view);
    if (book === undefined || tape.epoch < book.epoch) return;
    this.announceState(book, BOOK_STATES[tape.stateCode]!, STATE_REASONS[tape.reasonCode]!);
  }

  #publishDelta(view: View): void {
    const tape = this.#tape;
    const book = this.#bookOfRecord(view);
    if (book === undefined) return;
    this.#notifyLevelFollowers(book, view);
    // The delta is older than the subscribers' snapshot, or the next snapshot covers it.
    if (tape.epoch !== book.epoch || tape.seq <= book.seq || this.#dirty.has(book)) return;
    book.seq = tape.seq;
    const checksum = view === PRIMARY ? tape.checksum : tape.complementChecksum;
    for (const { codec, template, bookTopic, subscribers } of book.outlets) {
      if (subscribers.book === 0) continue;
      template.beginDelta(tape.epoch, tape.seq);
      for (let index = 0; index < this.#changes; index++) this.#addChange(template, index, view);
      const frame = template.endDelta(checksum, tape.venueTime as UnixMillis, tape.receivedAt as UnixMillis);
      this.#parts.publish(bookTopic, frame, codec.isBinary);
    }
    // The time of this gateway counts. The venue's time may be by the clock of another gateway (docs/RELAY.md).
    book.lastMessageAt = this.#parts.now();
    this.counts.deltas += 1;
  }

  /** Passes the batch on to the followers of single levels. */
  #notifyLevelFollowers(book: StreamBook, view: View): void {
    const { tops } = this;
    const { queue } = book;
    if (tops.isUnused && queue === null) return;
    const { epoch, seq } = this.#tape;
    for (let index = 0; index < this.#changes; index++) {
      const own = this.#sides[index]! as Side;
      const side = view === PRIMARY ? own : ((1 - own) as Side);
      const price = view === PRIMARY ? (this.#prices[index]! as Ticks) : complementTicks(this.#prices[index]! as Ticks);
      if (!tops.isUnused) tops.markLevelChanged(book, side, price);
      queue?.show(side, price, this.#sizes[index]!, epoch, seq);
    }
  }

  #addChange(template: { change(side: Side, price: Ticks, size: MicroShares): void }, index: number, view: View): void {
    const side = this.#sides[index]! as Side;
    const price = this.#prices[index]! as Ticks;
    const size = this.#sizes[index]! as MicroShares;
    if (view === PRIMARY) template.change(side, price, size);
    else template.change((1 - side) as Side, complementTicks(price), size);
  }

  #publishTrade(): void {
    const tape = this.#tape;
    const { price, size, takerSide, venueTime, receivedAt, view: tradedView, epoch, seq } = tape;
    const tradeId = tape.readTradeId();
    if (tradeId === null) return;
    this.counts.trades += 1;
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      const book = this.#bookOfRecord(view);
      if (book === undefined) continue;
      const isSameView = view === tradedView;
      const trade = {
        tradeId,
        price: (isSameView ? price : complementTicks(price as Ticks)) as Ticks,
        size: size as MicroShares,
        takerSide: isSameView ? takerSide : mirroredTaker(takerSide),
        venueTime: venueTime as UnixMillis,
        receivedAt: receivedAt as UnixMillis,
      };
      book.queue?.trade(trade.price, trade.size, trade.takerSide, epoch, seq);
      for (const { codec, template, tradeTopic, subscribers } of book.outlets) {
        if (subscribers.trade === 0) continue;
        this.#parts.publish(tradeTopic, template.trade(trade), codec.isBinary);
      }
    }
  }

  #publishTradesMissed(view: View): void {
    const book = this.#bookOfRecord(view);
    if (book !== undefined) this.#reportTradeGap(book, 'some trades did not come from the venue, or cannot be read');
  }

  #reportTradeGap(book: StreamBook, why: string): void {
    const message = `${book.address}: ${why}; trades before this message may be missing`;
    for (const { codec, tradeTopic, subscribers } of book.outlets) {
      if (subscribers.trade === 0) continue;
      this.#publish(tradeTopic, codec, { type: 'error', id: null, code: 'TRADES_MISSED', message, rejected: [] });
    }
  }

  /** Recovers after the tape was lapped. Books are read again from shared memory. Missed trades are reported as missed. */
  #resynchronise(): void {
    this.counts.laps += 1;
    this.#changes = 0;
    for (const book of this.#parts.books.of(this.#parts.venue)) {
      this.#dirty.add(book);
      this.tops.markBookChanged(book);
      book.queue?.lose();
      this.#reportTradeGap(book, 'the gateway fell behind its venue');
    }
  }

  /** Publishes due snapshots, at most one turn's share, because no socket takes a thousand deep books at once. */
  #publishSnapshots(): void {
    if (this.#dirty.size === 0) return;
    this.#parts.suspendLaggards();
    let bytes = 0;
    for (const book of this.#dirty) {
      if (bytes > limits.snapshotBytesPerTurn) {
        this.#planTurn();
        return;
      }
      if (book.binding !== null && !this.#read(book)) {
        this.counts.busyReads += 1;
        this.#planTurn();
        continue;
      }
      this.#dirty.delete(book);
      if (book.binding === null) continue;
      if (this.#copy.state !== 'RESYNCING') bytes += this.#publishSnapshot(book);
      else if (book.isPublished || book.reason !== this.#copy.reason) {
        this.announceState(book, 'RESYNCING', this.#copy.reason);
      }
    }
  }

  /** Returns the size of the snapshot in bytes. */
  #publishSnapshot(book: StreamBook): number {
    const { state, reason, epoch, seq } = this.#copy;
    const isNews = state !== book.state;
    book.epoch = epoch;
    book.seq = seq;
    book.state = state;
    book.reason = reason;
    book.queue?.restate(this.#copy);
    const bytes = this.#publishOnBookChannel(book, snapshotMessage(book.market, this.#copy));
    this.counts.snapshots += 1;
    for (const waiter of [...book.waiters]) waiter.onSnapshot(book);
    // A subscriber of only trades gets the state, because it gets no snapshot.
    for (const { codec, tradeTopic, subscribers } of book.outlets) {
      if (isNews && subscribers.trade > 0)
        this.#publish(tradeTopic, codec, { type: 'state', market: book.market, state, reason });
    }
    return bytes;
  }

  /** Copies the book as it is now. Returns false if the writer was changing it, or if its feed does not have it. */
  copy({ binding }: StreamBook, into: BookCopy): boolean {
    return binding !== null && this.#reader.read(binding.book, binding.view, into);
  }

  #read(book: StreamBook): boolean {
    return this.copy(book, this.#copy);
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    this.#parts.yieldTo(() => {
      this.#isTurnPlanned = false;
      this.drain();
    });
  }
}
