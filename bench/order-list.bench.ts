// Pages of an actor's orders at random places of a long list and of a short one: they must cost the same. The store alone,
// without HTTP. Also: how long a start takes with all of them stored, and what an order costs on disk; and how all of that grows
// with the list.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallTimers } from '../src/runtime/timers.ts';
import { usedBytes } from '../src/store/lmdb-files.ts';
import type { OrderQuery } from '../src/store/order-records.ts';
import { type OpenedOrderStore, openOrderStore } from '../src/store/order-store.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, compare, consume, measure, median } from './harness.ts';
import { ACTOR, orderIdOf, POD, recordIntent, recordOrder, recordOutcome, timeOf, tokenOf } from './order-workload.ts';
import { randomNumbers } from './random-numbers.ts';
import { scalingRow } from './scaling-measures.ts';

const PAGE_ROWS = 100;
const BATCH = 1_000;
const SHORT = 1_000;
const LONG = 1_000_000;
/** The long list is measured when it has grown to each of them. */
const COUNTS = [1_000, 10_000, 100_000, LONG];
const SMOKE_COUNTS = [1_000, 3_000];
const LONGEST = 10_000_000;
/** Recorded alone, each a transaction of its own; the second half of them is measured, as the disk has to take the list before. */
const INTENTS = 1_000;
/** For the size of an order on disk. */
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
  const short = await listOf(join(folder, 'short'), { from: 0, to: shortSize });
  // As the long one is: in the gateway a thread does so within milliseconds.
  short.durable.flush();
  const grown = await scalingRows(join(folder, 'long'), counts, { smoke });
  const began = performance.now();
  const long = await opened(join(folder, 'long'));
  for (const { order } of long.openOrders({ podId: POD, venue: 'venue_a' })) consume(order.createdAt);
  const startMs = performance.now() - began;

  const stores = { long, longSize, short, shortSize };
  const rows = [
    ...pageRows('order/list-page', { address: null, status: null }, stores, { smoke }),
    ...pageRows('order/list-page-status', { address: null, status: 'CANCELLED' }, stores, { smoke }),
    marketRow(long, longSize, { smoke }),
    single('order/list-start', startMs, 'ms'),
  ];
  await long.close();
  await short.close();
  return [...rows, ...grown, ...(await sizeRows(join(folder, 'lives'), smoke ? 2_000 : LIVES))];
}

/** One list that grows, opened anew at each of its lengths. */
async function scalingRows(folder: string, counts: readonly number[], options: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [index, count] of counts.entries()) {
    await (await listOf(folder, { from: counts[index - 1] ?? 0, to: count })).close();
    const began = performance.now();
    const store = await opened(folder);
    for (const { order } of store.openOrders({ podId: POD, venue: 'venue_a' })) consume(order.createdAt);
    rows.push(
      scalingRow('orders-open', count, performance.now() - began),
      scalingRow('orders-disk', count, usedBytes(join(folder, 'state')) / 1e6),
      scalingRow('orders-page', count, measure(pages(store, count, { address: null, status: null }), options) / 1e3),
      scalingRow('orders-intent', count, await intentUs(store, count)),
    );
    await store.close();
  }
  return rows;
}

/** Median of some beyond the end of the list, which come into it later; settled, so that no more are open than there would be. */
async function intentUs(store: OpenedOrderStore, count: number): Promise<number> {
  const us: number[] = [];
  for (let number = count; number < count + INTENTS; number++) {
    const began = performance.now();
    await store.commit(to => recordIntent(to, number));
    us.push((performance.now() - began) * 1e3);
  }
  store.change(to => {
    for (let number = count; number < count + INTENTS; number++) recordOutcome(to, number);
  });
  await store.durable.durable();
  return median(us.slice(INTENTS / 2));
}

/** What an order costs on disk that was recorded, sent and ended, with its promise, answer and event. */
async function sizeRows(folder: string, lives: number): Promise<BenchRow[]> {
  const store = await opened(folder);
  for (let first = 0; first < lives; first += BATCH) {
    for (const record of [recordIntent, recordOutcome]) {
      store.change(to => {
        for (let number = first; number < first + BATCH; number++) record(to, number);
      });
    }
    await store.durable.durable();
  }
  const journalBytes = bytesIn(folder, /^journal-/) / lives;
  await store.close();
  const stateBytes = usedBytes(join(folder, 'state')) / lives;
  return [
    single('order/list-state-bytes', stateBytes, 'B an order'),
    single('order/list-journal-bytes', journalBytes, 'B an order'),
  ];
}

type Filter = Pick<OrderQuery, 'address' | 'status'>;

interface Stores {
  readonly long: OpenedOrderStore;
  readonly longSize: number;
  readonly short: OpenedOrderStore;
  readonly shortSize: number;
}

function pageRows(name: string, filter: Filter, { long, longSize, short, shortSize }: Stores, options: BenchOptions) {
  const { ns, baselineNs, ratio } = compare(pages(long, longSize, filter), pages(short, shortSize, filter), options);
  return [
    { name, value: ns / 1e3, unit: 'µs', baseline: `a page out of ${shortSize}`, ratio },
    single(`${name}-short`, baselineNs / 1e3, 'µs'),
  ];
}

/** One row in a hundred is of the market: a hundred places of the list are read, where nothing has been read lately. */
function marketRow(long: OpenedOrderStore, longSize: number, options: BenchOptions): BenchRow {
  const ns = measure(pages(long, longSize, { address: tokenOf(1), status: null }), options);
  return single('order/list-page-market', ns / 1e3, 'µs');
}

/** Pages of 100. */
function pages(store: OpenedOrderStore, size: number, filter: Filter): (times: number) => number {
  const random = randomNumbers(size);
  return times => {
    let rows = 0;
    for (let page = 0; page < times; page++) {
      // Where a whole page of the list is older.
      const place = Math.floor(size * (0.3 + 0.7 * random()));
      const after = { createdAt: timeOf(place), orderId: orderIdOf(place) };
      rows += store.orders({ actorId: ACTOR, venue: 'venue_a', ...filter, after, rowsMax: PAGE_ROWS }).length;
    }
    return rows;
  };
}

async function listOf(
  folder: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OpenedOrderStore> {
  const store = await opened(folder);
  for (let first = from; first < to; first += BATCH) {
    const end = Math.min(to, first + BATCH);
    store.change(transaction => {
      for (let number = first; number < end; number++) recordOrder(transaction, number);
    });
    await store.durable.durable();
  }
  return store;
}

function opened(folder: string): Promise<OpenedOrderStore> {
  return openOrderStore({ folder, mode: 'process-safe', role: 'owner', timers: wallTimers });
}

function bytesIn(folder: string, names: RegExp): number {
  const files = readdirSync(folder).filter(name => names.test(name));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function single(name: string, value: number, unit: string): BenchRow {
  return { name, value, unit, baseline: '', ratio: null };
}
