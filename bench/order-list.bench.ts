// Pages of an actor's orders at random places of a long list and a short list, which must cost the same. This is the history alone, without HTTP.
// Also measures how long the engine takes to load its part of the long list, and the disk space of an order. Both are shown as they grow with the
// list.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usedBytes } from '../src/core/store/lmdb-files.ts';
import type { HistoryReads, OrderEventRecord, OrderQuery } from '../src/core/store/order-records.ts';
import { OrderReader } from '../src/core/store/orders/order-reader.ts';
import type { OrderWriter } from '../src/core/store/orders/order-writer.ts';
import { HistoryArchive } from '../src/orders/history/archive.ts';
import { HistoryTables } from '../src/orders/history/tables.ts';
import { NO_ARCHIVE } from '../src/orders/ledger/archive.ts';
import { EngineLedger } from '../src/orders/ledger/state/engine-ledger.ts';
import { writeOrders } from '../test/support/write-orders.ts';
import {
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  compare,
  measure,
  median,
  randomNumbers,
  row,
} from './harness.ts';
import {
  ACTOR,
  openJournal,
  orderIdOf,
  POD,
  recordIntent,
  recordOrder,
  recordOutcome,
  timeOf,
  tokenOf,
} from './order-workload.ts';
import { scalingRow } from './scaling-measures.ts';

const PAGE_ROWS = 100;
const BATCH = 1_000;
const SHORT = 1_000;
const LONG = 1_000_000;
/** Lengths at which the long list is measured. */
const COUNTS = [1_000, 10_000, 100_000, LONG];
const SMOKE_COUNTS = [1_000, 3_000];
const LONGEST = 10_000_000;
/** The number of intents, each recorded in its own step. The second half is measured, since the first half compiles the code. */
const INTENTS = 1_000;
const ACCOUNTS = [{ podId: POD, venue: 'venue_a' }] as const;
/** The number of orders for the size of an order on disk. */
const LIVES = 20_000;

export const suite: BenchSuite = {
  name: 'order/list',
  rowNames: ['order/list', 'scaling/orders'],
  runsMax: 1,
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    try {
      return await measured(folder, options);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measured(folder: string, { smoke, isLong = false }: BenchOptions): Promise<BenchRow[]> {
  const counts = smoke ? SMOKE_COUNTS : isLong ? [...COUNTS, LONGEST] : COUNTS;
  const longSize = counts.at(-1)!;
  const shortSize = smoke ? 500 : SHORT;
  const short = listOf(join(folder, 'short'), { from: 0, to: shortSize });
  const grown = await scalingRows(join(folder, 'long'), counts, { smoke });
  const began = performance.now();
  const long = HistoryTables.open(join(folder, 'long'));
  load(long, longSize);
  const startMs = performance.now() - began;

  const lists = { long: readerOf(long), longSize, short: readerOf(short), shortSize };
  const rows = [
    ...pageRows('order/list-page', { address: null, status: null }, lists, { smoke }),
    ...pageRows('order/list-page-status', { address: null, status: 'CANCELLED' }, lists, { smoke }),
    marketRow(lists.long, longSize, { smoke }),
    row('order/list-start', startMs, 'ms'),
  ];
  await long.close();
  await short.close();
  return [...rows, ...grown, ...(await sizeRows(folder, smoke ? 2_000 : LIVES))];
}

/** Measures one growing list, which is opened anew at each length. */
async function scalingRows(folder: string, counts: readonly number[], options: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [index, count] of counts.entries()) {
    await listOf(folder, { from: counts[index - 1] ?? 0, to: count }).close();
    const began = performance.now();
    const tables = HistoryTables.open(folder);
    const state = load(tables, count);
    rows.push(
      scalingRow('orders-open', count, performance.now() - began),
      scalingRow('orders-disk', count, usedBytes(folder) / 1e6),
      scalingRow('orders-intent', count, await intentUs(`${folder}-${count}`, state, count)),
    );
    const reader = readerOf(tables);
    const pageNs = measure(pages(reader, count, { address: null, status: null }), options);
    rows.push(scalingRow('orders-page', count, pageNs / 1e3));
    await tables.close();
  }
  return rows;
}

/** Loads the state as a start does, some seconds after the last order. */
function load(tables: HistoryTables, count: number): EngineLedger {
  const archive = new HistoryArchive(tables);
  const state = new EngineLedger(archive);
  state.load(archive.live(ACCOUNTS, timeOf(count)));
  archive.release();
  return state;
}

/** Returns reads of one moment, as the history thread makes them. */
function readerOf(tables: HistoryTables): HistoryReads {
  tables.refresh();
  return new OrderReader(tables);
}

/** Returns the median time of orders beyond the end of the list, whose look-ups all miss memory. */
async function intentUs(folder: string, state: EngineLedger, count: number): Promise<number> {
  const journal = openJournal(folder, 1, () => {});
  const ledger = state.appendTo(journal);
  const us: number[] = [];
  for (let number = count; number < count + INTENTS; number++) {
    const began = performance.now();
    ledger.change(step => recordIntent(step, number));
    us.push((performance.now() - began) * 1e3);
    ledger.change(step => recordOutcome(step, number));
  }
  await journal.close();
  return median(us.slice(INTENTS / 2));
}

/** Returns the disk space of an order that was recorded, sent and ended, with its promise, answer and event. */
async function sizeRows(folder: string, lives: number): Promise<BenchRow[]> {
  const [history, records] = [join(folder, 'lives'), join(folder, 'journal')];
  const tables = HistoryTables.open(history);
  const journal = openJournal(records, 1, () => {});
  const ledger = new EngineLedger(NO_ARCHIVE).appendTo(journal);
  let cursor = 0;
  for (let first = 0; first < lives; first += BATCH) {
    for (const record of [recordIntent, recordOutcome]) {
      write(tables, writer => {
        const appendEvent = (event: Omit<OrderEventRecord, 'cursor'>): OrderEventRecord => {
          cursor += 1;
          const numbered = { ...event, cursor };
          writer.putEvent(numbered);
          return numbered;
        };
        const to = Object.assign(writer, { appendEvent });
        for (let number = first; number < first + BATCH; number++) record(to, number);
      });
      for (let number = first; number < first + BATCH; number++) ledger.change(step => void record(step, number));
    }
  }
  await journal.close();
  await tables.close();
  const journalBytes = readdirSync(records).reduce((sum, name) => sum + statSync(join(records, name)).size, 0);
  return [
    row('order/list-state-bytes', usedBytes(history) / lives, 'B an order'),
    row('order/list-journal-bytes', journalBytes / lives, 'B an order'),
  ];
}

type Filter = Pick<OrderQuery, 'address' | 'status'>;

interface Lists {
  readonly long: HistoryReads;
  readonly longSize: number;
  readonly short: HistoryReads;
  readonly shortSize: number;
}

function pageRows(name: string, filter: Filter, { long, longSize, short, shortSize }: Lists, options: BenchOptions) {
  const { ns, baselineNs, ratio } = compare(pages(long, longSize, filter), pages(short, shortSize, filter), options);
  return [
    { name, value: ns / 1e3, unit: 'µs', baseline: `a page out of ${shortSize}`, ratio },
    row(`${name}-short`, baselineNs / 1e3, 'µs'),
  ];
}

/** Measures a page of one market. One row in a hundred is of the market, so a page reads a hundred places of the list that are not cached. */
function marketRow(long: HistoryReads, longSize: number, options: BenchOptions): BenchRow {
  const ns = measure(pages(long, longSize, { address: tokenOf(1), status: null }), options);
  return row('order/list-page-market', ns / 1e3, 'µs');
}

/** Reads pages of 100 rows. */
function pages(reads: HistoryReads, size: number, filter: Filter): (times: number) => number {
  const random = randomNumbers(size);
  return times => {
    let rows = 0;
    for (let page = 0; page < times; page++) {
      // These places have a whole page of older orders.
      const place = Math.floor(size * (0.3 + 0.7 * random()));
      const after = { createdAt: timeOf(place), orderId: orderIdOf(place) };
      rows += reads.orders({ actorId: ACTOR, venue: 'venue_a', ...filter, after, rowsMax: PAGE_ROWS }).length;
    }
    return rows;
  };
}

function listOf(folder: string, { from, to }: { readonly from: number; readonly to: number }): HistoryTables {
  const tables = HistoryTables.open(folder);
  for (let first = from; first < to; first += BATCH) {
    const end = Math.min(to, first + BATCH);
    write(tables, writer => {
      for (let number = first; number < end; number++) recordOrder(writer, number);
    });
  }
  return tables;
}

function write(tables: HistoryTables, work: (writer: OrderWriter) => void): void {
  tables.change(transaction => writeOrders(transaction, work));
}
