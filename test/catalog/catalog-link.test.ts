// The wait for the first catalog: until it is read, at most for its limit, and for a bounded number of callers.

import { describe, expect, it } from 'vitest';
import { ownMarket } from '../../src/catalog/catalog.ts';
import { FirstCatalog } from '../../src/catalog/catalog-link.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import { setGeneration } from '../../src/catalog/snapshot-layout.ts';
import { type MarketQuery, readSnapshot, type SnapshotReader } from '../../src/catalog/snapshot-reader.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { termsOf } from '../../src/catalog/vocabulary.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { CatalogSnapshot } from '../../src/core/domain/operation.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

it('the wait lasts until there is a catalog', async () => {
  const timers = new VirtualTimers();
  const first = new FirstCatalog(timers, limits.firstCatalogMs);
  const waiting = first.wait();
  expect(first.isAwaited).toBe(true);
  first.end();
  expect([await waiting, await first.wait(), first.isAwaited, timers.pending]).toEqual([true, true, false, 0]);
});

it('the wait is over after firstCatalogMs, with or without a catalog', async () => {
  const timers = new VirtualTimers();
  const first = new FirstCatalog(timers, limits.firstCatalogMs);
  const waiting = first.wait();
  timers.advance(limits.firstCatalogMs - 1);
  expect(first.isAwaited).toBe(true);
  timers.advance(1);
  expect([await waiting, first.isAwaited]).toEqual([true, false]);
});

it('the wait has room for firstCatalogWaitingMax requests', async () => {
  const first = new FirstCatalog(new VirtualTimers(), limits.firstCatalogMs);
  const waiting = Array.from({ length: limits.firstCatalogWaitingMax }, () => first.wait());
  expect(await first.wait()).toBe(false);
  first.end();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
});

// The bounds that a reader of an overwritten catalog read were arbitrary. So it counted to four billion for each market, for half a minute and more,
// while orders waited behind it, or it failed with 500. Now the answer is a 503 at once.
describe('0233: a catalog overwritten while it is read', () => {
  const MARKETS = 50;
  const EVENT = 'e';
  /** The words of the header: the generation and the counts (snapshot-layout.ts). */
  const HEADER_WORDS = 14;

  const QUERY: MarketQuery = {
    ...{ tradable: ['venue_a', 'venue_b'], now: 0, terms: [], venue: null, event: null },
    ...{ competitions: null, executable: null, after: null, rowsMax: Number.POSITIVE_INFINITY },
  };

  function written(): CatalogSnapshot {
    const competition = COMPETITIONS[0]!;
    const event = {
      ...{ id: EVENT, name: 'A at B', startsAt: 5_000 as UnixMillis, isOver: false, participants: [] },
      ...{ sport: competition.sport.id, competition: competition.id },
      matching: { keys: [], confidence: 100, evidence: [] },
    };
    const markets = Array.from({ length: MARKETS }, (_, number) => {
      const ticker = `KX-${String(number).padStart(2, '0')}`;
      const sides = ['YES', 'NO'] as const;
      const outcomes = sides.map(side => ({ name: side, route: { venue: 'venue_b', ticker, side } as const }));
      const times = { opensAt: null, closesAt: null, occursAt: null };
      const own = {
        marketId: ticker,
        title: `title ${number}`,
        label: '',
        kind: '',
        line: null,
        phase: 'OPEN',
      } as const;
      return ownMarket({ ...own, ...times, outcomes }, EVENT, ['Game']);
    });
    return new SnapshotWriter().write(new RowBuilder().of({ events: [event], markets }));
  }

  /** Overwrites a catalog as the second write after it does. `word` gives the new words in its place. */
  function overwrite({ memory }: CatalogSnapshot, word: (at: number) => number): void {
    setGeneration(memory, 0);
    const words = new Uint32Array(memory, 0, Math.floor(memory.byteLength / Uint32Array.BYTES_PER_ELEMENT));
    for (let at = HEADER_WORDS; at < words.length; at += 1) words[at] = word(at);
  }

  const random = new Random(233);
  const CONTENTS = [
    ['from nothing to all there could be', (at: number) => (at % 2) * 0xffff_ffff],
    ['all there could be', () => 0xffff_ffff],
    ['anything', () => random.below(2 ** 32)],
    ['anything, and nothing', () => random.below(2) * random.below(2 ** 32)],
  ] as const;

  const READS: readonly [string, (reader: SnapshotReader) => unknown][] = [
    ['of one venue', reader => reader.find({ ...QUERY, venue: 'venue_a' })],
    ['that take orders', reader => reader.find({ ...QUERY, executable: true, now: Number.POSITIVE_INFINITY })],
    ['with a word', reader => reader.find({ ...QUERY, terms: termsOf('title kx') })],
    ['after another', reader => reader.find({ ...QUERY, after: 'venue_b:KX-20' }).map(at => reader.textAt(at, QUERY))],
    ['of an event', reader => reader.find({ ...QUERY, event: 0 }).map(at => reader.eventIdAt(at))],
    ['of an event by its name', reader => reader.countOfEvent(EVENT)],
  ];

  it('a catalog is whole for readers in time', () => {
    const snapshot = written();
    expect(readSnapshot(snapshot, reader => reader.find(QUERY).length)).toBe(MARKETS);
    expect(() =>
      readSnapshot(snapshot, () => {
        throw new TypeError('mine');
      }),
    ).toThrow('mine');
  });

  it.each(CONTENTS.flatMap(content => READS.map(read => [...read, ...content] as const)))(
    'a search for markets %s is over at once in an overwritten catalog, where it is %3$s',
    (_what, read, _how, word) => {
      const snapshot = written();
      const found = readSnapshot(snapshot, reader => {
        overwrite(snapshot, word);
        return read(reader);
      });
      expect(found).toBeNull();
    },
  );
});
