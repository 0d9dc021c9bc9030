// The levels of one book at which followed own orders rest, in the frame of the book's view. The venue's stream passes on the records of
// the tape. A book has this object only while a queue in it is followed. Main thread.

import { ASK, BID, type Side, TAKER_BUY, TAKER_UNKNOWN, type TakerSide } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import type { BookCopy, SideCopy } from '../../market-data/book/reader.ts';
import { QueueLevel, type QueuePlace } from './queue-level.ts';

/** A change of a level, or a trade with the level's orders. */
interface LevelChange {
  readonly key: number;
  readonly at: number;
  /** The size of the level before the change. Null means that the size was not known. */
  readonly before: number | null;
  /** For a change, the size of the level after it. For a trade, the traded size. */
  readonly by: number;
  readonly isTrade: boolean;
}

/** The shift that separates side and price in a key. It leaves room for more than the ticks of any price. */
const SIDE_SHIFT = 14;
/** The number of changes in which a new order's arrival is looked for. News of an order comes later than its change in the book. */
const RECENT_CHANGES_MAX = 256;

export class QueueBook {
  /** The owners of the queues that are followed in this book. */
  readonly users = new Set<object>();
  readonly #levels = new Map<number, QueueLevel>();
  /** The displayed size by level. Null means that the book is not known. */
  #shown: Map<number, number> | null;
  /** The position of the book at which `#shown` was read. The tape may still have records from before that position. */
  #epoch: number;
  #seq: number;
  #recentChanges: LevelChange[] = [];
  /** The time since which no change has been missed. */
  #completeSince: number;
  readonly #now: () => number;

  /** `copy` is the present book. Null means that the book is not known. */
  constructor(copy: BookCopy | null, now: () => number) {
    this.#now = now;
    this.#shown = copy === null ? null : sizesOf(copy);
    this.#epoch = copy?.epoch ?? 0;
    this.#seq = copy?.seq ?? 0;
    this.#completeSince = now();
  }

  /** Adds an order that was made at `madeAt`. Its arrival may be among the changes seen so far. Returns the order's level. */
  add(place: QueuePlace, side: Side, price: Ticks, madeAt: number): QueueLevel {
    const key = keyOf(side, price);
    const seen = this.#recentChanges.filter(it => it.key === key);
    if (this.#completeSince > madeAt) place.markArrivalUnseen();
    // News comes later than the book, so the changes since the order was made are played again.
    const past = new QueueLevel(seen.length === 0 ? this.#sizeAt(key) : seen[0]!.before);
    const later = seen.findIndex(it => it.at >= madeAt);
    const isBefore = (index: number): boolean => later === -1 || index < later;
    for (const [index, it] of seen.entries()) if (isBefore(index)) replay(past, it);
    past.add(place);
    for (const [index, it] of seen.entries()) {
      if (isBefore(index)) continue;
      if (!it.isTrade && it.before !== null) place.allowOwnShrink(it.before - it.by);
      replay(past, it);
    }
    const level = this.#levels.get(key) ?? past;
    this.#levels.set(key, level);
    if (level !== past) level.add(place);
    return level;
  }

  /** Removes an order that has ended. */
  drop(place: QueuePlace, side: Side, price: Ticks): void {
    const level = this.#levels.get(keyOf(side, price));
    level?.places.delete(place);
    if (level?.isUnused) this.#levels.delete(keyOf(side, price));
  }

  /** Takes in a change at this position of the book. */
  show(side: Side, price: Ticks, shown: number, epoch: number, seq: number): void {
    if (isBefore(epoch, seq, this.#epoch, this.#seq + 1)) return;
    const key = keyOf(side, price);
    this.#keepChange({ key, at: this.#now(), before: this.#sizeAt(key), by: shown, isTrade: false });
    this.#shown?.set(key, shown);
    this.#levels.get(key)?.show(shown, this.#now());
  }

  /**
   * Takes in a trade at this position of the book. If the venue states no taker side, the resting orders at this price on both sides count
   * as hit.
   */
  trade(price: Ticks, traded: number, taker: TakerSide, epoch: number, seq: number): void {
    if (isBefore(epoch, seq, this.#epoch, this.#seq)) return;
    for (const side of [BID, ASK] as const) {
      if (taker !== TAKER_UNKNOWN && (taker === TAKER_BUY) !== (side === ASK)) continue;
      const key = keyOf(side, price);
      this.#keepChange({ key, at: this.#now(), before: this.#sizeAt(key), by: traded, isTrade: true });
      this.#levels.get(key)?.trade(traded, this.#now());
    }
  }

  /** Takes in a trade of an own order with resting orders of `side`. This book displays neither the own order nor the trade. */
  tradeOwnOrder(side: Side, price: Ticks, by: number): void {
    const key = keyOf(side, price);
    const level = this.#levels.get(key) ?? new QueueLevel(this.#sizeAt(key));
    this.#levels.set(key, level);
    level.tradeOwnOrder(by);
  }

  /** Notes that the book is not known until `restate` is called. */
  lose(): void {
    this.#shown = null;
    this.#recentChanges = [];
    for (const level of this.#levels.values()) level.lose(this.#now());
  }

  restate(copy: BookCopy): void {
    if (this.#shown === null) this.#completeSince = this.#now();
    this.#shown = sizesOf(copy);
    this.#epoch = copy.epoch;
    this.#seq = copy.seq;
    for (const [key, level] of this.#levels) level.show(this.#sizeAt(key) ?? 0, this.#now());
  }

  #sizeAt(key: number): number | null {
    return this.#shown === null ? null : (this.#shown.get(key) ?? 0);
  }

  #keepChange(seen: LevelChange): void {
    this.#recentChanges.push(seen);
    if (this.#recentChanges.length <= RECENT_CHANGES_MAX * 2) return;
    this.#recentChanges = this.#recentChanges.slice(-RECENT_CHANGES_MAX);
    this.#completeSince = this.#recentChanges[0]!.at + 1;
  }
}

function replay(level: QueueLevel, { by, at, isTrade }: LevelChange): void {
  if (isTrade) level.trade(by, at);
  else level.show(by, at);
}

function keyOf(side: Side, price: Ticks): number {
  return (side << SIDE_SHIFT) | price;
}

function isBefore(epoch: number, seq: number, thanEpoch: number, thanSeq: number): boolean {
  return epoch < thanEpoch || (epoch === thanEpoch && seq < thanSeq);
}

function sizesOf({ bids, asks }: BookCopy): Map<number, number> {
  const sizes = new Map<number, number>();
  const take = (side: Side, { count, prices, sizes: of }: SideCopy): void => {
    for (let index = 0; index < count; index++) sizes.set(keyOf(side, prices[index] as Ticks), of[index]!);
  };
  take(BID, bids);
  take(ASK, asks);
  return sizes;
}
