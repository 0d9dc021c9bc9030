// The stream of one venue without sockets: a real writer, real books and sessions, and connections in memory. The test decides when the
// tape is drained and when time passes.

import { type BookId, type MarketKey, PRIMARY } from '../../src/core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Connection } from '../../src/core/net/listen.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { ClientMessage, ServerMessage, StreamCodec } from '../../src/core/wire/messages.ts';
import type { OutcomeHub } from '../../src/gateway/outcomes/outcome-hub.ts';
import { StreamBooks } from '../../src/gateway/stream/books.ts';
import { STREAM_CODECS } from '../../src/gateway/stream/clients.ts';
import { StreamSession } from '../../src/gateway/stream/session.ts';
import { VenueStream } from '../../src/gateway/stream/venue-stream.ts';
import { BookIndexWriter } from '../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../../src/market-data/book/memory.ts';
import { BookWriter } from '../../src/market-data/book/writer.ts';
import { ANYBODY } from './stream-rig.ts';
import { VirtualTimers } from './virtual-timers.ts';

/** Makes books of venue B in memory of their own, which no feed fills. */
export function memoryBooks(receivedAt: UnixMillis) {
  const arena = createArena();
  const region = regionOf(arena, 'venue_b');
  const writer = new BookWriter(region, () => {});
  writer.receivedAt = receivedAt;
  const source = { subscribe() {}, unsubscribe() {} };
  const books = new StreamBooks(STREAM_CODECS, source, new BookIndexWriter(indexOf(arena)), 0);
  return { region, writer, books };
}

export class MemoryStream {
  readonly timers = new VirtualTimers();
  readonly writer: BookWriter;
  readonly books: StreamBooks;
  readonly stream: VenueStream;
  readonly #sockets = new Set<MemorySocket>();
  readonly #tasks: (() => void)[] = [];

  constructor() {
    const { region, writer, books } = memoryBooks(this.timers.now());
    this.writer = writer;
    this.books = books;
    this.stream = new VenueStream({
      venue: 'venue_b',
      region,
      books: this.books,
      publish: (topic, frame) => this.publish(topic, frame),
      suspendLaggards: () => {},
      now: () => this.timers.now(),
      yieldTo: task => void this.#tasks.push(task),
      timers: this.timers,
    });
  }

  /** Opens a book, and binds it to a market that is subscribed. */
  open(ticker: string): BookId {
    const book = this.writer.openBook(100 as Ticks);
    if (book === null) throw new Error('no book left');
    this.writer.setViews(book, true, false);
    const bound = this.books.settle('venue_b', ticker, { book, view: PRIMARY });
    if (bound !== null) this.stream.begin(bound);
    return book;
  }

  publish(topic: string, frame: Uint8Array): void {
    for (const socket of this.#sockets) if (socket.topics.has(topic)) socket.send(frame);
  }

  connect(codec: StreamCodec = jsonCodec, outcomes?: OutcomeHub): MemoryClient {
    const socket = new MemorySocket(codec);
    this.#sockets.add(socket);
    const session = new StreamSession(
      {
        codec,
        key: ANYBODY,
        orders: null,
        takeRead: () => true,
        nowMs: () => this.timers.elapsed(),
        yieldTo: task => void this.#tasks.push(task),
        books: this.books,
        streams: { venue_a: this.stream, venue_b: this.stream },
        ...(outcomes === undefined ? {} : { outcomes }),
      },
      socket,
    );
    return new MemoryClient(session, socket);
  }

  /** Publishes everything that was written, and all messages that follow from it. */
  drain(): void {
    this.stream.drain();
    this.turn();
  }

  /** Does the work that was put off until other sockets had their turn. */
  turn(): void {
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) task();
  }

  /** Ends the timers of books without users. */
  close(): void {
    this.books.close();
  }
}

export class MemoryClient {
  readonly session: StreamSession;
  readonly #socket: MemorySocket;

  constructor(session: StreamSession, socket: MemorySocket) {
    this.session = session;
    this.#socket = socket;
  }

  get heard(): readonly ServerMessage[] {
    return this.#socket.heard;
  }

  /** Resolves when the stream has handled the message. */
  async say(message: ClientMessage): Promise<void> {
    this.session.receive(this.#socket.codec.encodeClient(message));
    await new Promise(resolve => setImmediate(resolve));
  }

  /** Returns the messages since the last call. */
  take(): readonly ServerMessage[] {
    return this.#socket.heard.splice(0);
  }
}

export function named(ticker: string): { readonly market: MarketKey; readonly side: null } {
  return { market: { venue: 'venue_b', ticker }, side: null };
}

class MemorySocket implements Connection<null> {
  readonly context = null;
  readonly topics = new Set<string>();
  readonly heard: ServerMessage[] = [];
  readonly codec: StreamCodec;

  constructor(codec: StreamCodec) {
    this.codec = codec;
  }

  send(frame: Uint8Array): boolean {
    this.heard.push(this.codec.decodeServer(Uint8Array.from(frame)));
    return true;
  }

  ping(): void {}
  batch(task: () => void): void {
    task();
  }

  subscribe(topic: string): void {
    this.topics.add(topic);
  }

  unsubscribe(topic: string): void {
    this.topics.delete(topic);
  }

  bufferedBytes(): number {
    return 0;
  }

  end(): void {
    this.topics.clear();
  }

  terminate(): void {
    this.topics.clear();
  }
}
