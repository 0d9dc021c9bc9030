// Follows one venue's tape into the shared file: for each record the market's book first, then the record in the ring. So the reader of a
// record finds a book that is at least as new. The shared file's thread.

import type { Venue } from '../../core/domain/market.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { type LevelChanges, type Listed, MarketTape, type TapeMarket, type TapeTrade } from '../book/market-tape.ts';
import type { Arena } from '../book/memory.ts';
import { BookCopy } from '../book/reader.ts';
import { RECORD_RESET, RECORD_STATE, RECORD_TRADES_MISSED, type TapeReader } from '../book/tape-reader.ts';
import { LEVELS } from './layout.ts';
import type { FileEntry, MarketFile } from './market-file.ts';

/** A market's place in the file. */
interface Place {
  readonly entry: FileEntry;
  /** Position of its book in the file. */
  epoch: number;
  seq: number;
}

type Listing = TapeMarket<Place>;

export class TapeFollower {
  /** How often the tape's writer was a whole ring ahead. */
  laps = 0;
  readonly #venue: Venue;
  readonly #file: MarketFile;
  readonly #tape: MarketTape<Place>;
  readonly #copy = new BookCopy(LEVELS);
  /** Their books met a write at every attempt; they are read again. */
  readonly #overdue = new Set<Listing>();

  constructor(venue: Venue, arena: Arena, file: MarketFile) {
    this.#venue = venue;
    this.#file = file;
    this.#tape = new MarketTape<Place>(venue, arena, {
      onChanges: (listing, changes, tape, checksum) => this.#writeBatch(listing, changes, tape, checksum),
      onMark: (listing, tape) => this.#writeMark(listing, tape),
      onTrade: (listing, trade) => this.#writeTrade(listing, trade),
      onLap: () => this.#resynchronise(),
    });
  }

  get markets(): number {
    return this.#tape.size;
  }

  list(address: string, binding: FeedSubscription): Listed {
    this.unlist(address);
    const listed = this.#tape.list(address, binding, () => {
      const entry = this.#file.list(this.#venue, address);
      return entry && { entry, epoch: 0, seq: 0 };
    });
    const listing = this.#tape.get(address);
    if (listing === undefined) return listed;
    this.#renew(listing);
    this.#file.announce(listing.own.entry);
    return listed;
  }

  unlist(address: string): void {
    const listing = this.#tape.unlist(address);
    if (listing === undefined) return;
    this.#overdue.delete(listing);
    this.#file.unlist(listing.own.entry);
  }

  /** Writes the tape's records, at most a turn's worth. False if there were none. */
  follow(): boolean {
    for (const listing of this.#overdue) this.#renew(listing);
    return this.#tape.follow();
  }

  /** Writes its book as it is now. False: the book is no longer this market's, and nothing was written. */
  #renew(listing: Listing): boolean {
    const copy = this.#copy;
    const isRead = this.#tape.read(listing, copy);
    // The check comes after reading: the book leaves the index before it goes to another market.
    if (!this.#tape.isHeld(listing)) return false;
    if (isRead) {
      const { own } = listing;
      this.#file.writeBook(own.entry, copy);
      own.epoch = copy.epoch;
      own.seq = copy.seq;
      this.#overdue.delete(listing);
    } else this.#overdue.add(listing);
    return true;
  }

  #writeBatch(listing: Listing, changes: LevelChanges, tape: TapeReader, checksum: number): void {
    const { entry, epoch, seq } = listing.own;
    const hasIt = tape.epoch < epoch || (tape.epoch === epoch && tape.seq <= seq);
    if (!(hasIt ? this.#tape.isHeld(listing) : this.#renew(listing))) return;
    const { count, sides, prices, sizes } = changes;
    for (let index = 0; index < count; index++) {
      const last = index === count - 1 ? tape : null;
      this.#file.change(entry, sides[index]!, prices[index]!, sizes[index]!, last, checksum);
    }
  }

  #writeMark(listing: Listing, tape: TapeReader): void {
    if (!this.#renew(listing)) return;
    const { entry } = listing.own;
    if (tape.kind === RECORD_STATE) this.#file.mark(entry, RECORD_STATE, tape, tape.stateCode, tape.reasonCode);
    else this.#file.mark(entry, tape.kind, tape);
  }

  #writeTrade(listing: Listing, { takerSide, price, size, venueTime, receivedAt, tradeId }: TapeTrade): void {
    if (!this.#renew(listing)) return;
    this.#file.trade(listing.own.entry, takerSide, price, size, venueTime, receivedAt, tradeId);
  }

  /** Books are read again, and every market says that changes and trades are missing. */
  #resynchronise(): void {
    this.laps += 1;
    for (const listing of this.#tape.all()) {
      if (!this.#renew(listing)) continue;
      this.#file.mark(listing.own.entry, RECORD_RESET, this.#copy);
      this.#file.mark(listing.own.entry, RECORD_TRADES_MISSED, this.#copy);
    }
  }
}
