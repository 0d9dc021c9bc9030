// The state of a market's book in doubt: from a hash mismatch until the stream or a REST book settles it. It holds every change since then,
// so that no change is lost, and places a REST book in the stream. Cold path of venue A's feed thread.

import type { Side, View } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { BookDocument } from './book-document.ts';
import { HASH_HEX_LENGTH, type PriceChanges } from './price-changes.ts';
import { viewOfSlot } from './token-table.ts';

export interface PendingChange {
  readonly view: View;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly priceText: string;
  readonly sizeText: string;
  /** The venue's hash of the token's book after this change. */
  readonly hash: string;
  readonly timestamp: string;
}

/** The place of a book in the stream: before `pending[number]`, ahead of everything received so far, or unknown. */
type Placement = number | 'AHEAD' | 'NOWHERE';

export class Doubt {
  readonly pending: PendingChange[] = [];
  /** The unproven document from which the images were made. Null if the images were right before the first pending change. */
  readonly base: BookDocument | null;
  /** The venue's time of the book that was published before the doubt. */
  readonly #shownTime: number;

  constructor(base: BookDocument | null, shownTime = 0) {
    this.base = base;
    this.#shownTime = shownTime;
  }

  /** Holds changes back. Returns false if too many are pending. */
  add(bytes: Uint8Array, changes: PriceChanges, from: number, to: number): boolean {
    if (this.pending.length + to - from > limits.venueAPendingChangesMax) return false;
    const textAt = (at: number, length: number) => Buffer.from(bytes.subarray(at, at + length)).toString('latin1');
    const timestamp = textAt(changes.timestampAt, changes.timestampLength);
    for (let entry = from; entry < to; entry += 1) {
      this.pending.push({
        view: viewOfSlot(changes.slot(entry)),
        side: changes.side(entry),
        price: changes.price(entry),
        size: changes.size(entry),
        priceText: textAt(changes.priceAt(entry), changes.priceLength(entry)),
        sizeText: textAt(changes.sizeAt(entry), changes.sizeLength(entry)),
        hash: textAt(changes.hashAt(entry), HASH_HEX_LENGTH),
        timestamp,
      });
    }
    return true;
  }

  /**
   * Places a token's book in the stream. The venue hashes REST books and the stream alike, so a hash identifies a state exactly. A book
   * with an unknown hash counts as a state that the stream has yet to reach, unless the book is older than the stream.
   */
  place(view: View, document: BookDocument): Placement {
    const { pending, base } = this;
    const index = pending.findLastIndex(change => change.view === view && change.hash === document.hash);
    if (index >= 0) return index + 1;
    if (base?.hash === document.hash) return 0;
    const newest = Number(pending.at(-1)?.timestamp ?? base?.timestamp ?? this.#shownTime);
    return Number(document.timestamp) >= newest ? 'AHEAD' : 'NOWHERE';
  }
}
