// Messages of a publisher on the subject of a market, from the first message to the last.

import { beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, TAKER_BUY, TAKER_SELL } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import type { Relayed } from '../../../src/market-data/relay/protocol.ts';
import { PublisherRig, TICKER } from './relay-rig.ts';

let rig: PublisherRig;

beforeEach(() => {
  rig = new PublisherRig();
});

const kinds = (messages: readonly Relayed[]) => messages.map(({ message }) => message.type);
const numbers = (messages: readonly Relayed[]) => messages.map(({ number }) => number);

describe('a market', () => {
  it('begins with its whole book and the price of its last trade, then each change, counted without a gap', () => {
    const book = rig.open();
    rig.begin(book);
    rig.writer.setLastTrade(book, 4_200 as Ticks);
    rig.list(TICKER, book);
    const first = rig.take();
    rig.write(book, [[BID, 4_100, 5]]);
    rig.write(book, [[ASK, 6_000, 0]]);
    const changes = rig.take();
    const { epoch, checksum } = rig.shown(book);
    const market = { venue: 'venue_b', ticker: TICKER };
    expect(first).toMatchObject([
      { number: 1, lastTrade: 4_200, message: { type: 'snapshot', market, epoch, seq: 1 } },
    ]);
    expect(changes).toMatchObject([
      {
        number: 2,
        lastTrade: 0,
        message: { type: 'delta', market, epoch, seq: 2, prevSeq: 1, venueTime: 6, receivedAt: 7 },
      },
      { number: 3, message: { seq: 3, prevSeq: 2, checksum } },
    ]);
  });

  it('has a subject of its own for each token of a pair, in the frame of the token', () => {
    const book = rig.open();
    rig.begin(book, 4_000, 6_100);
    rig.list('YES', book);
    rig.list('NO', book, COMPLEMENT);
    rig.take();
    rig.write(book, [[BID, 4_100, 5]]);
    rig.writer.trade(book, 0, 4_000 as Ticks, 3 as MicroShares, TAKER_BUY, 8 as UnixMillis, 't1');
    while (rig.publisher.follow());
    const subjects = rig.sent.map(({ subject }) => subject.split('.').at(-1));
    expect(subjects).toEqual(['YES', 'NO', 'YES', 'NO']);
    const [, delta, , trade] = rig.take();
    const { checksum } = rig.shown(book, COMPLEMENT);
    expect(delta?.message).toMatchObject({ checksum, changes: [{ side: ASK, price: 5_900, size: 5 }] });
    expect(trade?.message).toMatchObject({ tradeId: 't1', price: 6_000, takerSide: TAKER_SELL, size: 3 });
  });

  it('says its states, what it missed of trades, and begins anew with each snapshot of its venue', () => {
    const book = rig.open();
    rig.begin(book);
    rig.list(TICKER, book);
    rig.take();
    rig.writer.setState(book, 'STALE', 'SILENCE');
    rig.writer.tradesMissed(book);
    rig.begin(book, 3_000, 7_000);
    rig.writer.setState(book, 'RESYNCING', 'SEQUENCE_GAP');
    const said = rig.take();
    expect(said.map(({ message }) => ('reason' in message ? [message.state, message.reason] : message.type))).toEqual([
      ['STALE', 'SILENCE'],
      'error',
      ['RESYNCING', 'SEQUENCE_GAP'],
    ]);
    rig.begin(book);
    expect(kinds(rig.take())).toEqual(['snapshot']);
  });

  it('says why a book that is not LIVE is in its state, before its snapshot', () => {
    const book = rig.open();
    rig.begin(book);
    rig.writer.setState(book, 'HALTED', 'MARKET_PAUSED');
    rig.list(TICKER, book);
    expect(rig.take().map(({ message }) => message)).toMatchObject([
      { type: 'state', state: 'HALTED', reason: 'MARKET_PAUSED' },
      { type: 'snapshot', state: 'HALTED' },
    ]);
  });

  it('says where it stands after a second without a message, also without a book', () => {
    const [book, empty] = [rig.open(), rig.open()];
    rig.begin(book);
    rig.list(TICKER, book);
    rig.list('EMPTY', empty);
    rig.take();
    rig.now = 999;
    rig.publisher.beat();
    expect(rig.take()).toEqual([]);
    rig.now = 1_000;
    rig.publisher.beat();
    rig.publisher.beat();
    const { epoch, seq } = rig.shown(book);
    expect(rig.take().map(({ message }) => message)).toMatchObject([
      { type: 'heartbeat', books: [{ market: { ticker: TICKER }, epoch, seq }] },
      { type: 'heartbeat', books: [{ market: { ticker: 'EMPTY' }, epoch: 0, seq: 0 }] },
    ]);
  });

  it('ends with its feed, and never has the book of the market that has its place next', () => {
    const book = rig.open();
    rig.begin(book);
    rig.list('OLD', book);
    rig.take();
    // The main thread and the feed do this before the publisher's thread hears of it.
    rig.index.remove('venue_b', 'OLD');
    rig.writer.releaseBook(book);
    expect(rig.open()).toBe(book);
    rig.index.put('venue_b', 'NEW', { book, view: 0 });
    rig.begin(book, 2_000, 3_000);
    rig.write(book, [[BID, 2_100, 5]]);
    rig.writer.setState(book, 'HALTED', 'MARKET_PAUSED');
    expect(rig.take()).toEqual([]);
    rig.publisher.unlist('OLD');
    expect(rig.take()).toMatchObject([{ message: { state: 'RESYNCING', reason: 'FEED_RESTARTED' } }]);
    rig.publisher.list('NEW', { book, view: 0 });
    expect(kinds(rig.take())).toEqual(['state', 'snapshot']);
  });

  it('is not listed once its feed has dropped it', () => {
    const book = rig.open();
    rig.publisher.list(TICKER, { book, view: 0 });
    expect([rig.publisher.markets, rig.take()]).toEqual([0, []]);
  });
});

it('a reader’s request is met with the whole book at the position that was sent, and changes go on from it', () => {
  const book = rig.open();
  rig.begin(book);
  rig.list(TICKER, book);
  rig.take();
  rig.write(book, [[BID, 4_100, 5]]);
  rig.publisher.renew(TICKER);
  rig.publisher.renew('UNKNOWN');
  rig.write(book, [[BID, 4_200, 5]]);
  // The book has both changes already, so they are not sent.
  const messages = rig.take();
  expect(kinds(messages)).toEqual(['snapshot']);
  expect(messages[0]?.message).toMatchObject({ seq: 3 });
  rig.write(book, [[BID, 4_300, 5]]);
  expect(rig.take()).toMatchObject([{ message: { type: 'delta', prevSeq: 3 } }]);
});

it('after a lap, and after messages that could not be sent, whole books come with a gap in the numbers', () => {
  const [first, second] = [rig.open(), rig.open()];
  for (const book of [first, second]) rig.begin(book);
  rig.list('FIRST', first);
  rig.list('SECOND', second);
  expect(numbers(rig.take())).toEqual([1, 1]);
  for (let turn = 0; turn < limits.tapeSlotsPerVenue; turn++) rig.write(first, [[BID, 4_000, 11 + (turn % 2)]]);
  const lapped = rig.take();
  expect([kinds(lapped), numbers(lapped)]).toEqual([
    ['snapshot', 'snapshot'],
    [3, 3],
  ]);
  rig.publisher.renewAll();
  expect(numbers(rig.take())).toEqual([5, 5]);
});

it('many whole books are sent a turn’s worth at a time', () => {
  const levels = Array.from({ length: 4_000 }, (_, index) => [BID, index + 1, 2 ** 50] as const);
  for (let market = 0; market < 12; market++) {
    const book = rig.open(1 as Ticks);
    rig.write(book, levels, true);
    rig.list(`KX-${market}`, book);
  }
  rig.publisher.follow();
  const inOneTurn = rig.sent.length;
  expect(inOneTurn).toBeGreaterThan(1);
  expect(inOneTurn).toBeLessThan(12);
  expect(rig.take()).toHaveLength(12);
});
