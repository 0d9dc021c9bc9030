// Builds the books from the events of a recording. Each book is compared with its checksum and its place in the sequence, as a bot does
// with the stream.

import { marketKey } from '../../core/domain/market.ts';
import type { RecordedBook, RecordedEvent, RecordedMarket } from '../../market-data/recording/format.ts';
import { LocalBook } from '../client/local-book.ts';

interface Followed {
  readonly book: LocalBook;
  /** Null after a gap, until the next whole book. */
  checksum: number | null;
}

const FAULTS_SHOWN = 20;

export class RecordedBooks {
  events = 0;
  gaps = 0;
  faultsTotal = 0;
  /** The first faults, in words. */
  readonly faults: string[] = [];
  readonly #byMarket = new Map<RecordedMarket, Followed>();

  take(event: RecordedEvent): void {
    this.events += 1;
    const followed = this.#followed(event.market);
    const { book } = followed;
    switch (event.kind) {
      case 'gap':
        this.gaps += 1;
        followed.checksum = null;
        return;
      case 'book':
        this.#takeBook(event, followed);
        return;
      case 'changes': {
        const { epoch, seq, checksum } = event;
        const outcome = book.apply({ ...event, type: 'delta', market: book.market, prevSeq: seq - 1 });
        if (outcome === 'applied') followed.checksum = checksum;
        else if (followed.checksum !== null) this.#fault(event, `${WORDS[outcome]} at epoch ${epoch}, seq ${seq}`);
        return;
      }
      case 'state':
        if (event.state === 'RESYNCING') followed.checksum = null;
        book.setState(event.state);
        return;
      case 'end':
        followed.checksum = null;
        return;
      default:
    }
  }

  /** Takes in a whole book. Without a gap before it, it must equal the book that is there already. */
  #takeBook(event: RecordedEvent & RecordedBook, followed: Followed): void {
    const { book, checksum } = followed;
    const { epoch, seq } = event;
    const isContinued = checksum === null || (checksum === event.checksum && book.epoch === epoch && book.seq === seq);
    if (!isContinued) this.#fault(event, `a whole book differs from the one before it at epoch ${epoch}, seq ${seq}`);
    const outcome = book.apply({ ...event, type: 'snapshot', market: book.market });
    if (outcome !== 'applied') this.#fault(event, `${WORDS[outcome]} at epoch ${epoch}, seq ${seq}`);
    followed.checksum = event.state === 'RESYNCING' ? null : event.checksum;
  }

  #followed(market: RecordedMarket): Followed {
    let followed = this.#byMarket.get(market);
    if (followed === undefined) {
      followed = { book: new LocalBook(marketKey(market.venue, market.address)), checksum: null };
      this.#byMarket.set(market, followed);
    }
    return followed;
  }

  /** Reports a fault, only once for each gap, because all later events differ, too. */
  #fault(event: RecordedEvent, what: string): void {
    const { venue, address } = event.market;
    this.faultsTotal += 1;
    if (this.faults.length < FAULTS_SHOWN) this.faults.push(`${venue} ${address}: ${what}`);
    this.#followed(event.market).checksum = null;
  }
}

const WORDS = {
  applied: '',
  ignored: 'a change that is not after the one before it',
  gap: 'a change is missing',
  checksum: 'the levels do not make the checksum',
} as const;
