// The book that a reader must show after its messages: folded anew from all messages each time, in plain Maps.
// Twin of market-data/relay/relayed-book.ts.

import { BID, type BookState, type Level } from '../../../src/core/domain/market.ts';
import type { Delta, Snapshot } from '../../../src/core/wire/messages.ts';
import type { Relayed } from '../../../src/market-data/relay/protocol.ts';
import { naiveChecksum } from '../../support/naive-checksum.ts';

/** A message, or `lost`: the connection ended, or bytes came that are not a message. */
export type Heard = Relayed | 'lost';

interface NaiveShown {
  readonly state: BookState;
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

interface Folded {
  state: BookState;
  epoch: number;
  seq: number;
  bids: Map<number, number>;
  asks: Map<number, number>;
}

const NOTHING: NaiveShown = { state: 'RESYNCING', bids: new Map(), asks: new Map() };

export function naiveShown(all: readonly Heard[]): NaiveShown {
  let next: number | null = null;
  let book: Folded | null = null;
  const lose = (): void => {
    next = null;
    if (book?.state !== 'CLOSED') book = null;
  };
  for (const heard of all) {
    if (heard === 'lost') {
      lose();
      continue;
    }
    const { number, message } = heard;
    const begins = message.type === 'snapshot' || (message.type === 'state' && message.state === 'RESYNCING');
    if (number !== next && !begins) {
      if (next !== null) lose();
      continue;
    }
    next = number + 1;
    const position: Pick<Folded, 'epoch' | 'seq'> = book ?? { epoch: 0, seq: 0 };
    const isKnown = (it: Snapshot) =>
      it.epoch === position.epoch && it.seq === position.seq && it.state === book?.state;
    if (message.type === 'snapshot' && isKnown(message)) continue;
    if (message.type === 'snapshot') {
      book = { ...bookOf(message), state: message.state, epoch: message.epoch, seq: message.seq };
      if (!isSound(book, message)) {
        book = null;
        next = null;
      }
    } else if (message.type === 'delta') {
      const isNext = message.epoch === position.epoch && message.prevSeq === position.seq && book !== null;
      if (isNext) apply(book!, message);
      if (!isNext) lose();
      else if (!isSound(book!, message)) {
        book = null;
        next = null;
      }
    } else if (message.type === 'state') {
      if (message.state === 'RESYNCING') book = null;
      else if (book !== null) book.state = message.state;
    } else if (message.type === 'heartbeat') {
      const [said] = message.books;
      if (said?.epoch !== position.epoch || said.seq !== position.seq) lose();
    }
  }
  if (book === null) return NOTHING;
  const { state, bids, asks } = book;
  return { state, bids, asks };
}

function bookOf({ bids, asks }: Snapshot): Pick<Folded, 'bids' | 'asks'> {
  const mapOf = (levels: readonly Level[]) => new Map<number, number>(levels.map(({ price, size }) => [price, size]));
  return { bids: mapOf(bids), asks: mapOf(asks) };
}

function apply(book: Folded, { changes, seq }: Delta): void {
  for (const { side, price, size } of changes) {
    const levels = side === BID ? book.bids : book.asks;
    if (size === 0) levels.delete(price);
    else levels.set(price, size);
  }
  book.seq = seq;
}

function isSound({ bids, asks }: Folded, { checksum }: Snapshot | Delta): boolean {
  const levelsOf = (levels: ReadonlyMap<number, number>, sign: 1 | -1) =>
    Array.from(levels, ([price, size]) => ({ price, size }) as Level).sort(
      (one, other) => sign * (one.price - other.price),
    );
  const [bestFirst, cheapestFirst] = [levelsOf(bids, -1), levelsOf(asks, 1)];
  const [bid, ask] = [bestFirst[0]?.price ?? -1, cheapestFirst[0]?.price ?? 10_001];
  return bid < ask && naiveChecksum(bestFirst, cheapestFirst) === checksum;
}
