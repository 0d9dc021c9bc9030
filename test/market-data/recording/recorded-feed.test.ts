// A recording that is played back and recorded again. Both recordings have the same books by the same changes, with the same checksums, states and
// trades. The feed plays the books into shared memory, as its thread does.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, PRIMARY, type Side, TAKER_SELL } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { type Arena, createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { RecordedFeed } from '../../../src/market-data/recording/recorded-feed.ts';
import { Recorder } from '../../../src/market-data/recording/recorder.ts';
import type { FeedSubscription } from '../../../src/venues/feed.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const START = Date.UTC(2026, 10, 26, 6, 45);
const HOUR_MS = 3_600_000;
const BOUNDS = { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 };
const SPEED = 1_000_000;

let folders: string[];
let now: number;
beforeEach(() => {
  folders = [temporaryFolder(), temporaryFolder()];
  now = START;
});
afterEach(() => folders.forEach(removeFolder));

/** Books that are changed and recorded. */
class Stage {
  readonly arena: Arena = createArena();
  readonly writer = new BookWriter(regionOf(this.arena, 'venue_b'), () => {});
  readonly #index = new BookIndexWriter(indexOf(this.arena));
  readonly #recorder: Recorder;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    const { arena } = this;
    this.#recorder = new Recorder({ arena, folder, bounds: BOUNDS, now: () => now as UnixMillis, freeBytes: () => 1 });
  }

  open(address: string): BookId {
    const book = this.writer.openBook(10 as Ticks)!;
    this.writer.setViews(book, true, false);
    this.list(address, { book, view: PRIMARY });
    return book;
  }

  list(address: string, binding: FeedSubscription): void {
    this.#index.put('venue_b', address, binding);
    expect(this.#recorder.list('venue_b', address, binding)).toBe('listed');
  }

  follow(): void {
    while (this.#recorder.turn());
  }

  async recorded(): Promise<RecordedEvent[]> {
    await this.#recorder.close();
    return [...openRecording(this.#folder).events()];
  }
}

type Step =
  | { readonly do: 'batch'; readonly isSnapshot: boolean; readonly levels: readonly [Side, number, number][] }
  | { readonly do: 'state'; readonly state: 'STALE' | 'LIVE' | 'HALTED' }
  | { readonly do: 'lose' }
  | { readonly do: 'trade'; readonly price: number }
  | { readonly do: 'pass'; readonly ms: number };

const levels = fc.array(
  fc.tuple(
    fc.constantFrom<Side>(BID, ASK),
    fc.integer({ min: 1, max: 30 }),
    fc.constantFrom(0, 1, 10_000, 123_456_789),
  ),
  { minLength: 1, maxLength: 5 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('batch' as const), isSnapshot: fc.constant(false), levels }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('batch' as const), isSnapshot: fc.constant(true), levels }) },
  fc.record({ do: fc.constant('state' as const), state: fc.constantFrom('STALE' as const, 'LIVE', 'HALTED') }),
  fc.record({ do: fc.constant('lose' as const) }),
  fc.record({ do: fc.constant('trade' as const), price: fc.integer({ min: 1, max: 9_999 }) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(3, HOUR_MS) }),
);

function play(stage: Stage, book: BookId, it: Step, isLost: boolean): boolean {
  const { writer } = stage;
  switch (it.do) {
    case 'batch':
      writer.begin(book);
      if (it.isSnapshot || isLost) writer.clear(book);
      for (const [side, tenths, size] of it.levels) {
        const price = (side === BID ? 5_000 - 10 * tenths : 5_000 + 10 * tenths) as Ticks;
        writer.set(book, side, price, size as MicroShares);
      }
      if (it.isSnapshot || isLost) writer.commitSnapshot(book, now as UnixMillis);
      else writer.commit(book, now as UnixMillis);
      return false;
    case 'state':
      if (!isLost) writer.setState(book, it.state, it.state === 'LIVE' ? 'RESUMED' : 'SILENCE');
      return isLost;
    case 'lose':
      writer.setState(book, 'RESYNCING', 'SEQUENCE_GAP');
      return true;
    case 'trade':
      writer.trade(book, PRIMARY, it.price as Ticks, 7 as MicroShares, TAKER_SELL, 0 as UnixMillis, `t${it.price}`);
      return isLost;
    default:
      now += it.ms;
      return isLost;
  }
}

/**
 * Returns the events of each market as statements about its book, without positions and our times. A book that continues from the previous file gives
 * no statement.
 */
function accountOf(events: readonly RecordedEvent[]): Record<string, string[]> {
  const lines = new Map<string, string[]>();
  const afterGap = new Set<string>();
  for (const event of events) {
    const { address } = event.market;
    const own = lines.get(address) ?? [];
    lines.set(address, own);
    if (event.kind === 'gap') afterGap.add(address);
    else if (event.kind !== 'book' || afterGap.delete(address)) own.push(...sayingOf(event));
  }
  return Object.fromEntries(lines);
}

function sayingOf(event: RecordedEvent): string[] {
  switch (event.kind) {
    case 'book':
      // A market that is played is empty before its first book, as any market is before its venue has sent a book.
      if (event.state === 'RESYNCING') return [];
      return [JSON.stringify([event.checksum, event.state, event.bids, event.asks, event.venueTime])];
    case 'changes':
      return [JSON.stringify([event.checksum, event.changes, event.venueTime])];
    case 'state':
      return [JSON.stringify([event.state, event.reason])];
    case 'trade':
      return [JSON.stringify([event.price, event.size, event.takerSide, event.tradeId, event.venueTime])];
    default:
      return [];
  }
}

/** Follows the tape after each record, since changes between two reads would be merged into the next whole book. */
function followed(stage: Stage): BookWriter {
  const publishing: readonly PropertyKey[] = ['commit', 'commitSnapshot', 'setState', 'trade', 'tradesMissed'];
  return new Proxy(stage.writer, {
    get(writer, name) {
      const value = Reflect.get(writer, name, writer);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]) => {
        const result = Reflect.apply(value, writer, parameters);
        if (publishing.includes(name)) stage.follow();
        return result;
      };
    },
    set: (writer, name, value) => Reflect.set(writer, name, value, writer),
  });
}

async function played(from: string, into: string, addresses: readonly string[]): Promise<RecordedEvent[]> {
  const stage = new Stage(into);
  const source = { folder: from, speed: SPEED, loop: false, gate: new SharedArrayBuffer(4) };
  const feed = new RecordedFeed('venue_b', source, {
    sink: followed(stage),
    timers: wallTimers,
    counters: new FeedCounters(),
    log: silentLog,
  });
  feed.start();
  for (const address of addresses) stage.list(address, (await feed.subscribe(address)) as FeedSubscription);
  expect(await feed.subscribe('ELSEWHERE')).toMatchObject({ code: 'UNKNOWN_MARKET' });
  await feed.finished;
  feed.close();
  return stage.recorded();
}

describe('a recording that is played back', () => {
  it('has the same books by the same changes, checksum by checksum, over all of its files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), step), { minLength: 1, maxLength: 80 }), async steps => {
        folders.forEach(removeFolder);
        folders = [temporaryFolder(), temporaryFolder()];
        now = START;
        const [from, into] = folders as [string, string];
        const stage = new Stage(from);
        const books = ['KX-0', 'KX-1'].map(address => stage.open(address));
        const lost = new Set(books);
        for (const [at, it] of steps) {
          const book = books[at]!;
          if (play(stage, book, it, lost.has(book))) lost.add(book);
          else lost.delete(book);
          stage.follow();
        }
        const original = accountOf(await stage.recorded());
        now = START;
        expect(accountOf(await played(from, into, ['KX-0', 'KX-1']))).toEqual(original);
      }),
      { numRuns: 20 },
    );
  });

  it('waits for its first subscriber, and has the books of a gap again after it', async () => {
    const [from, into] = folders as [string, string];
    const stage = new Stage(from);
    const book = stage.open('KX-0');
    play(stage, book, { do: 'batch', isSnapshot: true, levels: [[BID, 1, 10_000]] }, true);
    stage.follow();
    for (let turn = 0; turn < limits.tapeSlotsPerVenue; turn++) {
      play(stage, book, { do: 'batch', isSnapshot: false, levels: [[BID, 1, 20_000 + (turn % 2)]] }, false);
    }
    stage.follow();
    const original = await stage.recorded();
    expect(original.filter(({ kind }) => kind === 'gap')).toMatchObject([
      { why: 'START' },
      { why: 'EPOCH' },
      { why: 'LAPPED' },
    ]);
    now = START;
    const again = accountOf(await played(from, into, ['KX-0']))['KX-0']!;
    expect(again).toHaveLength(3);
    expect([again[0], again[2]]).toEqual(accountOf(original)['KX-0']);
    expect(JSON.parse(again[1]!)).toEqual(['RESYNCING', 'SEQUENCE_GAP']);
  });
});
