// A subscriber's book: a snapshot, and every delta since, folded into levels and checked against the checksum of each
// message (contract §8). A book that cannot be trusted is empty: no bot should trade on levels that might be wrong.

import { checksumLevels } from '../book/checksum.ts';
import { deriveNo, type Sides } from '../book/derive-no.ts';
import { BID, type BookState, type Level, type MarketKey } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { Change, Delta, Snapshot } from '../wire/messages.ts';

/**
 * What became of an update:
 * `applied`   the book is as the server's was at that moment, by its checksum;
 * `ignored`   the book was past it already, or waits for a snapshot;
 * `gap`       an update before it is missing;
 * `checksum`  the levels are not those that the server has.
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

  /** Whether the levels are those of the server. Without it they are empty. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** What the server says of the book: trade on LIVE only. */
  get state(): BookState {
    return this.#state;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get seq(): number {
    return this.#seq;
  }

  /** The venue's time of the last update, 0 if it stated none. */
  get venueTime(): UnixMillis {
    return this.#venueTime;
  }

  /** Best first. Changes with the next update. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  /** Best first. Changes with the next update. */
  get asks(): readonly Level[] {
    return this.#asks;
  }

  get bestBid(): Level | null {
    return this.#bids[0] ?? null;
  }

  get bestAsk(): Level | null {
    return this.#asks[0] ?? null;
  }

  /** The other outcome's book: NO bid = 1 − YES ask, NO ask = 1 − YES bid, sizes unchanged. */
  no(): Sides {
    return deriveNo(this);
  }

  apply(update: Snapshot | Delta): Outcome {
    return update.type === 'snapshot' ? this.#replace(update) : this.#follow(update);
  }

  /**
   * A state message. A book that the server is rebuilding is empty until the snapshot of its new epoch; one that has no levels yet gets its
   * state with them.
   */
  setState(state: BookState): void {
    if (state === 'RESYNCING') this.reset();
    else if (this.#isSynced) this.#state = state;
  }

  /** Whether the server has published more than has arrived here: what a heartbeat tells. */
  isBehind(epoch: number, seq: number): boolean {
    return this.#isSynced && (epoch > this.#epoch || (epoch === this.#epoch && seq > this.#seq));
  }

  /** Forgets the levels and waits for a snapshot: after a gap, when the connection is lost, and for good when nobody wants the market any more. */
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
    const { epoch, seq } = delta;
    if (!this.#isSynced || epoch < this.#epoch || (epoch === this.#epoch && seq <= this.#seq)) return 'ignored';
    if (epoch !== this.#epoch || seq !== this.#seq + 1) return this.#lose('gap');
    for (const change of delta.changes) this.#change(change);
    return this.#verify(delta);
  }

  #verify({ seq, venueTime, checksum }: Snapshot | Delta): Outcome {
    this.#seq = seq;
    this.#venueTime = venueTime;
    return checksumLevels(this.#bids, this.#asks) === checksum ? 'applied' : this.#lose('checksum');
  }

  #lose(outcome: Outcome): Outcome {
    this.reset();
    return outcome;
  }

  #change({ side, price, size }: Change): void {
    const levels = side === BID ? this.#bids : this.#asks;
    // Best first: bids fall, asks rise.
    const found = levels.findIndex(level => (side === BID ? level.price <= price : level.price >= price));
    const at = found === -1 ? levels.length : found;
    const isThere = levels[at]?.price === price;
    if (size === 0) levels.splice(at, isThere ? 1 : 0);
    else levels.splice(at, isThere ? 1 : 0, { price, size });
  }
}
