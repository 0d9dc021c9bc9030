// One book as subscribers know it: its market, its place in shared memory, the position of its published stream, and its topics. Main
// thread.

import {
  type BookId,
  type BookState,
  type MarketKey,
  marketAddress,
  type StateReason,
  type Venue,
  type View,
} from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { MarketTemplate, Snapshot, StreamCodec } from '../../core/wire/messages.ts';
import { type BookCopy, levelsOf } from '../../market-data/book/reader.ts';
import type { QueueBook } from './queue-book.ts';

/** The part of a book that belongs to one codec: its topics and its reused buffers. */
interface BookOutlet {
  readonly codec: StreamCodec;
  readonly template: MarketTemplate;
  readonly bookTopic: string;
  readonly tradeTopic: string;
  /** The topic of states. Subscribers of both channels get each state once. */
  readonly stateTopic: string;
  /**
   * The number of subscriptions through this codec. `book` counts those of the whole book, `depth` those of its best levels. Nothing is
   * encoded for a codec without subscriptions.
   */
  readonly subscribers: Record<'book' | 'trade' | 'depth', number>;
}

/** A session that waits for the book's first snapshot. */
export interface SnapshotWaiter {
  onSnapshot(book: StreamBook): void;
}

export class StreamBook {
  readonly market: MarketKey;
  readonly venue: Venue;
  readonly address: string;
  /** The beginning of all topic names of the book. */
  readonly topicPrefix: string;
  readonly outlets: readonly BookOutlet[];
  readonly waiters = new Set<SnapshotWaiter>();

  /** The book's place in shared memory. Null until the feed knows the market. */
  binding: { readonly book: BookId; readonly view: View } | null = null;
  /** The time since which the feed has the market. Earlier changes of the market's terms were not reported. */
  boundAt = 0 as UnixMillis;
  /** The position of the published stream. Epoch 0 means that nothing was published since the book was bound. */
  epoch = 0;
  seq = 0;
  state: BookState = 'RESYNCING';
  reason: StateReason = 'OPENING';
  /** The first epoch of the present binding. Tape records of earlier epochs belong to the book that had the place before. */
  firstEpoch = 0;
  /** The time in Unix milliseconds of the last message on the book channel. Quiet books get heartbeats. */
  lastMessageAt = 0;
  /** The number of times in a row that the feed failed to describe the book while it was in use. */
  refusals = 0;
  /** The number of uses of the book, one for each channel of each connection. */
  users = 0;
  /**
   * The levels at which own orders rest whose queues are followed. Null means that no queue of the book is followed, which is the usual
   * case.
   */
  queue: QueueBook | null = null;

  constructor(market: MarketKey, index: number, codecs: readonly StreamCodec[]) {
    this.market = market;
    this.venue = market.venue;
    this.address = marketAddress(market);
    this.topicPrefix = String(index);
    this.outlets = codecs.map((codec, position) => ({
      codec,
      template: codec.template(market),
      bookTopic: `${index}b${position}`,
      tradeTopic: `${index}t${position}`,
      stateTopic: `${index}s${position}`,
      subscribers: { book: 0, trade: 0, depth: 0 },
    }));
  }

  outletOf(codec: StreamCodec): BookOutlet {
    const outlet = this.outlets.find(candidate => candidate.codec === codec);
    if (outlet === undefined) throw new Error(`no outlet for ${codec.subprotocol}`);
    return outlet;
  }

  /** Whether clients can use the book's levels now. */
  get isPublished(): boolean {
    return this.epoch !== 0;
  }

  /** Makes the levels invalid until the next snapshot. */
  withdraw(): void {
    this.epoch = 0;
    this.seq = 0;
    this.state = 'RESYNCING';
  }
}

/** Turns a copied book into the message for subscribers. */
export function snapshotMessage(market: MarketKey, copy: BookCopy): Snapshot {
  return {
    type: 'snapshot',
    market,
    epoch: copy.epoch,
    seq: copy.seq,
    state: copy.state,
    bids: levelsOf(copy.bids),
    asks: levelsOf(copy.asks),
    checksum: copy.checksum,
    venueTime: copy.venueTime as UnixMillis,
    receivedAt: copy.receivedAt as UnixMillis,
  };
}
