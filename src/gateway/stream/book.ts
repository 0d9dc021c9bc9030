// One book as subscribers know it: its market, its place in shared memory, the position of its published stream, and
// its topics. Main thread.

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

/** A codec's part of a book: its topics and reused buffers. */
interface BookOutlet {
  readonly codec: StreamCodec;
  readonly template: MarketTemplate;
  readonly bookTopic: string;
  readonly tradeTopic: string;
  /** The topic of states: subscribers of both channels get each state once. */
  readonly stateTopic: string;
  /** Subscriptions through this codec, `book` to the whole book, `depth` to a part: without any nothing is encoded. */
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
  /** Begins the names of all its topics. */
  readonly topicPrefix: string;
  readonly outlets: readonly BookOutlet[];
  readonly waiters = new Set<SnapshotWaiter>();

  /** The book's place in shared memory; null until the feed knows the market. */
  binding: { readonly book: BookId; readonly view: View } | null = null;
  /** The time since which the feed has the market: an earlier change of its terms was not reported. */
  boundAt = 0 as UnixMillis;
  /** Position of the published stream; epoch 0: nothing published since the book was bound. */
  epoch = 0;
  seq = 0;
  state: BookState = 'RESYNCING';
  reason: StateReason = 'OPENING';
  /** First epoch of its binding: tape records of earlier epochs belong to the previous book in its place. */
  firstEpoch = 0;
  /** Unix milliseconds of the last message on the book channel: quiet books get heartbeats. */
  saidAt = 0;
  /** How often in a row its feed failed to describe it while it is in use. */
  refusals = 0;
  /** Number of (connection, channel) pairs that use it. */
  wanted = 0;
  /** Levels at which own orders rest whose queues are followed; null as a rule. */
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

  /** Whether clients can use its levels now. */
  get isPublished(): boolean {
    return this.epoch !== 0;
  }

  /** The levels are invalid until the next snapshot. */
  withdraw(): void {
    this.epoch = 0;
    this.seq = 0;
    this.state = 'RESYNCING';
  }
}

/** A copied book as the message for subscribers. */
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
