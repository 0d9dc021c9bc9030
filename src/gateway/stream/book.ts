// One book as subscribers know it: a market's name, where its levels are in shared memory, how far its published stream
// has come, and the topics that carry it. Main thread.

import {
  type BookId,
  type BookState,
  type MarketKey,
  marketAddress,
  type StateReason,
  type Venue,
  type View,
} from '../../domain/market.ts';
import type { MarketTemplate, StreamCodec } from '../../wire/codec.ts';
import type { Channel } from '../../wire/messages.ts';

/** A codec's share of a book: its topics and its reused buffers. */
export interface BookOutlet {
  readonly codec: StreamCodec;
  readonly template: MarketTemplate;
  readonly bookTopic: string;
  readonly tradeTopic: string;
  /** States go to whoever has either channel, once. */
  readonly stateTopic: string;
  /** Subscriptions through this codec, by channel: nothing is encoded for nobody. */
  readonly subscribers: Record<Channel, number>;
}

/** Somebody who has asked for the book and waits for its first snapshot. */
export interface SnapshotWaiter {
  onSnapshot(book: StreamBook): void;
}

export class StreamBook {
  readonly market: MarketKey;
  readonly venue: Venue;
  readonly address: string;
  readonly outlets: readonly BookOutlet[];
  readonly waiters = new Set<SnapshotWaiter>();

  /** Where its levels are; null until the feed knows the market. */
  binding: { readonly book: BookId; readonly view: View } | null = null;
  /** Position of the published stream; epoch 0: nothing has been published since the book was bound. */
  epoch = 0;
  seq = 0;
  state: BookState = 'RESYNCING';
  reason: StateReason = 'OPENING';
  /** Of its binding: what the tape says of earlier epochs is about whoever had the place before. */
  firstEpoch = 0;
  /** Unix ms of the last message on the book channel: quiet books get heartbeats. */
  saidAt = 0;
  /** Times in a row that its feed could not describe it though it is in use. */
  refusals = 0;
  /** How many (connection, channel) pairs want it. */
  wanted = 0;

  constructor(market: MarketKey, index: number, codecs: readonly StreamCodec[]) {
    this.market = market;
    this.venue = market.venue;
    this.address = marketAddress(market);
    this.outlets = codecs.map((codec, position) => ({
      codec,
      template: codec.template(market),
      bookTopic: `${index}b${position}`,
      tradeTopic: `${index}t${position}`,
      stateTopic: `${index}s${position}`,
      subscribers: { book: 0, trade: 0 },
    }));
  }

  outletOf(codec: StreamCodec): BookOutlet {
    const outlet = this.outlets.find(candidate => candidate.codec === codec);
    if (outlet === undefined) throw new Error(`no outlet for ${codec.subprotocol}`);
    return outlet;
  }

  /** Whether its levels mean something to a client now. */
  get isPublished(): boolean {
    return this.epoch !== 0;
  }

  /** Its levels mean nothing until the next snapshot. */
  withdraw(): void {
    this.epoch = 0;
    this.seq = 0;
    this.state = 'RESYNCING';
  }
}
