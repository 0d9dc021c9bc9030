// A subscriber's book, either whole or with its best levels. Applies a snapshot and every later delta, and compares the checksum of each
// message (contract §8). A book that cannot be trusted is empty, because no bot should trade on levels that may be wrong.

import { BID, type BookState, type Level, type MarketKey } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Change, Delta, Snapshot } from '../../core/wire/messages.ts';
import { checksumLevels } from '../../market-data/book/checksum.ts';
import { deriveNo, type Sides } from '../../market-data/book/derive-no.ts';

/**
 * Result of an update:
 * `applied`   the book equals the server's at that sequence, by its checksum;
 * `ignored`   the book is newer already, or waits for a snapshot;
 * `gap`       an earlier update is missing;
 * `checksum`  the levels differ from the server's.
 * After the last two the book is empty and waits for a snapshot.
 */
export type Outcome = 'applied' | 'ignored' | 'gap' | 'checksum';

export class LocalBook {
  readonly market: MarketKey;
  #bids: Level[] = [];
  #asks: Level[] = [];
  #isSynced = false;
  #state: BookState = 'RESYNCING';
  #epoch = 0;
  #seq = 0;
  #venueTime = 0 as UnixMillis;

  constructor(market: MarketKey) {
    this.market = market;
  }

  /** Whether the levels equal the server's levels. If not, the book is empty. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** The state of the book at the server. Trade only while it is LIVE. */
  get state(): BookState {
    return this.#state;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get seq(): number {
    return this.#seq;
  }

  /** The venue's time of the last update. 0 means that the venue stated no time. */
  get venueTime(): UnixMillis {
    return this.#venueTime;
  }

  /** The bids, best level first. The next update changes this array. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  /** The asks, best level first. The next update changes this array. */
  get asks(): readonly Level[] {
    return this.#asks;
  }

  get bestBid(): Level | null {
    return this.#bids[0] ?? null;
  }

  get bestAsk(): Level | null {
    return this.#asks[0] ?? null;
  }

  /** The book of the other outcome: NO bid = 1 − YES ask, NO ask = 1 − YES bid, with the same sizes. */
  no(): Sides {
    return deriveNo(this);
  }

  apply(update: Snapshot | Delta): Outcome {
    return update.type === 'snapshot' ? this.#replace(update) : this.#follow(update);
  }

  /**
   * Applies a state message. If the server rebuilds the book, the book is empty until the snapshot of the new epoch. A book without levels
   * gets its state with its snapshot.
   */
  setState(state: BookState): void {
    if (state === 'RESYNCING') this.reset();
    else if (this.#isSynced) this.#state = state;
  }

  /** Whether the server has published more than has arrived, according to a heartbeat. */
  isBehind(epoch: number, seq: number): boolean {
    return this.#isSynced && (epoch > this.#epoch || (epoch === this.#epoch && seq > this.#seq));
  }

  /** Drops the levels and waits for a snapshot. Called after a gap, after a lost connection, and when the market is unsubscribed. */
  reset(): void {
    this.#isSynced = false;
    this.#state = 'RESYNCING';
    this.#bids = [];
    this.#asks = [];
  }

  #replace(snapshot: Snapshot): Outcome {
    this.#bids = [...snapshot.bids];
    this.#asks = [...snapshot.asks];
    this.#epoch = snapshot.epoch;
    this.#state = snapshot.state;
    this.#isSynced = true;
    return this.#verify(snapshot);
  }

  #follow(delta: Delta): Outcome {
    const { epoch, seq, prevSeq } = delta;
    if (!this.#isSynced || epoch < this.#epoch || (epoch === this.#epoch && seq <= this.#seq)) return 'ignored';
    if (epoch !== this.#epoch || prevSeq !== this.#seq) return this.#invalidate('gap');
    for (const change of delta.changes) this.#change(change);
    return this.#verify(delta);
  }

  #verify({ seq, venueTime, checksum }: Snapshot | Delta): Outcome {
    this.#seq = seq;
    this.#venueTime = venueTime;
    return checksumLevels(this.#bids, this.#asks) === checksum ? 'applied' : this.#invalidate('checksum');
  }

  #invalidate(outcome: Outcome): Outcome {
    this.reset();
    return outcome;
  }

  #change({ side, price, size }: Change): void {
    const levels = side === BID ? this.#bids : this.#asks;
    // The best level comes first, so bids descend and asks ascend.
    const found = levels.findIndex(level => (side === BID ? level.price <= price : level.price >= price));
    const at = found === -1 ? levels.length : found;
    const isThere = levels[at]?.price === price;
    if (size === 0) levels.splice(at, isThere ? 1 : 0);
    else levels.splice(at, isThere ? 1 : 0, { price, size });
  }
}
