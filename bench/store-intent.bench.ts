// The time until an order's intent is safe: one step of the engine, appended to the journal (process-safe) or also on disk (power-safe). Measured
// alone and with 64 in flight. The same records also go to LMDB alone, which syncs every transaction. The stores take turns, so that a busy disk
// slows all alike.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../src/config.ts';
import { HistoryTables } from '../src/orders/history/tables.ts';
import { NO_ARCHIVE } from '../src/orders/ledger/archive.ts';
import { EngineStore } from '../src/orders/ledger/engine-store.ts';
import { writeOrders } from '../test/support/write-orders.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, median, percentile, row } from './harness.ts';
import { openJournal, recordIntent, recordOutcome } from './order-workload.ts';

const IN_FLIGHT = 64;
const BASELINE = 'LMDB alone, every transaction synced';

/** One way to store intents. Both functions return microseconds, for single intents and for one intent among many. */
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
      engine(join(folder, 'process-safe'), 'process-safe'),
      engine(join(folder, 'power-safe'), 'power-safe'),
      syncedLmdb(join(folder, 'lmdb')),
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
      // The first round compiles the code.
      if (round > 0) alone[index]!.push(...times);
      const each = await keeper.together(togetherTimes);
      if (round > 0) together[index]!.push(each);
    }
  }
  const [synced, syncedTogether] = [median(alone[2]!), median(together[2]!)];
  return (['process-safe', 'power-safe'] as const).flatMap((mode, index) => {
    const [p50, p99] = [median(alone[index]!), percentile(alone[index]!, 0.99)];
    const each = median(together[index]!);
    const beside = { baseline: `${BASELINE}, ${IN_FLIGHT} in each`, ratio: syncedTogether / each };
    return [
      { name: `store/intent ${mode}`, value: p50, unit: 'µs', baseline: BASELINE, ratio: synced / p50 },
      row(`store/intent ${mode} p99`, p99, 'µs'),
      { name: `store/intent-${IN_FLIGHT} ${mode}`, value: 1e6 / each, unit: 'intents/s', ...beside },
    ];
  });
}

function engine(folder: string, mode: Durability): Keeper {
  const journal = openJournal(folder, 1, () => {});
  const store = new EngineStore(NO_ARCHIVE, mode).appendTo(journal);
  const keep = async (number: number): Promise<void> => {
    store.change(step => recordIntent(step, number));
    await store.durable();
  };
  let next = 0;
  /** Bounds the number in flight. Everything is on disk before the next store has its turn. */
  const settle = async (count: number): Promise<void> => {
    for (const end = next + count; next < end; next++) store.change(step => recordOutcome(step, next));
    await journal.durable();
  };
  return {
    async alone(times) {
      const taken: number[] = [];
      for (let number = next; number < next + times; number++) {
        const began = performance.now();
        await keep(number);
        taken.push((performance.now() - began) * 1e3);
      }
      await settle(times);
      return taken;
    },
    async together(times) {
      const numbers = Array.from({ length: times }, (_, it) => next + it).values();
      const began = performance.now();
      const keepOn = async (): Promise<void> => {
        for (const number of numbers) await keep(number);
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, keepOn));
      const us = (performance.now() - began) * 1e3;
      await settle(times);
      return us / times;
    },
    close: () => journal.close(),
  };
}

function syncedLmdb(folder: string): Keeper {
  const tables = HistoryTables.open(folder);
  let next = 0;
  const keep = (count: number): number => {
    const began = performance.now();
    tables.change(transaction => {
      writeOrders(transaction, writer => {
        for (const end = next + count; next < end; next++) recordIntent(writer, next);
      });
    });
    return (performance.now() - began) * 1e3;
  };
  return {
    alone: async times => Array.from({ length: times }, () => keep(1)),
    async together(times) {
      let us = 0;
      for (let kept = 0; kept < times; kept += IN_FLIGHT) us += keep(IN_FLIGHT);
      return us / times;
    },
    close: () => tables.close(),
  };
}
