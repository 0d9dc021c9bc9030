// The markets that one connection follows: the sources of their channels, the topics that the connection receives, and the snapshots that
// it is owed. Main thread.

import type { Channel, ServerMessage } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import type { SnapshotWaiter, StreamBook } from './book.ts';
import { type Source, stateOf } from './sources.ts';

interface SubscriptionParts {
  readonly connection: { subscribe(topic: string): void; unsubscribe(topic: string): void };
  readonly pace: SnapshotPace;
  /** Returns the size of the message in bytes. */
  readonly send: (message: ServerMessage) => number;
  readonly isClosed: () => boolean;
}

type Sources = Map<Channel, Source>;

export class MarketSubscriptions implements SnapshotWaiter {
  readonly owedSnapshots = new OwedSnapshots();
  readonly #parts: SubscriptionParts;
  readonly #sources = new Map<StreamBook, Sources>();
  /**
   * The topics that the connection receives. They are the topics of its sources, except suspended sources and sources whose first message
   * is not sent yet.
   */
  readonly #topics = new Set<string>();
  /**
   * The subscriptions to trades that were made a second time. They keep their topic, so that no trade is missed, but the book's state must
   * be sent again.
   */
  readonly #stateless = new Set<Source>();

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** The number of followed markets. */
  get count(): number {
    return this.#sources.size;
  }

  has(book: StreamBook, channel?: Channel): boolean {
    const sources = this.#sources.get(book);
    return sources !== undefined && (channel === undefined || sources.has(channel));
  }

  /** Adds a subscription, or replaces the subscription of the same channel. Returns false if it replaced one. */
  hold(book: StreamBook, source: Source): boolean {
    const sources: Sources = this.#sources.get(book) ?? new Map();
    this.#sources.set(book, sources);
    const before = sources.get(source.channel);
    // A second subscription to quotes begins again even if its interval is the same, because its first message is due.
    if (before !== undefined && (before.topic !== source.topic || source.channel === 'quote')) {
      before.waiters?.delete(this);
      this.#leave(book, before);
    } else if (before !== undefined && source.channel === 'trade') {
      this.#stateless.delete(before);
      this.#stateless.add(source);
    }
    sources.set(source.channel, source);
    before?.release();
    return before === undefined;
  }

  /** Ends the subscription to a channel of a book. */
  drop(book: StreamBook, channel: Channel): void {
    const sources = this.#sources.get(book);
    const source = sources?.get(channel);
    if (source === undefined) return;
    this.#leave(book, source);
    this.#stateless.delete(source);
    if (channel === 'book') this.onSnapshot(book);
    sources?.delete(channel);
    if (sources?.size === 0) this.#sources.delete(book);
    source.release();
  }

  /** Ends all subscriptions. Calls `dropped` for each channel of each book. */
  dropAll(dropped: (book: StreamBook) => void): void {
    for (const [book, sources] of [...this.#sources]) {
      for (const channel of [...sources.keys()]) {
        this.drop(book, channel);
        dropped(book);
      }
    }
  }

  /** Stops all messages by topic. The subscriptions stay and can be started again. */
  suspend(): void {
    for (const [book, sources] of this.#sources) {
      for (const source of sources.values()) {
        source.waiters?.delete(this);
        this.#leave(book, source);
      }
    }
  }

  /** Starts the waiting subscriptions while `hasRoom` returns true. Returns false if some are left. */
  admitAll(hasRoom: () => boolean): boolean {
    for (const [book, sources] of this.#sources) {
      if (!hasRoom()) return false;
      for (const channel of sources.keys()) this.admit(book, channel);
    }
    return true;
  }

  /**
   * Starts a channel: sends its first message, then subscribes the connection to its topic. If the channel is started already, sends the
   * snapshot that is owed.
   */
  admit(book: StreamBook, channel: Channel): void {
    const source = this.#sources.get(book)?.get(channel);
    if (source === undefined) return;
    const isNew = !this.#topics.has(source.topic);
    const owesState = this.#stateless.delete(source);
    if (channel === 'book') {
      if (isNew || this.owedSnapshots.has(book)) this.deliverSnapshot(book);
    } else if ((isNew || owesState) && !(channel === 'trade' && this.has(book, 'book'))) {
      const first = source.first();
      if (first !== null) this.#parts.send(first);
    }
    if (isNew) this.#enter(source);
  }

  /**
   * Sends the book's current snapshot, or else the state that explains the delay. Must be called before the connection is subscribed to the
   * topic.
   */
  deliverSnapshot(book: StreamBook): void {
    const source = this.#sources.get(book)?.get('book');
    if (source === undefined || this.#parts.isClosed()) return;
    const snapshot = source.first();
    if (snapshot !== null) {
      this.#parts.pace.count(this.#parts.send(snapshot));
      this.onSnapshot(book);
      return;
    }
    source.waiters?.add(this);
    if (!book.isPublished) this.#parts.send(stateOf(book));
  }

  /** Is called when a book that this client waits for has published a snapshot. */
  onSnapshot(book: StreamBook): void {
    this.#sources.get(book)?.get('book')?.waiters?.delete(this);
    for (const id of this.owedSnapshots.settle(book)) this.#parts.send({ type: 'snapshotsDone', id });
  }

  /** Subscribes the connection to the source's topic. */
  #enter(source: Source): void {
    // The last message may have closed the connection. Nothing would then unsubscribe it from the topic.
    if (this.#parts.isClosed()) return;
    this.#topics.add(source.topic);
    this.#parts.connection.subscribe(source.topic);
    if (source.stateTopic !== null) this.#parts.connection.subscribe(source.stateTopic);
    source.count(1);
  }

  #leave(book: StreamBook, source: Source): void {
    if (!this.#topics.delete(source.topic)) return;
    this.#parts.connection.unsubscribe(source.topic);
    source.count(-1);
    const { stateTopic } = source;
    const others = [...(this.#sources.get(book)?.values() ?? [])].filter(it => it !== source);
    const isStateShared = others.some(it => it.stateTopic === stateTopic && this.#topics.has(it.topic));
    if (stateTopic !== null && !isStateShared) this.#parts.connection.unsubscribe(stateTopic);
  }
}

interface OwedRequest {
  /** The id that the client has given the request. A client may use an id several times. */
  readonly id: string;
  readonly books: Set<StreamBook>;
}

/** The snapshot requests of one connection whose snapshots are not all sent. */
export class OwedSnapshots {
  readonly #requests = new Set<OwedRequest>();

  /** The number of requests that wait for a venue and may then need snapshots. */
  reserved = 0;

  /** Whether one more request is within `snapshotsOwedMax`. */
  get hasRoom(): boolean {
    return this.#requests.size + this.reserved < limits.snapshotsOwedMax;
  }

  add(id: string, books: Iterable<StreamBook>): void {
    this.#requests.add({ id, books: new Set(books) });
  }

  has(book: StreamBook): boolean {
    for (const { books } of this.#requests) if (books.has(book)) return true;
    return false;
  }

  /** Notes that the book's snapshot was sent or is no longer needed. Returns the ids of the requests that are now complete. */
  settle(book: StreamBook): readonly string[] {
    const done: string[] = [];
    for (const request of this.#requests) {
      if (!request.books.delete(book) || request.books.size > 0) continue;
      this.#requests.delete(request);
      done.push(request.id);
    }
    return done;
  }
}

/** The least number of bytes that a snapshot counts for. The fixed cost of a snapshot equals the cost of sending this many bytes. */
const SNAPSHOT_BYTES_MIN = 4 * 1024;

/**
 * Bounds the snapshots that one client gets before other sockets have their turn. A returning bot requests a thousand books at once.
 * Without a bound all of them would be read, encoded and sent in one go.
 */
export class SnapshotPace {
  readonly #yieldTo: (task: () => void) => void;
  readonly #onTurn: () => void;
  #bytes = 0;

  /** `yieldTo` calls its argument after other sockets have had their turn. `onTurn` is called when there is room again. */
  constructor(yieldTo: (task: () => void) => void, onTurn: () => void) {
    this.#yieldTo = yieldTo;
    this.#onTurn = onTurn;
  }

  /** Whether another snapshot may go out in this turn. */
  get hasRoom(): boolean {
    return this.#bytes < limits.snapshotBytesPerTurn;
  }

  /** Counts a snapshot that was sent. */
  count(bytes: number): void {
    if (this.#bytes === 0) this.#yieldTo(() => this.#beginTurn());
    this.#bytes += Math.max(bytes, SNAPSHOT_BYTES_MIN);
  }

  #beginTurn(): void {
    this.#bytes = 0;
    this.#onTurn();
  }
}
