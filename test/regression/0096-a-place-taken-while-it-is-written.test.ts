// A market's book took another's place in shared memory, and its feed was writing it just when its stream began. Subscribers got the trades
// and states that the tape still held of the former market.

import { expect, it } from 'vitest';
import { ASK, BID, type BookId, marketKey, PRIMARY, TAKER_BUY } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { VenueStream } from '../../src/gateway/stream/venue-stream.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import { memoryBooks } from '../support/memory-stream.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const SHARE = 1_000_000 as MicroShares;
const TICKER = 'KXNEXT';

it('nothing is sent of the market that had the place before', () => {
  const { region, writer, books } = memoryBooks(NOW);
  const reported: string[] = [];
  const turns: (() => void)[] = [];
  const stream = new VenueStream({
    venue: 'venue_b',
    region,
    books,
    publish: (_topic, frame) => {
      const message = jsonCodec.decodeServer(frame);
      reported.push(
        message.type === 'trade' ? message.tradeId : message.type === 'state' ? message.state : message.type,
      );
    },
    suspendLaggards: () => {},
    now: () => NOW,
    yieldTo: task => void turns.push(task),
  });
  const trade = (book: BookId, tradeId: string): void =>
    writer.trade(book, PRIMARY, 5_200 as Ticks, SHARE, TAKER_BUY, NOW, tradeId);

  const former = writer.openBook(100 as Ticks)!;
  trade(former, 'of the former');
  writer.setState(former, 'HALTED', 'MARKET_PAUSED');
  writer.releaseBook(former);
  const book = writer.openBook(100 as Ticks)!;
  expect(book).toBe(former);
  writer.setViews(book, true, false);
  writer.begin(book);
  writer.clear(book);
  void books.acquire(marketKey('venue_b', TICKER));
  const bound = books.settle('venue_b', TICKER, { book, view: PRIMARY })!;
  bound.outletOf(jsonCodec).subscribers.trade = 1;
  stream.begin(bound);
  turns.shift()!();
  writer.set(book, BID, 5_000 as Ticks, SHARE);
  writer.set(book, ASK, 5_200 as Ticks, SHARE);
  writer.commitSnapshot(book, NOW);
  trade(book, 'of the next');
  turns.shift()!();
  expect(reported).toEqual(['of the next', 'LIVE']);
  books.close();
});
