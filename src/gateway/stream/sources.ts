// The source of one subscription's messages: a first message for this subscription, then the messages of a topic. Main thread.

import type { BookState } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Channel, ChannelOptions, ServerMessage, StreamCodec } from '../../core/wire/messages.ts';
import type { SnapshotWaiter, StreamBook } from './book.ts';
import type { VenueStream } from './venue-stream.ts';

export interface Source {
  readonly channel: Channel;
  readonly topic: string;
  /** The topic of the book's states. Null means that the messages themselves carry the state. */
  readonly stateTopic: string | null;
  /** The sessions whose first message is late. Null means that a first message is never owed. */
  readonly waiters: Set<SnapshotWaiter> | null;
  /** Changes the number of the topic's subscribers. Nothing is encoded for a topic without subscribers. */
  count(change: 1 | -1): void;
  /** The message for a new subscriber before the topic's messages. Returns null if the message comes later. */
  first(): ServerMessage | null;
  /** Must be called once, when the subscription has ended. */
  release(): void;
}

/** The returned source must be released once. */
export function sourceOf(
  stream: VenueStream,
  book: StreamBook,
  codec: StreamCodec,
  channel: Channel,
  { depth, minIntervalMs }: ChannelOptions,
): Source {
  switch (channel) {
    case 'book':
      return depth === undefined ? wholeBookSource(stream, book, codec) : bestLevelsSource(stream, book, codec, depth);
    case 'trade':
      return tradeSource(book, codec);
    case 'quote':
      return quoteSource(stream, book, codec, minIntervalMs ?? 0);
    default:
      return unreachable(channel);
  }
}

export function stateOf({ market, state, reason }: StreamBook): ServerMessage & { readonly state: BookState } {
  return { type: 'state', market, state, reason };
}

function wholeBookSource(stream: VenueStream, book: StreamBook, codec: StreamCodec): Source {
  const { bookTopic, stateTopic, subscribers } = book.outletOf(codec);
  return {
    channel: 'book',
    topic: bookTopic,
    stateTopic,
    waiters: book.waiters,
    count: change => {
      subscribers.book += change;
    },
    first: () => stream.snapshotAtPosition(book),
    release: () => {},
  };
}

function bestLevelsSource({ tops }: VenueStream, book: StreamBook, codec: StreamCodec, depth: number): Source {
  const stream = tops.depth(book, depth);
  const outlet = stream.outlets.of(codec);
  const { stateTopic, subscribers } = book.outletOf(codec);
  return {
    channel: 'book',
    topic: outlet.topic,
    stateTopic,
    waiters: stream.waiters,
    count: change => {
      outlet.subscribers += change;
      subscribers.depth += change;
    },
    first: () => tops.firstOf(stream),
    release: () => tops.releaseDepth(book, depth),
  };
}

function tradeSource(book: StreamBook, codec: StreamCodec): Source {
  const { tradeTopic, stateTopic, subscribers } = book.outletOf(codec);
  return {
    channel: 'trade',
    topic: tradeTopic,
    stateTopic,
    waiters: null,
    count: change => {
      subscribers.trade += change;
    },
    first: () => stateOf(book),
    release: () => {},
  };
}

function quoteSource({ tops }: VenueStream, book: StreamBook, codec: StreamCodec, intervalMs: number): Source {
  const stream = tops.quotes(book, intervalMs);
  const outlet = stream.outlets.of(codec);
  return {
    channel: 'quote',
    topic: outlet.topic,
    stateTopic: null,
    waiters: null,
    count: change => {
      outlet.subscribers += change;
    },
    first: () => tops.firstQuote(book, stream),
    release: () => tops.releaseQuotes(book, intervalMs),
  };
}
