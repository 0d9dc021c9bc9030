// A publisher of one venue's books, in time that stands still. The test writes a book in shared memory, and the rig keeps the messages that the
// publisher sends.

import { ASK, BID, type BookId, PRIMARY, type Side, type View } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { type Arena, createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader, WHOLE_BOOK } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { BookPublisher } from '../../../src/market-data/relay/book-publisher.ts';
import { decodeRelayed, type Relayed } from '../../../src/market-data/relay/protocol.ts';

export const VENUE = 'venue_b';
export const TICKER = 'KXTEST-26NOV21AAABBB-AAA';
const CENT = 100 as Ticks;

interface Sent {
  readonly subject: string;
  readonly bytes: Uint8Array;
}

type LevelChange = readonly [Side, number, number];

export class PublisherRig {
  readonly arena: Arena = createArena();
  readonly writer: BookWriter;
  readonly index: BookIndexWriter;
  readonly publisher: BookPublisher;
  readonly sent: Sent[] = [];
  now = 0;
  readonly #reader: BookReader;

  /** @param send the place where messages go, in addition to `sent` */
  constructor(publisher = 'p1', send: (subject: string, bytes: Uint8Array) => void = () => {}) {
    const region = regionOf(this.arena, VENUE);
    this.writer = new BookWriter(region, () => {});
    this.writer.receivedAt = 7 as UnixMillis;
    this.#reader = new BookReader(region);
    this.index = new BookIndexWriter(indexOf(this.arena));
    this.publisher = new BookPublisher({
      ...{ venue: VENUE, arena: this.arena, publisher },
      send: (subject, bytes) => {
        this.sent.push({ subject, bytes });
        send(subject, bytes);
      },
      elapsed: () => this.now,
    });
  }

  open(step: Ticks = CENT): BookId {
    const book = this.writer.openBook(step)!;
    this.writer.setViews(book, true, true);
    return book;
  }

  list(address: string, book: BookId, view: View = PRIMARY): void {
    this.index.put(VENUE, address, { book, view });
    this.publisher.list(address, { book, view });
  }

  write(book: BookId, levels: readonly LevelChange[], isSnapshot = false): boolean {
    this.writer.begin(book);
    if (isSnapshot) this.writer.clear(book);
    for (const [side, price, size] of levels) this.writer.set(book, side, price as Ticks, size as MicroShares);
    return isSnapshot ? this.writer.commitSnapshot(book, 5 as UnixMillis) : this.writer.commit(book, 6 as UnixMillis);
  }

  /** Publishes a whole book of a bid and an ask. */
  begin(book: BookId, bid = 4_000, ask = 6_000): void {
    this.write(
      book,
      [
        [BID, bid, 10],
        [ASK, ask, 20],
      ],
      true,
    );
  }

  /** Sends everything that is due, and returns the messages since the last call. */
  take(): readonly Relayed[] {
    while (this.publisher.follow());
    return this.sent.splice(0).map(({ bytes }) => decodeRelayed(bytes));
  }

  /** Returns the current book. */
  shown(book: BookId, view: View = PRIMARY): BookCopy {
    const copy = new BookCopy(WHOLE_BOOK);
    this.#reader.read(book, view, copy);
    return copy;
  }
}
