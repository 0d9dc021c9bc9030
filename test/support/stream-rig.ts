// The publishing half of the gateway on real sockets, with the books written by the test itself: every turn of the tape is
// the test's decision, so that joins, gaps and laps happen exactly where they are meant to.

import { createArena, regionOf } from '../../src/book/memory.ts';
import { BookWriter } from '../../src/book/writer.ts';
import { ASK, BID, type BookId, type MarketKey, PRIMARY, type Venue } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { type Publish, VenueStream } from '../../src/gateway/stream.ts';
import { StreamBooks } from '../../src/gateway/stream-books.ts';
import { STREAM_CODECS, StreamClients } from '../../src/gateway/stream-clients.ts';
import { limits } from '../../src/limits.ts';
import { listen } from '../../src/net/listen.ts';
import { connectWebSocket } from '../../src/net/websocket.ts';
import type { FeedRefusal } from '../../src/venues/feed.ts';
import type { StreamCodec } from '../../src/wire/codec.ts';
import type { ClientMessage, ServerMessage } from '../../src/wire/messages.ts';

export const TICKER = 'KXTEST-26NOV21AAABBB-AAA';
export const MARKET: MarketKey = { venue: 'venue_b', ticker: TICKER };
const VENUE = 'venue_b' satisfies Venue;

export interface Rig {
  readonly url: string;
  readonly writer: BookWriter;
  readonly stream: VenueStream;
  readonly clients: StreamClients;
  /** Tickers that were given back upstream. */
  readonly unsubscribed: string[];
  /** Refusals by ticker; every other ticker gets a book. */
  readonly refusals: Map<string, FeedRefusal>;
  /** The feed's answer for tickers that are wanted now; it is also given by itself unless `isPaused`. */
  answer(ticker: string): BookId;
  bookOf(ticker: string): BookId;
  /** Replaces a book by one level a side: a new epoch. */
  snapshot(ticker: string, bid: number, ask: number): void;
  /** One committed change of one level, sizes in whole shares. */
  change(ticker: string, side: 'bid' | 'ask', price: number, shares: number): void;
  close(): void;
}

/** Starts it. `answersByItself: false` leaves it to the test when the feed knows a market. */
export async function startRig({ answersByItself = true, lingerMs = 0 } = {}): Promise<Rig> {
  const region = regionOf(createArena(), VENUE);
  const books = new Map<string, BookId>();
  const unsubscribed: string[] = [];
  const refusals = new Map<string, FeedRefusal>();
  let publish: Publish = () => {};
  const writer = new BookWriter(region, () => queueMicrotask(() => stream.drain()));
  writer.receivedAt = 1_790_000_000_000 as UnixMillis;
  const registry = new StreamBooks(
    STREAM_CODECS,
    {
      subscribe: (_venue, ticker) => {
        if (answersByItself) queueMicrotask(() => settle(ticker));
      },
      unsubscribe: (_venue, ticker) => {
        unsubscribed.push(ticker);
        const book = books.get(ticker);
        if (book !== undefined) writer.releaseBook(book);
        books.delete(ticker);
      },
    },
    lingerMs,
  );
  const now = (): UnixMillis => Date.now() as UnixMillis;
  const stream: VenueStream = new VenueStream({
    venue: VENUE,
    region,
    books: registry,
    publish: (topic, frame, isBinary) => publish(topic, frame, isBinary),
    now,
    yieldTo: task => setImmediate(task),
  });
  const settle = (ticker: string): BookId => {
    const refusal = refusals.get(ticker);
    const book = books.get(ticker) ?? writer.openBook(100 as Ticks);
    if (book === null) throw new Error('no book left');
    if (refusal === undefined) {
      books.set(ticker, book);
      writer.setViews(book, true, false);
    }
    const bound = registry.settle(VENUE, ticker, refusal ?? { book, view: PRIMARY });
    if (bound !== null) stream.continueWithSnapshot(bound);
    return book;
  };
  const clients = new StreamClients({ books: registry, streams: { venue_a: stream, venue_b: stream }, now });
  const listener = await listen({ host: '127.0.0.1', port: 0, http: [], sockets: [clients.route] });
  publish = listener.publish;
  const bookOf = (ticker: string): BookId => {
    const book = books.get(ticker);
    if (book === undefined) throw new Error(`${ticker} has no book`);
    return book;
  };
  return {
    url: `ws://127.0.0.1:${listener.port}/v1/orderbook`,
    writer,
    stream,
    clients,
    unsubscribed,
    refusals,
    answer: settle,
    bookOf,
    snapshot: (ticker, bid, ask) => {
      const book = bookOf(ticker);
      writer.begin(book);
      writer.clear(book);
      writer.set(book, BID, bid as Ticks, 10_000_000 as MicroShares);
      writer.set(book, ASK, ask as Ticks, 10_000_000 as MicroShares);
      writer.commitSnapshot(book, 1_790_000_000_000 as UnixMillis);
    },
    change: (ticker, side, price, shares) => {
      const book = bookOf(ticker);
      writer.begin(book);
      writer.set(book, side === 'bid' ? BID : ASK, price as Ticks, (shares * 1_000_000) as MicroShares);
      writer.commit(book, 1_790_000_000_001 as UnixMillis);
    },
    close: () => {
      registry.close();
      listener.close();
    },
  };
}

type MessageOf<T, Message = ServerMessage> = Message extends { type: infer Type }
  ? T extends Type
    ? Message
    : never
  : never;

/** A bare client: what it heard, and a way to wait for what it will hear. */
export class RigClient {
  readonly heard: ServerMessage[] = [];
  closedWith: string | null = null;
  readonly #codec: StreamCodec;
  readonly #socket: { send(data: string | Uint8Array): void; terminate(): void };
  readonly #waiting = new Set<() => void>();

  private constructor(codec: StreamCodec, url: string, opened: () => void) {
    this.#codec = codec;
    this.#socket = connectWebSocket(
      {
        url,
        headers: {},
        subprotocols: [codec.subprotocol],
        handshakeTimeoutMs: limits.upstreamHandshakeMs,
        frameBytesMax: limits.upstreamFrameBytesMax,
      },
      {
        onOpen: opened,
        onFrame: data => {
          this.heard.push(codec.decodeServer(Uint8Array.from(data)));
          this.#tell();
        },
        onPing: () => {},
        onClose: detail => {
          this.closedWith = detail;
          this.#tell();
        },
      },
    );
  }

  static connect(rig: { readonly url: string }, codec: StreamCodec = STREAM_CODECS[0]!): Promise<RigClient> {
    return new Promise(resolve => {
      const client: RigClient = new RigClient(codec, rig.url, () => resolve(client));
    });
  }

  say(message: ClientMessage): void {
    const frame = this.#codec.encodeClient(message);
    this.#socket.send(this.#codec.isBinary ? frame : Buffer.from(frame).toString());
  }

  subscribe(id: string, channel: 'book' | 'trade', ...tickers: readonly string[]): void {
    const markets = tickers.map(ticker => ({ market: { venue: VENUE, ticker } as const, side: null }));
    this.say({ op: 'subscribe', id, channel, markets });
  }

  /** Resolves with the first message, heard already or yet to come, that `matches`. */
  async hear<T extends ServerMessage['type']>(
    type: T,
    matches: (message: MessageOf<T>) => boolean = () => true,
  ): Promise<MessageOf<T>> {
    const isIt = (message: ServerMessage): boolean => message.type === type && matches(message as MessageOf<T>);
    await this.until(() => this.heard.some(isIt));
    return this.heard.find(isIt) as MessageOf<T>;
  }

  /** Resolves as soon as `condition` holds after something was heard; the test's time-out is the deadline. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise(resolve => {
      const look = (): void => {
        if (!condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  close(): void {
    this.#socket.terminate();
  }

  #tell(): void {
    for (const look of [...this.#waiting]) look();
  }
}
