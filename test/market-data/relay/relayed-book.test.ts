// A reader's book against its publisher's, through lost messages, lost connections, damage and silence. The reader shows the publisher's book at some
// position, or reports that it does not know it. A naive reader folds the same messages.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, TAKER_BUY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import type { Relayed } from '../../../src/market-data/relay/protocol.ts';
import { FIRST_STEP, RelayedBook } from '../../../src/market-data/relay/relayed-book.ts';
import { BookObserver } from '../../support/book-observer.ts';
import { BookPair } from '../../support/book-pair.ts';
import { anyGridStep, bookLife, type Step } from '../../support/book-steps.ts';
import { RecordingSink } from '../../support/recording-sink.ts';
import { type Heard, naiveShown } from './naive-reader.ts';
import { PublisherRig, TICKER } from './relay-rig.ts';

class Reader {
  readonly sink = new RecordingSink();
  readonly counters = new FeedCounters();
  readonly book: RelayedBook;
  readonly heard: Heard[] = [];
  now = 0;
  outdated = 0;

  constructor() {
    const id = this.sink.openBook(FIRST_STEP)!;
    this.sink.setViews(id, true, false);
    this.book = new RelayedBook(id, {
      ...{ sink: this.sink, counters: this.counters },
      elapsed: () => this.now,
      expireFacts: () => {
        this.outdated += 1;
      },
    });
  }

  hear(...messages: readonly Relayed[]): void {
    for (const message of messages) {
      this.heard.push(message);
      this.book.take(message);
    }
  }

  lose(): void {
    this.heard.push('lost');
    this.book.dropLevels('DISCONNECTED');
  }

  get shown() {
    const { state, bids, asks } = this.sink.books[0]!;
    return { state, bids: new Map(bids), asks: new Map(asks) };
  }

  get events() {
    return this.sink.events.map(it => (it.kind === 'state' ? `${it.state} ${it.reason}` : it.kind));
  }
}

function rig(step?: Ticks) {
  const publisher = new PublisherRig();
  const book = publisher.open(step);
  publisher.begin(book);
  publisher.list(TICKER, book);
  const reader = new Reader();
  return { publisher, book, reader };
}

describe('a reader’s book', () => {
  it('follows the publisher’s: snapshot, changes, trades, states', () => {
    const { publisher, book, reader } = rig(10 as Ticks);
    reader.hear(...publisher.take());
    publisher.write(book, [
      [BID, 4_100, 5],
      [ASK, 6_000, 0],
      [ASK, 5_950, 7],
    ]);
    publisher.writer.trade(book, 0, 4_100 as Ticks, 3 as MicroShares, TAKER_BUY, 8 as UnixMillis, 't1');
    publisher.writer.setState(book, 'HALTED', 'MARKET_PAUSED');
    reader.hear(...publisher.take());
    expect(reader.events).toEqual(['opened', 'snapshot', 'regridded', 'delta', 'trade', 'HALTED MARKET_PAUSED']);
    const expected = {
      state: 'HALTED',
      bids: new Map([
        [4_100, 5],
        [4_000, 10],
      ]),
      asks: new Map([[5_950, 7]]),
    };
    expect(reader.shown).toEqual(expected);
    expect(reader.sink.books[0]!.step).toBe(50);
  });

  it('is RESYNCING from a gap on, says that trades may be missing, and goes on with the next snapshot', () => {
    const { publisher, book, reader } = rig();
    reader.hear(...publisher.take());
    publisher.write(book, [[BID, 4_100, 5]]);
    publisher.take();
    publisher.write(book, [[BID, 4_200, 5]]);
    reader.hear(...publisher.take());
    expect(reader.shown).toEqual({ state: 'RESYNCING', bids: new Map(), asks: new Map() });
    expect([reader.book.needsSnapshot, reader.counters.read('sequenceGaps')]).toEqual([true, 1]);
    publisher.publisher.renew(TICKER);
    reader.hear(...publisher.take());
    expect(reader.shown.bids).toEqual(
      new Map([
        [4_000, 10],
        [4_100, 5],
        [4_200, 5],
      ]),
    );
    const events = ['opened', 'snapshot', 'RESYNCING SEQUENCE_GAP', 'tradesMissed', 'snapshot'];
    expect(reader.events).toEqual(events);
  });

  it('notices at a heartbeat that the last message is missing', () => {
    const { publisher, book, reader } = rig();
    reader.hear(...publisher.take());
    publisher.write(book, [[BID, 4_100, 5]]);
    publisher.take();
    publisher.now += 1_000;
    publisher.publisher.beat();
    reader.hear(...publisher.take());
    expect(reader.shown.state).toBe('RESYNCING');
  });

  it('is STALE in silence with its last levels, and goes on where it was once it hears the next message', () => {
    const { publisher, book, reader } = rig();
    reader.hear(...publisher.take());
    publisher.writer.setState(book, 'HALTED', 'MARKET_PAUSED');
    reader.hear(...publisher.take());
    reader.book.markSilent();
    reader.book.markSilent();
    expect(reader.shown).toMatchObject({ state: 'STALE', bids: new Map([[4_000, 10]]) });
    publisher.now += 1_000;
    publisher.publisher.beat();
    reader.hear(...publisher.take());
    expect(reader.events.slice(2)).toEqual(['HALTED MARKET_PAUSED', 'STALE SILENCE', 'HALTED MARKET_PAUSED']);
  });

  it('never shows levels whose checksum differs', () => {
    const { publisher, book, reader } = rig();
    reader.hear(...publisher.take());
    publisher.write(book, [[BID, 4_100, 5]]);
    const [change] = publisher.take();
    if (change?.message.type !== 'delta') throw new Error('a change is a delta');
    reader.hear({ ...change, message: { ...change.message, checksum: change.message.checksum ^ 1 } });
    expect(reader.events).toEqual(['opened', 'snapshot', 'RESYNCING HASH_MISMATCH']);
    expect(reader.counters.read('hashMismatches')).toBe(1);
  });

  it('of a market that is over keeps its last levels through silence and a lost connection', () => {
    const { publisher, book, reader } = rig();
    reader.hear(...publisher.take());
    publisher.writer.setState(book, 'CLOSED', 'MARKET_RESOLVED');
    reader.hear(...publisher.take());
    reader.book.markSilent();
    reader.lose();
    expect(reader.shown).toMatchObject({ state: 'CLOSED', bids: new Map([[4_000, 10]]) });
  });

  it('takes a paused book as paused, never as LIVE in between', () => {
    const publisher = new PublisherRig();
    const book = publisher.open();
    publisher.begin(book);
    publisher.writer.setState(book, 'HALTED', 'MARKET_PAUSED');
    publisher.list(TICKER, book);
    const reader = new Reader();
    reader.hear(...publisher.take());
    expect(reader.events).toEqual(['opened', 'HALTED MARKET_PAUSED', 'snapshot']);
    expect(reader.shown.state).toBe('HALTED');
  });

  it('shows a state that this version has no reason for, and its market’s terms count as changed', () => {
    const { publisher, reader } = rig();
    const [snapshot] = publisher.take();
    reader.hear(snapshot!);
    const market = { venue: 'venue_b', ticker: TICKER } as const;
    const message = { type: 'state', market, state: 'HALTED', reason: 'TEA' } as unknown as Relayed['message'];
    reader.hear({ number: snapshot!.number + 1, lastTrade: 0 as Ticks, message });
    expect([reader.events.at(-1), reader.outdated]).toEqual(['HALTED VENUE_ERROR', 1]);
  });

  it('ignores a snapshot that another reader has requested', () => {
    const { publisher, reader } = rig();
    reader.hear(...publisher.take());
    publisher.publisher.renew(TICKER);
    reader.hear(...publisher.take());
    expect(reader.events).toEqual(['opened', 'snapshot']);
  });
});

type Fault = { readonly do: 'drop' | 'ask' | 'beat' | 'lose' | 'damage' | 'silence' };
type Turn = { readonly step: Step | null; readonly fault: Fault['do'] | null };

const faults = fc.option(fc.constantFrom<Fault['do'][]>('drop', 'ask', 'beat', 'lose', 'damage', 'silence'), {
  freq: 3,
});

it('shows what a naive reader shows, through any losses, and in the end the publisher’s book', () => {
  const lives = anyGridStep.chain(step =>
    fc.tuple(fc.constant(step), bookLife(step, 40), fc.array(faults, { minLength: 41, maxLength: 41 })),
  );
  // All runs share one arena, since each arena takes 300 MB of address space.
  const publisher = new PublisherRig();
  const observer = new BookObserver(regionOf(publisher.arena, 'venue_b'));
  let runs = 0;
  fc.assert(
    fc.property(lives, ([gridStep, steps, drawn]) => {
      runs += 1;
      const address = `KX-${runs}`;
      const pair = new BookPair(publisher.writer, observer, gridStep);
      publisher.list(address, pair.book);
      const reader = new Reader();
      const turns = steps.map((step, index): Turn => ({ step, fault: drawn[index] ?? null }));
      for (const { step, fault } of turns.filter(it => it.step?.do !== 'views')) {
        if (step !== null) pair.run(step);
        live(publisher, address, reader, fault);
        expect(withoutSilence(reader)).toEqual(naiveShown(reader.heard));
      }
      publisher.publisher.renew(address);
      reader.hear(...publisher.take());
      expectTrueBook(publisher, pair.book, reader);
      publisher.index.remove('venue_b', address);
      publisher.publisher.unlist(address);
      publisher.take();
      publisher.writer.releaseBook(pair.book);
    }),
    { numRuns: 150 },
  );
});

function live(publisher: PublisherRig, address: string, reader: Reader, fault: Fault['do'] | null): void {
  if (fault === 'ask') publisher.publisher.renew(address);
  if (fault === 'beat') {
    publisher.now += 1_000;
    publisher.publisher.beat();
  }
  const messages = [...publisher.take()];
  if (fault === 'drop') messages.shift();
  if (fault === 'damage') damage(messages);
  reader.hear(...messages);
  if (fault === 'lose') reader.lose();
  if (fault === 'silence') reader.book.markSilent();
}

function damage(messages: Relayed[]): void {
  const at = messages.findIndex(({ message }) => message.type === 'delta' || message.type === 'snapshot');
  const damaged = messages[at];
  if (damaged?.message.type !== 'delta' && damaged?.message.type !== 'snapshot') return;
  messages[at] = { ...damaged, message: { ...damaged.message, checksum: damaged.message.checksum ^ 1 } };
}

/** Returns the reader's state without the state of silence, in which alone the two may differ. */
function withoutSilence({ heard, shown, sink }: Reader) {
  const isSilent = sink.books[0]!.reason === 'SILENCE' && naiveShown(heard).state !== 'STALE';
  return isSilent ? { ...shown, state: naiveShown(heard).state } : shown;
}

function expectTrueBook(publisher: PublisherRig, book: BookId, { shown }: Reader): void {
  const { state, bids, asks } = publisher.shown(book);
  const mapOf = ({ count, prices, sizes }: typeof bids) =>
    new Map(Array.from({ length: count }, (_, index) => [prices[index], sizes[index]]));
  expect(shown).toEqual({ state, bids: mapOf(bids), asks: mapOf(asks) });
}

it('the sink’s checksum within a batch is that of the book that the batch makes', () => {
  const writer = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
  const book = writer.openBook(100 as Ticks)!;
  writer.setViews(book, true, false);
  writer.begin(book);
  writer.clear(book);
  writer.set(book, BID, 4_000 as Ticks, 10_000_000 as MicroShares);
  const first = writer.checksum(book);
  writer.commitSnapshot(book, 0 as UnixMillis);
  writer.begin(book);
  expect(writer.checksum(book)).toBe(first);
  writer.set(book, ASK, 6_000 as Ticks, 10_000_000 as MicroShares);
  expect(writer.checksum(book)).not.toBe(first);
  writer.set(book, ASK, 6_000 as Ticks, 0 as MicroShares);
  expect(writer.checksum(book)).toBe(first);
  writer.commit(book, 0 as UnixMillis);
});
