// The catalog in shared memory, without HTTP: writing it from events that are new, and from ones that are known; a page of it found and
// shown, and searches. 10 000 events with 100 000 markets, half of each venue. Pages are baselined by a filter over a plain list.

import { CatalogRows } from '../src/catalog/catalog-rows.ts';
import { type MarketQuery, SnapshotReader } from '../src/catalog/snapshot-reader.ts';
import { type Snapshot, SnapshotWriter } from '../src/catalog/snapshot-writer.ts';
import { termsOf } from '../src/catalog/words.ts';
import { assert } from '../src/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../src/venues/discovery.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, compare, consume, measure, median } from './harness.ts';
import { randomNumbers } from './random-numbers.ts';

const EVENTS = 10_000;
const MARKETS_PER_EVENT = 10;
const ROUNDS = 5;
const PAGE_ROWS = 20;
const COMMON =
  'will the win in game over under points scored team lakers celtics boston denver rate price above by next'.split(' ');
const RARE_WORDS = 30_000;
const EVERYBODY = { tradable: ['venue_a', 'venue_b'], now: 1_800_000_000_000 } as const;
const FIRST: MarketQuery = {
  ...EVERYBODY,
  terms: [],
  venue: null,
  executable: null,
  after: null,
  rowsMax: PAGE_ROWS + 1,
};

export const suite: BenchSuite = {
  name: 'catalog',
  async run(options) {
    const events = listedEvents(options.smoke ? 50 : EVENTS);
    const [writer, known] = [new SnapshotWriter(), new CatalogRows()];
    const [fresh, again]: [number[], number[]] = [[], []];
    for (let round = 0; round < (options.smoke ? 1 : ROUNDS); round++) {
      fresh.push(elapsedMs(() => consume(writer.write(new CatalogRows().of(events)).generation)));
      again.push(elapsedMs(() => consume(writer.write(known.of(events)).generation)));
    }
    const snapshot = writer.write(known.of(events));
    return [
      row('catalog/build', median(fresh), 'ms'),
      row('catalog/build-known', median(again), 'ms'),
      row('catalog/build-memory', snapshot.memory.byteLength / 2 ** 20, 'MiB'),
      pageRow(snapshot, events, options),
      row(
        'catalog/page-search',
        measure(pages(snapshot, { ...FIRST, terms: termsOf('lakers celtics') }), options) / 1e3,
        'µs',
      ),
      row(
        'catalog/page-none',
        measure(pages(snapshot, { ...FIRST, executable: true, tradable: [] }), options) / 1e3,
        'µs',
      ),
    ];
  },
};

/** The baseline has objects at hand and writes JSON. */
function pageRow(snapshot: Snapshot, events: readonly VenueEvent[], options: BenchOptions): BenchRow {
  const plain = events.flatMap(({ markets }) => markets);
  const listed = (times: number): number => {
    let bytes = 0;
    for (let page = 0; page < times; page++) {
      const found = plain.filter(({ marketId }) => marketId > '').slice(0, PAGE_ROWS);
      bytes += JSON.stringify(found).length;
    }
    return bytes;
  };
  const { ns, ratio } = compare(pages(snapshot, FIRST), listed, options);
  return { name: 'catalog/page', value: ns / 1e3, unit: 'µs', baseline: 'a filter over a plain list', ratio };
}

/** Opened for each page, as each request does. */
function pages(snapshot: Snapshot, query: MarketQuery): (times: number) => number {
  return times => {
    let bytes = 0;
    for (let page = 0; page < times; page++) {
      const reader = SnapshotReader.open(snapshot);
      assert(reader !== null, 'nobody writes meanwhile');
      for (const place of reader.find(query).slice(0, PAGE_ROWS)) bytes += reader.textAt(place, query).length;
    }
    return bytes;
  };
}

function listedEvents(count: number): readonly VenueEvent[] {
  const random = randomNumbers(1);
  const below = (bound: number): number => Math.floor(bound * random());
  const word = (): string => (below(8) === 0 ? `w${below(RARE_WORDS)}` : COMMON[below(COMMON.length)]!);
  const title = (): string => Array.from({ length: 10 }, word).join(' ');
  const digits = (length: number): string => Array.from({ length }, () => below(10)).join('');
  const market = (venue: VenueEvent['venue'], number: number): VenueMarket => {
    const ticker = `KX${word().toUpperCase()}-26NOV${number}`;
    const [said, id] = [title(), venue === 'venue_a' ? `0x${digits(64)}` : ticker];
    const outcomes: VenueMarket['outcomes'] =
      venue === 'venue_a'
        ? ['Yes', 'No'].map(name => ({ name, route: { venue, tokenId: `1${digits(76)}` } }))
        : (['YES', 'NO'] as const).map(side => ({ name: `${side} ${word()}`, route: { venue, ticker, side } }));
    const facts = { label: '', kind: '', line: null, occursAt: null, subjects: {}, opensAt: null, closesAt: null };
    return { marketId: id, title: said, outcomes, phase: 'OPEN', ...facts };
  };
  return Array.from({ length: count }, (_, number): VenueEvent => {
    const venue = number % 2 === 0 ? 'venue_a' : 'venue_b';
    const markets = Array.from({ length: MARKETS_PER_EVENT }, (_, index) =>
      market(venue, MARKETS_PER_EVENT * number + index),
    );
    const facts = {
      subTitle: '',
      seriesId: '',
      competition: '',
      scope: '',
      tags: [],
      startsAt: null,
      gameId: '',
      teams: [],
    };
    return { venue, eventId: String(number), title: title(), isExclusive: false, markets, ...facts };
  });
}

function elapsedMs(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function row(name: string, value: number, unit: string): BenchRow {
  return { name, value, unit, baseline: '', ratio: null };
}
