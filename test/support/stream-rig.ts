// The publishing half of the gateway on real sockets, with the books written by the test itself. The test decides on every turn of the
// tape, so that joins, gaps and laps happen exactly where the test wants them.

import type { SigningKey } from '../../src/core/domain/identity.ts';
import { ASK, BID, type BookId, type MarketKey, PRIMARY, type Venue } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { ok } from '../../src/core/domain/result.ts';
import { listen } from '../../src/core/net/listen.ts';
import { connectWebSocket } from '../../src/core/net/websocket.ts';
import type { Channel, ClientMessage, ServerMessage, StreamCodec } from '../../src/core/wire/messages.ts';
import { StreamBooks } from '../../src/gateway/stream/books.ts';
import { STREAM_CODECS, StreamClients } from '../../src/gateway/stream/clients.ts';
import type { OrderHub } from '../../src/gateway/stream/order-hub.ts';
import type { Publish } from '../../src/gateway/stream/outlets.ts';
import { VenueStream } from '../../src/gateway/stream/venue-stream.ts';
import { limits, type RateLimit } from '../../src/limits.ts';
import { BookIndexWriter } from '../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../../src/market-data/book/memory.ts';
import { BookWriter } from '../../src/market-data/book/writer.ts';
import type { FeedRefusal } from '../../src/venues/feed.ts';

export const TICKER = 'KXTEST-26NOV21AAABBB-AAA';
export const MARKET: MarketKey = { venue: 'venue_b', ticker: TICKER };
const VENUE = 'venue_b' satisfies Venue;

/** A signing key with both scopes. Its secret belongs to nobody. */
export const ANYBODY: SigningKey = {
  keyId: 'key_0000000000000001',
  actorId: 'actor',
  podId: 'pod',
  publicKeyHex: '00'.repeat(32),
  scopes: ['read', 'trade'],
  addresses: [],
  label: '',
  createdAt: 0 as UnixMillis,
  revokedAt: null,
};

export interface Rig {
  readonly url: string;
  readonly writer: BookWriter;
  readonly stream: VenueStream;
  readonly clients: StreamClients;
  /** The tickers that were given back upstream. */
  readonly unsubscribed: string[];
  /** The refusals by ticker. Every other ticker gets a book. */
  readonly refusals: Map<string, FeedRefusal>;
  /** Gives the feed's answer for tickers that are wanted now. Unless `isPaused`, the feed also answers by itself. */
  answer(ticker: string): BookId;
  bookOf(ticker: string): BookId;
  /** Makes the feed give the book back. The next book that the feed opens takes its place. */
  withdraw(ticker: string): void;
  /** Replaces a book by one level per side: a new epoch. */
  snapshot(ticker: string, bid: number, ask: number): void;
  /** Commits one change of one level. Sizes are in whole shares. */
  change(ticker: string, side: 'bid' | 'ask', price: number, shares: number): void;
  close(): void;
}

const NO_ORDERS: OrderHub | null = null;

/** Starts the rig. With `answersByItself: false` the test decides when the feed knows a market. */
export async function startRig({
  answersByItself = true,
  lingerMs = 0,
  orders = NO_ORDERS,
  connectionsMax = limits.connectionsMax as number,
  streamsPerKeyMax = limits.streamsPerKeyMax as number,
  uncounted = { perS: limits.streamUncountedPerS, burstMax: limits.streamUncountedBurstMax } as RateLimit,
} = {}): Promise<Rig> {
  const feed = new RigFeed(lingerMs, answersByItself);
  const clients = new StreamClients({
    books: feed.registry,
    streams: { venue_a: feed.stream, venue_b: feed.stream },
    orders,
    yieldTo: setImmediate,
    nowMs: () => performance.now(),
    connectionsMax,
    streamsPerKeyMax,
    uncounted,
    admit: request => ok({ ...ANYBODY, keyId: request.header('svc-key-id') || ANYBODY.keyId }),
    seal: (_request, reply) => reply,
    stamps: () => [],
    rates: () => [],
    takeRead: () => true,
  });
  const listener = await listen({ host: '127.0.0.1', port: 0, http: [], sockets: [clients.route] });
  feed.publish = listener.publish;
  feed.suspendLaggards = () => clients.patrolAll();
  return {
    url: `ws://127.0.0.1:${listener.port}/v1/orderbook`,
    clients,
    writer: feed.writer,
    stream: feed.stream,
    unsubscribed: feed.unsubscribed,
    refusals: feed.refusals,
    answer: ticker => feed.settle(ticker),
    bookOf: ticker => feed.bookOf(ticker),
    withdraw: ticker => feed.release(ticker),
    snapshot: (ticker, bid, ask) => feed.snapshot(ticker, bid, ask),
    change: (ticker, side, price, shares) => feed.change(ticker, side, price, shares),
    close: () => {
      feed.registry.close();
      listener.close();
    },
  };
}

/** A feed whose venue is the test: it knows every ticker that is not refused. */
class RigFeed {
  readonly unsubscribed: string[] = [];
  readonly refusals = new Map<string, FeedRefusal>();
  readonly arena = createArena();
  readonly writer: BookWriter;
  readonly registry: StreamBooks;
  readonly stream: VenueStream;
  publish: Publish = () => {};
  suspendLaggards: () => void = () => {};
  readonly #books = new Map<string, BookId>();

  constructor(lingerMs: number, answersByItself: boolean) {
    const region = regionOf(this.arena, VENUE);
    this.writer = new BookWriter(region, () => queueMicrotask(() => this.stream.drain()));
    this.writer.receivedAt = 1_790_000_000_000 as UnixMillis;
    this.registry = new StreamBooks(
      STREAM_CODECS,
      {
        subscribe: (_venue, ticker) => {
          if (answersByItself) queueMicrotask(() => this.settle(ticker));
        },
        unsubscribe: (_venue, ticker) => this.release(ticker),
      },
      new BookIndexWriter(indexOf(this.arena)),
      lingerMs,
    );
    this.stream = new VenueStream({
      venue: VENUE,
      region,
      books: this.registry,
      publish: (topic, frame, isBinary) => this.publish(topic, frame, isBinary),
      suspendLaggards: () => this.suspendLaggards(),
      now: wallClock,
      yieldTo: task => setImmediate(task),
    });
  }

  settle(ticker: string): BookId {
    const refusal = this.refusals.get(ticker);
    const book = this.#books.get(ticker) ?? this.writer.openBook(100 as Ticks);
    if (book === null) throw new Error('no book left');
    if (refusal === undefined) {
      this.#books.set(ticker, book);
      this.writer.setViews(book, true, false);
    }
    const bound = this.registry.settle(VENUE, ticker, refusal ?? { book, view: PRIMARY });
    if (bound !== null) this.stream.begin(bound);
    return book;
  }

  bookOf(ticker: string): BookId {
    const book = this.#books.get(ticker);
    if (book === undefined) throw new Error(`${ticker} has no book`);
    return book;
  }

  snapshot(ticker: string, bid: number, ask: number): void {
    const book = this.bookOf(ticker);
    this.writer.begin(book);
    this.writer.clear(book);
    this.writer.set(book, BID, bid as Ticks, 10_000_000 as MicroShares);
    this.writer.set(book, ASK, ask as Ticks, 10_000_000 as MicroShares);
    this.writer.commitSnapshot(book, 1_790_000_000_000 as UnixMillis);
  }

  change(ticker: string, side: 'bid' | 'ask', price: number, shares: number): void {
    const book = this.bookOf(ticker);
    this.writer.begin(book);
    this.writer.set(book, side === 'bid' ? BID : ASK, price as Ticks, (shares * 1_000_000) as MicroShares);
    this.writer.commit(book, 1_790_000_000_001 as UnixMillis);
  }

  release(ticker: string): void {
    this.unsubscribed.push(ticker);
    const book = this.#books.get(ticker);
    if (book !== undefined) this.writer.releaseBook(book);
    this.#books.delete(ticker);
  }
}

function wallClock(): UnixMillis {
  return Date.now() as UnixMillis;
}

type MessageOf<T, Message = ServerMessage> = Message extends { type: infer Type }
  ? T extends Type
    ? Message
    : never
  : never;

/** The address of a stream, and the headers that let a client in. */
export interface StreamAddress {
  readonly url: string;
  readonly upgradeHeaders?: () => Readonly<Record<string, string>>;
}

/** A bare client: the messages that it heard, and a way to wait for later messages. */
export class RigClient {
  readonly heard: ServerMessage[] = [];
  closedWith: string | null = null;
  readonly #codec: StreamCodec;
  readonly #socket: { send(data: string | Uint8Array): void; terminate(): void };
  readonly #waiting = new Set<() => void>();

  private constructor(
    codec: StreamCodec,
    { url, upgradeHeaders }: StreamAddress,
    subprotocols: readonly string[],
    opened: () => void,
  ) {
    this.#codec = codec;
    this.#socket = connectWebSocket(
      {
        url,
        headers: upgradeHeaders?.() ?? {},
        subprotocols,
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

  /** Rejects if the stream is refused. */
  static connect(
    address: StreamAddress,
    codec: StreamCodec = STREAM_CODECS[0]!,
    subprotocols: readonly string[] = [codec.subprotocol],
  ): Promise<RigClient> {
    return new Promise((resolve, reject) => {
      const client: RigClient = new RigClient(codec, address, subprotocols, () => resolve(client));
      client.until(() => false).catch(reject);
    });
  }

  say(message: ClientMessage): void {
    this.send(this.#codec.encodeClient(message));
  }

  /** Sends any bytes. */
  send(bytes: Uint8Array, isBinary = this.#codec.isBinary): void {
    this.#socket.send(isBinary ? bytes : Buffer.from(bytes).toString());
  }

  subscribe(id: string, channel: Channel, ...tickers: readonly string[]): void {
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

  /** Resolves as soon as `condition` holds after a message was heard. Rejects if the connection ends before. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (condition()) resolve();
        else if (this.closedWith !== null) reject(new Error(`the stream ended: ${this.closedWith}`));
        else return;
        this.#waiting.delete(look);
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
