// What it takes until an order's intent is safe, in both modes of the durable store, alone and with 64 in flight; beside
// LMDB by itself, which flushes every transaction, and which flushes none: the least that either mode can take, as both of them write
// these rows to it. In turns, so that a busy disk slows all of them alike.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Durability } from '../src/config.ts';
import { openEnvironment, openUnsyncedEnvironment } from '../src/store/lmdb.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, median, percentile } from './harness.ts';
import { INTENT_TABLES, intentRows, openIntentStore, putRows, type Row } from './store-workload.ts';

const IN_FLIGHT = 64;
const BASELINE = 'LMDB alone, every transaction flushed';
const LMDB_BYTES = 1024 * 1024 * 1024;

/** One way to keep intents: both give microseconds, of each one alone and of one among many. */
interface Keeper {
  alone(times: number): Promise<number[]>;
  together(times: number): Promise<number>;
  close(): Promise<void>;
}

export const suite: BenchSuite = {
  name: 'store',
  runsMax: 1,
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-store-bench-'));
    const keepers = [
      await durable(join(folder, 'process-safe'), 'process-safe'),
      await durable(join(folder, 'power-safe'), 'power-safe'),
      flushedLmdb(join(folder, 'lmdb')),
      unsyncedLmdb(join(folder, 'unsynced')),
    ] as const;
    try {
      return await rowsOf(keepers, options);
    } finally {
      for (const keeper of keepers) await keeper.close();
      rmSync(folder, { recursive: true });
    }
  },
};

async function rowsOf(keepers: readonly Keeper[], { smoke }: BenchOptions): Promise<BenchRow[]> {
  const [rounds, aloneTimes, togetherTimes] = smoke ? [2, 5, 2 * IN_FLIGHT] : [12, 200, 100 * IN_FLIGHT];
  const alone: number[][] = keepers.map(() => []);
  const together: number[][] = keepers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, keeper] of keepers.entries()) {
      const times = await keeper.alone(aloneTimes);
      // The first compiles.
      if (round > 0) alone[index]!.push(...times);
      const each = await keeper.together(togetherTimes);
      if (round > 0) together[index]!.push(each);
    }
  }
  const [flushed, flushedTogether] = [median(alone[2]!), median(together[2]!)];
  const kinds = [
    [0, 'process-safe'],
    [1, 'power-safe'],
    [3, 'LMDB unsynced'],
  ] as const;
  return kinds.flatMap(([index, mode]) => {
    const [p50, p99] = [median(alone[index]!), percentile(alone[index]!, 0.99)];
    const each = median(together[index]!);
    const beside = { baseline: `${BASELINE}, ${IN_FLIGHT} in each`, ratio: flushedTogether / each };
    return [
      { name: `store/intent ${mode}`, value: p50, unit: 'µs', baseline: BASELINE, ratio: flushed / p50 },
      { name: `store/intent ${mode} p99`, value: p99, unit: 'µs', baseline: '', ratio: null },
      { name: `store/intent-${IN_FLIGHT} ${mode}`, value: 1e6 / each, unit: 'intents/s', ...beside },
    ];
  });
}

async function durable(folder: string, mode: Durability): Promise<Keeper> {
  const store = await openIntentStore(folder, mode, 'owner');
  const flusher = new Worker(new URL('./store-flushing-worker.ts', import.meta.url), { workerData: folder });
  const keep = (rows: readonly Row[]) => store.commit(transaction => putRows(transaction, rows));
  const upcoming = new Intents();
  return {
    async alone(times) {
      const taken: number[] = [];
      for (const rows of upcoming.take(times)) {
        const start = process.hrtime.bigint();
        await keep(rows);
        taken.push(microsSince(start));
      }
      // Or it would go on in the turn of another.
      store.flush();
      return taken;
    },
    async together(times) {
      const intents = upcoming.take(times).values();
      const start = process.hrtime.bigint();
      const keepOn = async (): Promise<void> => {
        for (const rows of intents) await keep(rows);
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, keepOn));
      // What is put off is not done.
      store.flush();
      return microsSince(start) / times;
    },
    async close() {
      const ended = once(flusher, 'exit');
      flusher.postMessage('close');
      await ended;
      await store.close();
    },
  };
}

/** What either mode does with a row, without its journal. */
interface LmdbTransactions {
  transact(work: (put: (key: Uint8Array, value: Uint8Array) => void) => void): void;
  close(): Promise<void>;
}

function flushedLmdb(folder: string): Keeper {
  const environment = openEnvironment(folder, LMDB_BYTES);
  return lmdb({
    transact: work =>
      environment.transact(transaction => {
        work((key, value) => transaction.put(Buffer.from(key).toString('latin1'), value));
      }),
    close: () => environment.close(),
  });
}

function unsyncedLmdb(folder: string): Keeper {
  const environment = openUnsyncedEnvironment(folder, LMDB_BYTES);
  return lmdb({
    transact: work => environment.transact(() => work((key, value) => environment.put(key, value))),
    close: () => environment.close(),
  });
}

function lmdb({ transact, close }: LmdbTransactions): Keeper {
  const upcoming = new Intents();
  const keep = (rows: readonly PrefixedRow[]) =>
    transact(put => {
      for (const { key, value } of rows) put(key, value);
    });
  return {
    async alone(times) {
      return upcoming.take(times).map(intent => {
        const rows = intent.map(prefixed);
        const start = process.hrtime.bigint();
        keep(rows);
        return microsSince(start);
      });
    },
    async together(times) {
      const rows = upcoming.take(times).flatMap(intent => intent.map(prefixed));
      const rowsAtOnce = (IN_FLIGHT * rows.length) / times;
      const start = process.hrtime.bigint();
      for (let at = 0; at < rows.length; at += rowsAtOnce) keep(rows.slice(at, at + rowsAtOnce));
      return microsSince(start) / times;
    },
    close,
  };
}

type PrefixedRow = Pick<Row, 'key' | 'value'>;

/** As the durable store has it in LMDB: its table comes first. */
function prefixed({ table, key, value }: Row): PrefixedRow {
  return { key: Buffer.concat([Buffer.from([INTENT_TABLES[table]]), key]), value };
}

/** Built before the clock runs: that is the orders' work, not the store's. */
class Intents {
  #next = 0;

  take(count: number): Row[][] {
    return Array.from({ length: count }, () => intentRows(this.#next++));
  }
}

function microsSince(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1_000;
}
