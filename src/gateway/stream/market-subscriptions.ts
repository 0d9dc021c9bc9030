// The markets that one connection follows: the sources of their channels, the topics that it receives, and the snapshots that it is owed.
// Main thread.

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
  readonly owed = new OwedSnapshots();
  readonly #parts: SubscriptionParts;
  readonly #sources = new Map<StreamBook, Sources>();
  /** Topics that the connection receives: those of its sources, except suspended ones and those without a first message. */
  readonly #topics = new Set<string>();
  /** Subscriptions to trades that began again. They keep their topic, so that no trade is missed, and owe the state. */
  readonly #stateless = new Set<Source>();

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** The number of markets. */
  get count(): number {
    return this.#sources.size;
  }

  has(book: StreamBook, channel?: Channel): boolean {
    const sources = this.#sources.get(book);
    return sources !== undefined && (channel === undefined || sources.has(channel));
  }

  /** Adds a subscription, or replaces the one of the channel. False if the book had a subscription of the channel. */
  hold(book: StreamBook, source: Source): boolean {
    const sources: Sources = this.#sources.get(book) ?? new Map();
    this.#sources.set(book, sources);
    const before = sources.get(source.channel);
    // A second subscription to quotes with the same interval begins again, too: its first message is due.
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

  /** Removes a channel of a book, which is subscribed. */
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

  /** Removes all; calls `dropped` for each channel of each book. */
  dropAll(dropped: (book: StreamBook) => void): void {
    for (const [book, sources] of [...this.#sources]) {
      for (const channel of [...sources.keys()]) {
        this.drop(book, channel);
        dropped(book);
      }
    }
  }

  /** From now on the connection gets nothing by topic. */
  suspend(): void {
    for (const [book, sources] of this.#sources) {
      for (const source of sources.values()) {
        source.waiters?.delete(this);
        this.#leave(book, source);
      }
    }
  }

  /** Starts the waiting subscriptions, while `hasRoom`; false if some are left. */
  admitAll(hasRoom: () => boolean): boolean {
    for (const [book, sources] of this.#sources) {
      if (!hasRoom()) return false;
      for (const channel of sources.keys()) this.admit(book, channel);
    }
    return true;
  }

  /** Starts a channel with its first message, then the topic. Or sends a missing snapshot. */
  admit(book: StreamBook, channel: Channel): void {
    const source = this.#sources.get(book)?.get(channel);
    if (source === undefined) return;
    const isNew = !this.#topics.has(source.topic);
    const owesState = this.#stateless.delete(source);
    if (channel === 'book') {
      if (isNew || this.owed.has(book)) this.deliverSnapshot(book);
    } else if ((isNew || owesState) && !(channel === 'trade' && this.has(book, 'book'))) {
      const first = source.first();
      if (first !== null) this.#parts.send(first);
    }
    if (isNew) this.#enter(source);
  }

  /** Sends the book's current snapshot, or the state that delays it. Call before entering its topic. */
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

  /** A book that this client waits for has published a snapshot. */
  onSnapshot(book: StreamBook): void {
    this.#sources.get(book)?.get('book')?.waiters?.delete(this);
    for (const id of this.owed.settle(book)) this.#parts.send({ type: 'snapshotsDone', id });
  }

  /** From now on the source's messages come by topic. */
  #enter(source: Source): void {
    // The last message may have closed it: nothing would unsubscribe it from the topic.
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

interface Owed {
  /** The client's id of the request; a client may use one several times. */
  readonly id: string;
  readonly books: Set<StreamBook>;
}

/** Snapshot requests of one connection whose first snapshots are not all sent. */
export class OwedSnapshots {
  readonly #requests = new Set<Owed>();

  /** Requests that wait for a venue and may then need snapshots. */
  reserved = 0;

  /** Whether one more request fits `snapshotsOwedMax`. */
  get hasRoom(): boolean {
    return this.#requests.size + this.reserved < limits.snapshotsOwedMax;
  }

  owe(id: string, books: Iterable<StreamBook>): void {
    this.#requests.add({ id, books: new Set(books) });
  }

  has(book: StreamBook): boolean {
    for (const { books } of this.#requests) if (books.has(book)) return true;
    return false;
  }

  /** The book's snapshot was sent or is no longer needed. Returns the ids of requests that are complete. */
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

/** The fixed cost of a snapshot equals that of so many bytes. */
const SNAPSHOT_BYTES_MIN = 4 * 1024;

/**
 * Bounds the snapshots that one client gets before other sockets have their turn. A returning bot asks for a thousand books at once.
 * Without a bound they would be read, encoded and sent in one go.
 */
export class SnapshotPace {
  readonly #yieldTo: (task: () => void) => void;
  readonly #onTurn: () => void;
  #bytes = 0;

  /** `yieldTo` calls after other sockets have had their turn; `onTurn` is called when there is room again. */
  constructor(yieldTo: (task: () => void) => void, onTurn: () => void) {
    this.#yieldTo = yieldTo;
    this.#onTurn = onTurn;
  }

  /** Whether another snapshot may go out in this turn. */
  get hasRoom(): boolean {
    return this.#bytes < limits.snapshotBytesPerTurn;
  }

  /** Counts a sent snapshot. */
  count(bytes: number): void {
    if (this.#bytes === 0) this.#yieldTo(() => this.#beginTurn());
    this.#bytes += Math.max(bytes, SNAPSHOT_BYTES_MIN);
  }

  #beginTurn(): void {
    this.#bytes = 0;
    this.#onTurn();
  }
}
