// The markets that one connection follows: the sources of their channels, the topics that it receives, and the snapshots that it is owed.
// Main thread.

import type { Channel, ServerMessage } from '../../wire/messages.ts';
import type { SnapshotWaiter, StreamBook } from './book.ts';
import { OwedSnapshots } from './owed-snapshots.ts';
import type { SnapshotPace } from './snapshot-pace.ts';
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
  /** Topics that it receives: those of its sources, except suspended ones and those without a first message. */
  readonly #topics = new Set<string>();

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** Markets. */
  get count(): number {
    return this.#sources.size;
  }

  has(book: StreamBook, channel?: Channel): boolean {
    const sources = this.#sources.get(book);
    return sources !== undefined && (channel === undefined || sources.has(channel));
  }

  /** Adds a subscription, or replaces that of the channel. False if the book had one of the channel. */
  hold(book: StreamBook, source: Source): boolean {
    const sources: Sources = this.#sources.get(book) ?? new Map();
    this.#sources.set(book, sources);
    const before = sources.get(source.channel);
    if (before !== undefined && before.topic !== source.topic) {
      before.waiters?.delete(this);
      this.#leave(book, before);
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

  /** From here on the connection gets nothing by topic. */
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

  /** Starts a channel: its first message, then the topic. Or sends a missing snapshot. */
  admit(book: StreamBook, channel: Channel): void {
    const source = this.#sources.get(book)?.get(channel);
    if (source === undefined) return;
    const isNew = !this.#topics.has(source.topic);
    if (channel === 'book') {
      if (isNew || this.owed.has(book)) this.deliverSnapshot(book);
    } else if (isNew && !(channel === 'trade' && this.has(book, 'book'))) {
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

  /** From here on the source's messages come by topic. */
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
