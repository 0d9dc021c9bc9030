// A reader's book: the messages of one market's subject, applied while none is missing and every checksum agrees. Otherwise the book is
// RESYNCING until a snapshot, or STALE while nothing is heard; it is never shown with levels that may be wrong. Feed threads of a reader.

import { greatestCommonDivisor } from '../../core/domain/grid.ts';
import { type BookId, type BookState, PRIMARY, STATE_REASONS, type StateReason } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { COUNTER, type FeedCounters } from '../../core/metrics/feed-counters.ts';
import type { Delta, ServerMessage, Snapshot, Trade } from '../../core/wire/messages.ts';
import type { BookSink } from '../../venues/feed.ts';
import type { Relayed } from './protocol.ts';

interface RelayedBookParts {
  readonly sink: BookSink;
  readonly counters: FeedCounters;
  /** The time in monotonic milliseconds. */
  readonly elapsed: () => number;
  /** The market's order terms may have changed: its state or its grid has. */
  readonly outdateFacts: () => void;
}

/** Ladders begin with a slot for each cent; a price between two refines it. */
export const FIRST_STEP = 100 as Ticks;

type StateMessage = Extract<ServerMessage, { type: 'state' }>;

export class RelayedBook {
  readonly id: BookId;
  /** When its subject was last heard; monotonic milliseconds. */
  heardAt: number;
  readonly #parts: RelayedBookParts;
  #step = FIRST_STEP;
  /** Number of the last message, if all before it since a snapshot were taken; null: a snapshot is missing. */
  #number: number | null = null;
  #hasBegun = false;
  /** Position of the publisher's book; epoch 0: it has no levels. */
  #epoch = 0;
  #seq = 0;
  /** The state that the publisher shows. */
  #state: BookState = 'RESYNCING';
  #reason: StateReason = 'OPENING';
  #isSilent = false;

  /** `id`: of a book just opened with FIRST_STEP. */
  constructor(id: BookId, parts: RelayedBookParts) {
    this.id = id;
    this.#parts = parts;
    this.heardAt = parts.elapsed();
  }

  /** Whether it waits for a snapshot, which its caller must request. */
  get needsSnapshot(): boolean {
    return this.#number === null;
  }

  /** Takes the next message of the market's subject. */
  take({ number, lastTrade, message }: Relayed): void {
    this.heardAt = this.#parts.elapsed();
    const isNext = this.#number !== null && number === this.#number + 1;
    if (!isNext && !isBeginning(message)) {
      if (this.#number !== null) this.#missed();
      return;
    }
    if (!isNext && this.#hasBegun) this.#parts.sink.tradesMissed(this.id);
    this.#number = number;
    this.#hasBegun = true;
    this.#apply(message, lastTrade);
    if (this.#isSilent && this.#number !== null) this.#resume();
  }

  /** The levels cannot be trusted until the next snapshot. A market that is over keeps its last levels: nothing will change them. */
  lose(reason: StateReason): void {
    this.#number = null;
    if (this.#state === 'CLOSED') return;
    this.#epoch = 0;
    this.#seq = 0;
    this.#isSilent = false;
    this.#parts.counters.count(COUNTER.resyncs);
    this.#show('RESYNCING', reason);
  }

  /** The publisher was silent for too long: the levels are the last known ones. */
  fallSilent(): void {
    if (this.#isSilent || this.#epoch === 0 || this.#state === 'CLOSED') return;
    this.#isSilent = true;
    this.#parts.sink.setState(this.id, 'STALE', 'SILENCE');
  }

  #resume(): void {
    this.#isSilent = false;
    if (this.#epoch === 0) return;
    this.#parts.sink.setState(this.id, this.#state, this.#state === 'LIVE' ? 'RESUMED' : this.#reason);
  }

  #apply(message: ServerMessage, lastTrade: Ticks): void {
    switch (message.type) {
      case 'snapshot':
        this.#takeSnapshot(message, lastTrade);
        return;
      case 'delta':
        this.#takeDelta(message);
        return;
      case 'trade':
        this.#takeTrade(message);
        return;
      case 'state':
        this.#takeState(message);
        return;
      case 'heartbeat': {
        const [position] = message.books;
        if (position?.epoch !== this.#epoch || position.seq !== this.#seq) this.#missed();
        return;
      }
      case 'error':
        if (message.code === 'TRADES_MISSED') this.#parts.sink.tradesMissed(this.id);
        return;
      default:
      // A kind that this version does not know, or that no subject of a market has.
    }
  }

  #missed(): void {
    this.#parts.counters.count(COUNTER.sequenceGaps);
    this.lose('SEQUENCE_GAP');
  }

  #takeSnapshot(snapshot: Snapshot, lastTrade: Ticks): void {
    const { sink, counters } = this.#parts;
    const { epoch, seq, state, bids, asks, checksum, venueTime } = snapshot;
    // Another reader has asked for this snapshot.
    if (epoch === this.#epoch && seq === this.#seq && state === this.#state) return;
    if (state === 'RESYNCING' || !this.#refine([...bids, ...asks])) {
      this.lose(state === 'RESYNCING' ? 'OPENING' : 'OFF_GRID');
      return;
    }
    const { id: book } = this;
    sink.receivedAt = snapshot.receivedAt;
    // Any other state comes first: no reader may see the book LIVE in between.
    if (state !== 'LIVE') sink.setState(book, state, this.#reasonOf(state));
    sink.begin(book);
    sink.clear(book);
    for (const { price, size } of bids) sink.set(book, 0, price, size);
    for (const { price, size } of asks) sink.set(book, 1, price, size);
    if (!this.#agrees(checksum)) return;
    const isSound = state === 'LIVE' ? sink.commitSnapshot(book, venueTime) : sink.commit(book, venueTime);
    if (!isSound) {
      this.#crossed();
      return;
    }
    counters.count(COUNTER.snapshots);
    if (lastTrade !== 0) sink.setLastTrade(book, lastTrade);
    this.#reason = state === 'LIVE' ? 'SNAPSHOT' : this.#reasonOf(state);
    this.#state = state;
    this.#epoch = epoch;
    this.#seq = seq;
    this.#isSilent = false;
  }

  #takeDelta(delta: Delta): void {
    const { sink, counters } = this.#parts;
    const { epoch, seq, prevSeq, changes, checksum, venueTime } = delta;
    if (epoch !== this.#epoch || prevSeq !== this.#seq) {
      this.#missed();
      return;
    }
    if (!this.#refine(changes)) {
      this.lose('OFF_GRID');
      return;
    }
    const { id: book } = this;
    sink.receivedAt = delta.receivedAt;
    sink.begin(book);
    for (const { side, price, size } of changes) sink.set(book, side, price, size);
    if (!this.#agrees(checksum)) return;
    if (!sink.commit(book, venueTime)) {
      this.#crossed();
      return;
    }
    counters.count(COUNTER.deltas);
    this.#seq = seq;
  }

  /** Inside a batch. False: the publisher's book is another one, and the batch is abandoned. */
  #agrees(checksum: number): boolean {
    const { sink, counters } = this.#parts;
    if (sink.checksum(this.id) === checksum) {
      counters.count(COUNTER.hashesVerified);
      return true;
    }
    counters.count(COUNTER.hashMismatches);
    sink.abandon(this.id, 'HASH_MISMATCH');
    this.#abandoned('HASH_MISMATCH');
    return false;
  }

  #crossed(): void {
    this.#parts.counters.count(COUNTER.crossed);
    this.#abandoned('CROSSED');
  }

  /** The sink has emptied the book, and announced it. */
  #abandoned(reason: StateReason): void {
    this.#state = 'RESYNCING';
    this.#reason = reason;
    this.lose(reason);
  }

  #takeTrade({ price, size, takerSide, venueTime, receivedAt, tradeId }: Trade): void {
    const { sink, counters } = this.#parts;
    counters.count(COUNTER.trades);
    sink.receivedAt = receivedAt;
    sink.trade(this.id, PRIMARY, price, size, takerSide, venueTime, tradeId);
  }

  #takeState({ state, reason }: StateMessage): void {
    const known = STATE_REASONS.includes(reason) ? reason : 'VENUE_ERROR';
    this.#parts.outdateFacts();
    if (state === 'RESYNCING') {
      this.#epoch = 0;
      this.#seq = 0;
      this.#show(state, known);
    } else if (this.#epoch !== 0) this.#show(state, known);
    else {
      // The state comes before the snapshot that has it.
      this.#state = state;
      this.#reason = known;
    }
  }

  #show(state: BookState, reason: StateReason): void {
    this.#state = state;
    this.#reason = reason;
    this.#isSilent = false;
    this.#parts.sink.setState(this.id, state, reason);
  }

  /** A snapshot does not say why its book is in its state; a state before it does. */
  #reasonOf(state: BookState): StateReason {
    return this.#state === state ? this.#reason : REASONS[state];
  }

  /** Makes a slot for each price. False: there is no room for a finer ladder. */
  #refine(levels: readonly { readonly price: Ticks }[]): boolean {
    let step: number = this.#step;
    for (const { price } of levels) step = greatestCommonDivisor(step, price);
    if (step === this.#step) return true;
    if (!this.#parts.sink.regrid(this.id, step as Ticks)) return false;
    this.#parts.outdateFacts();
    this.#step = step as Ticks;
    return true;
  }
}

const REASONS: Readonly<Record<BookState, StateReason>> = {
  RESYNCING: 'OPENING',
  LIVE: 'SNAPSHOT',
  STALE: 'SILENCE',
  HALTED: 'MARKET_PAUSED',
  CLOSED: 'MARKET_CLOSED',
};

/** Whether a stream may begin with it: all that came before is void. */
function isBeginning(message: ServerMessage): boolean {
  return message.type === 'snapshot' || (message.type === 'state' && message.state === 'RESYNCING');
}
