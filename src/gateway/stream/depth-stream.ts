// The best levels of one book, for all subscribers of one depth (docs/PROTOCOL.md). The stream sends only changes within that depth. Each
// message names the sequence number of the message before it, and the checksum of the shown levels. A level that other levels push out of
// the depth is sent as removed. A level that moves into the depth is sent as added. Main thread.

import { ASK, BID, type BookState, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { Change, Snapshot } from '../../core/wire/messages.ts';
import { CHECKSUM_DEPTH, checksumLevels } from '../../market-data/book/checksum.ts';
import { BookCopy, levelsOf, type SideCopy } from '../../market-data/book/reader.ts';
import { type SnapshotWaiter, type StreamBook, snapshotMessage } from './book.ts';
import type { Outlets } from './outlets.ts';

/** Copies the best levels of a book, as many as the copy holds. Returns false if the book cannot be read now. */
export type ReadBook = (book: StreamBook, copy: BookCopy) => boolean;

export class DepthStream {
  readonly outlets: Outlets;
  readonly waiters = new Set<SnapshotWaiter>();
  readonly #book: StreamBook;
  readonly #depth: number;
  /** The levels that subscribers have. They are valid only while `#isShown` is true. */
  #shown: BookCopy;
  #next: BookCopy;
  #isShown = false;
  /** The state that subscribers have. It may be older than the levels, because the levels are read ahead of the tape. */
  #sentState: BookState = 'RESYNCING';
  /** The time of the last message, in Unix milliseconds. */
  #lastMessageAt = 0;

  constructor(book: StreamBook, depth: number, outlets: Outlets) {
    this.#book = book;
    this.#depth = depth;
    this.outlets = outlets;
    this.#shown = new BookCopy(depth);
    this.#next = new BookCopy(depth);
  }

  /** Notes a state that subscribers were sent. After RESYNCING their levels are invalid, and a snapshot comes next. */
  noteSentState(state: BookState): void {
    this.#sentState = state;
    if (state === 'RESYNCING') this.#isShown = false;
  }

  /** Whether a change at this price can change the shown levels. */
  isTouchedBy(side: Side, price: Ticks): boolean {
    if (!this.#isShown) return true;
    const { count, prices } = side === BID ? this.#shown.bids : this.#shown.asks;
    if (count < this.#depth) return true;
    return side === BID ? price >= prices[count - 1]! : price <= prices[count - 1]!;
  }

  /** Sends the changes since the last message, and returns their size in bytes. Returns null if the book cannot be read now. */
  refresh(read: ReadBook, now: UnixMillis): number | null {
    if (this.outlets.isEmpty && this.waiters.size === 0) {
      this.#isShown = false;
      return 0;
    }
    return this.#refresh(read, now);
  }

  /**
   * The snapshot for a new subscriber. The next message of the stream follows it. Returns null if the book has no levels to trust, or
   * cannot be read now.
   */
  snapshot(read: ReadBook, now: UnixMillis): Snapshot | null {
    this.#refresh(read, now);
    return this.#isShown ? this.#snapshot() : null;
  }

  /** Sends a heartbeat with the stream's position if the stream has been quiet. */
  beat(isQuiet: (saidAt: number) => boolean, now: UnixMillis): void {
    if (!this.#isShown || !isQuiet(this.#lastMessageAt)) return;
    const { epoch, seq } = this.#shown;
    this.#lastMessageAt = now;
    this.outlets.send({ type: 'heartbeat', books: [{ market: this.#book.market, epoch, seq }] });
  }

  #refresh(read: ReadBook, now: UnixMillis): number | null {
    const next = this.#next;
    if (!read(this.#book, next)) return null;
    if (next.state === 'RESYNCING') {
      this.#isShown = false;
      return 0;
    }
    const isAnother = !this.#isShown || next.epoch !== this.#shown.epoch || next.state !== this.#sentState;
    if (isAnother) return this.#begin(now);
    const changes = [...changesOf(BID, this.#shown.bids, next.bids), ...changesOf(ASK, this.#shown.asks, next.asks)];
    if (changes.length === 0) return 0;
    const prevSeq = this.#shown.seq;
    this.#take(now);
    const { epoch, seq, venueTime, receivedAt } = this.#shown;
    return this.outlets.send({
      type: 'delta',
      market: this.#book.market,
      epoch,
      seq,
      prevSeq,
      changes,
      checksum: this.#checksum(),
      venueTime: venueTime as UnixMillis,
      receivedAt: receivedAt as UnixMillis,
    });
  }

  #begin(now: UnixMillis): number {
    this.#take(now);
    this.#isShown = true;
    this.#sentState = this.#shown.state;
    const bytes = this.outlets.send(this.#snapshot());
    for (const waiter of [...this.waiters]) waiter.onSnapshot(this.#book);
    return bytes;
  }

  #take(now: UnixMillis): void {
    [this.#shown, this.#next] = [this.#next, this.#shown];
    this.#lastMessageAt = now;
  }

  #snapshot(): Snapshot {
    return { ...snapshotMessage(this.#book.market, this.#shown), checksum: this.#checksum() };
  }

  #checksum(): number {
    const { bids, asks, checksum } = this.#shown;
    return this.#depth >= CHECKSUM_DEPTH ? checksum : checksumLevels(levelsOf(bids), levelsOf(asks));
  }
}

/** The changes that turn one copied side into another, best level first. */
function changesOf(side: Side, before: SideCopy, after: SideCopy): readonly Change[] {
  const changes: Change[] = [];
  let [old, now] = [0, 0];
  while (old < before.count || now < after.count) {
    const order = orderOf(side, before, old, after, now);
    if (order < 0) {
      changes.push({ side, price: before.prices[old]! as Ticks, size: 0 as MicroShares });
      old += 1;
      continue;
    }
    const [price, size] = [after.prices[now]! as Ticks, after.sizes[now]! as MicroShares];
    if (order > 0 || size !== before.sizes[old]!) changes.push({ side, price, size });
    if (order === 0) old += 1;
    now += 1;
  }
  return changes;
}

/**
 * Compares the next old level with the next new level. Below 0, the old level is better, so it is gone. Above 0, the new level is better. 0
 * means that both have the same price.
 */
function orderOf(side: Side, before: SideCopy, old: number, after: SideCopy, now: number): number {
  if (old === before.count) return 1;
  if (now === after.count) return -1;
  const distance = before.prices[old]! - after.prices[now]!;
  return side === BID ? -distance : distance;
}
