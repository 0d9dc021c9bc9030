// A reader's book. The messages of the market's subject are applied as long as no message is missing and every checksum matches. Otherwise
// the book is RESYNCING until a snapshot, or STALE while nothing is heard. The book never shows levels that may be wrong as LIVE. Feed
// threads of a reader.

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
  /** Called when the state or the grid of the market has changed, so that its order terms may have changed. */
  readonly expireFacts: () => void;
}

/** The step of a new ladder, which has a slot for each cent. A price between two cents needs a finer ladder. */
export const FIRST_STEP = 100 as Ticks;

type StateMessage = Extract<ServerMessage, { type: 'state' }>;

export class RelayedBook {
  readonly id: BookId;
  /** The time of the last message on the market's subject, in monotonic milliseconds. */
  lastMessageAt: number;
  readonly #parts: RelayedBookParts;
  #step = FIRST_STEP;
  /** The number of the last message, if no message since the last snapshot is missing. Null means that a snapshot is needed. */
  #number: number | null = null;
  #hasBegun = false;
  /** The epoch of the publisher's book; `#seq` likewise. Epoch 0 means that this book has no levels. */
  #epoch = 0;
  #seq = 0;
  /** The state that the publisher shows. */
  #state: BookState = 'RESYNCING';
  #reason: StateReason = 'OPENING';
  #isSilent = false;

  /** `id` is the id of a book that was just opened with FIRST_STEP. */
  constructor(id: BookId, parts: RelayedBookParts) {
    this.id = id;
    this.#parts = parts;
    this.lastMessageAt = parts.elapsed();
  }

  /** Whether the book waits for a snapshot, which the caller must request. */
  get needsSnapshot(): boolean {
    return this.#number === null;
  }

  /** Takes the next message of the market's subject. */
  take({ number, lastTrade, message }: Relayed): void {
    this.lastMessageAt = this.#parts.elapsed();
    const isNext = this.#number !== null && number === this.#number + 1;
    if (!isNext && !isBeginning(message)) {
      if (this.#number !== null) this.#handleGap();
      return;
    }
    if (!isNext && this.#hasBegun) this.#parts.sink.tradesMissed(this.id);
    this.#number = number;
    this.#hasBegun = true;
    this.#apply(message, lastTrade);
    if (this.#isSilent && this.#number !== null) this.#resume();
  }

  /**
   * Drops the levels until the next snapshot, because they may be wrong. A market that is over keeps its last levels, because they do not
   * change any more.
   */
  dropLevels(reason: StateReason): void {
    this.#number = null;
    if (this.#state === 'CLOSED') return;
    this.#epoch = 0;
    this.#seq = 0;
    this.#isSilent = false;
    this.#parts.counters.count(COUNTER.resyncs);
    this.#show('RESYNCING', reason);
  }

  /** Marks the book as STALE, because the publisher was silent for too long. The levels are the last known ones. */
  markSilent(): void {
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
        if (position?.epoch !== this.#epoch || position.seq !== this.#seq) this.#handleGap();
        return;
      }
      case 'error':
        if (message.code === 'TRADES_MISSED') this.#parts.sink.tradesMissed(this.id);
        return;
      default:
      // A message of another kind is ignored: this version does not know the kind, or it does not belong on a market's subject.
    }
  }

  #handleGap(): void {
    this.#parts.counters.count(COUNTER.sequenceGaps);
    this.dropLevels('SEQUENCE_GAP');
  }

  #takeSnapshot(snapshot: Snapshot, lastTrade: Ticks): void {
    const { sink, counters } = this.#parts;
    const { epoch, seq, state, bids, asks, checksum, venueTime } = snapshot;
    // A snapshot of the same position changes nothing: another reader has requested it.
    if (epoch === this.#epoch && seq === this.#seq && state === this.#state) return;
    if (state === 'RESYNCING' || !this.#refine([...bids, ...asks])) {
      this.dropLevels(state === 'RESYNCING' ? 'OPENING' : 'OFF_GRID');
      return;
    }
    const { id: book } = this;
    sink.receivedAt = snapshot.receivedAt;
    // A state other than LIVE is set first, so that no reader sees the book as LIVE in between.
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
      this.#handleGap();
      return;
    }
    if (!this.#refine(changes)) {
      this.dropLevels('OFF_GRID');
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

  /**
   * Compares checksums; call this inside a batch. Returns false if the publisher's book differs from this book; the batch is then
   * abandoned.
   */
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

  /** Loses the book after a failed batch. The sink has emptied the book, and announced it, already. */
  #abandoned(reason: StateReason): void {
    this.#state = 'RESYNCING';
    this.#reason = reason;
    this.dropLevels(reason);
  }

  #takeTrade({ price, size, takerSide, venueTime, receivedAt, tradeId }: Trade): void {
    const { sink, counters } = this.#parts;
    counters.count(COUNTER.trades);
    sink.receivedAt = receivedAt;
    sink.trade(this.id, PRIMARY, price, size, takerSide, venueTime, tradeId);
  }

  #takeState({ state, reason }: StateMessage): void {
    const known = STATE_REASONS.includes(reason) ? reason : 'VENUE_ERROR';
    this.#parts.expireFacts();
    if (state === 'RESYNCING') {
      this.#epoch = 0;
      this.#seq = 0;
      this.#show(state, known);
    } else if (this.#epoch !== 0) this.#show(state, known);
    else {
      // The book has no levels yet: the snapshot with this state follows.
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

  /** Returns the reason of a snapshot's state. A snapshot does not state its reason; a state message before it does. */
  #reasonOf(state: BookState): StateReason {
    return this.#state === state ? this.#reason : REASONS[state];
  }

  /** Makes the ladder fine enough to have a slot for each price. Returns false if there is no room for a finer ladder. */
  #refine(levels: readonly { readonly price: Ticks }[]): boolean {
    let step: number = this.#step;
    for (const { price } of levels) step = greatestCommonDivisor(step, price);
    if (step === this.#step) return true;
    if (!this.#parts.sink.regrid(this.id, step as Ticks)) return false;
    this.#parts.expireFacts();
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

/** Whether a stream may begin with this message, which makes all earlier messages void. */
function isBeginning(message: ServerMessage): boolean {
  return message.type === 'snapshot' || (message.type === 'state' && message.state === 'RESYNCING');
}
