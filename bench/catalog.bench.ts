// The catalog without HTTP. Builds and writes the catalog from both venues' lists of 10 000 games with 100 000 markets. Builds it again, into the
// same shared memory, when one event in a hundred is new. Then finds and shows a page, and searches. Build and write times are processor time with
// garbage collection, except `elapsed`. The baseline of pages is a filter over a plain list.

import { CatalogBuilder } from '../src/catalog/build-catalog.ts';
import { RowBuilder } from '../src/catalog/catalog-rows.ts';
import { EventIds } from '../src/catalog/matching/event-ids.ts';
import { type MarketQuery, SnapshotReader } from '../src/catalog/snapshot-reader.ts';
import { SnapshotWriter } from '../src/catalog/snapshot-writer.ts';
import { termsOf } from '../src/catalog/vocabulary.ts';
import type { CatalogSnapshot } from '../src/core/domain/operation.ts';
import { assert } from '../src/core/domain/result.ts';
import type { VenueEvent } from '../src/venues/discovery.ts';
import { listedGames } from './catalog-workload.ts';
import {
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  collectGarbage,
  compare,
  consume,
  measure,
  median,
  row,
} from './harness.ts';

const GAMES = 10_000;
const ROUNDS = 5;
const PAGE_ROWS = 20;
const CHANGED_EVERY = 100;
const MIB = 2 ** 20;
const EVERYBODY = { tradable: ['venue_a', 'venue_b'], now: 1_800_000_000_000 } as const;
const FIRST: MarketQuery = {
  ...EVERYBODY,
  terms: [],
  venue: null,
  event: null,
  competitions: null,
  executable: null,
  after: null,
  rowsMax: PAGE_ROWS + 1,
};

export const suite: BenchSuite = {
  name: 'catalog',
  runsMax: 1,
  async run(options) {
    const usedBefore = usedBytes();
    const events = listedGames(options.smoke ? 50 : GAMES);
    const { rows, snapshot } = catalogRows(events, options, usedBefore);
    const micros = (query: MarketQuery): number => measure(pages(snapshot, query), options) / 1e3;
    return [
      ...rows,
      pageRow(snapshot, events, options),
      row('catalog/page-event', micros({ ...FIRST, event: 0 }), 'µs'),
      row('catalog/page-search', micros({ ...FIRST, terms: termsOf('lakers celtics') }), 'µs'),
      row('catalog/page-none', micros({ ...FIRST, executable: true, tradable: [] }), 'µs'),
    ];
  },
};

interface Written {
  readonly rows: readonly BenchRow[];
  readonly snapshot: CatalogSnapshot;
}

function catalogRows(events: readonly VenueEvent[], { smoke }: BenchOptions, usedBefore: number): Written {
  const [built, mapped, refreshed, written]: [number[], number[], number[], number[]] = [[], [], [], []];
  /** The elapsed times by the clock, since collections use other cores as well. */
  const elapsed: number[] = [];
  const [builder, maker, writer] = [new CatalogBuilder(new EventIds()), new RowBuilder(), new SnapshotWriter()];
  let listed = events;
  // The second round already knows the paired games.
  for (let round = 0; round < 2; round++) writer.write(maker.of(builder.build(listed)));
  for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
    mapped.push(processorMs(() => new Map(listed.flatMap(it => it.markets).map(it => [it.marketId, it])).size));
    const beganMs = performance.now();
    built.push(
      processorMs(() => {
        const rows = new RowBuilder().of(new CatalogBuilder(new EventIds()).build(listed));
        return new SnapshotWriter().write(rows).generation;
      }),
    );
    elapsed.push(performance.now() - beganMs);
    listed = listed.map((it, index) => (index % CHANGED_EVERY === round ? structuredClone(it) : it));
    refreshed.push(processorMs(() => maker.of(builder.build(listed)).markets.length));
    written.push(processorMs(() => writer.write(maker.of(builder.build(listed))).generation));
  }
  const snapshot = writer.write(maker.of(builder.build(listed)));
  collectGarbage();
  const heldMib = (usedBytes() - usedBefore) / MIB;
  const [ms, baselineMs] = [median(built), median(mapped)];
  return {
    rows: [
      { name: 'catalog/build', value: ms, unit: 'ms', baseline: 'a map of the markets by id', ratio: baselineMs / ms },
      row(
        'catalog/build markets',
        listed.reduce((sum, { markets }) => sum + markets.length, 0),
        'markets',
      ),
      row('catalog/build elapsed', median(elapsed), 'ms'),
      row('catalog/build memory', heldMib, 'MiB'),
      row('catalog/refresh', median(refreshed), 'ms'),
      row('catalog/write', median(written), 'ms'),
    ],
    snapshot,
  };
}

/** Measures pages. The baseline has its objects ready, and writes JSON. */
function pageRow(snapshot: CatalogSnapshot, events: readonly VenueEvent[], options: BenchOptions): BenchRow {
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

/** Opens the snapshot for each page, as the gateway does for each request. */
function pages(snapshot: CatalogSnapshot, query: MarketQuery): (times: number) => number {
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

/** Returns the bytes of heap and buffers, including both shared memories. */
function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function processorMs(work: () => number): number {
  const began = process.cpuUsage();
  consume(work());
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e3;
}
