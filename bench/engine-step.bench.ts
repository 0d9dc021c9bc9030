// What the engine does of an order between its request and the venue, and after the answer: two steps, each decided, appended to the
// journal and applied. Beside it, in turns, the multi-writer store's commits of the same records. Behind the engine is a history with
// orders in it: what is not in memory is looked for there.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineLedger } from '../src/engine/state/engine-ledger.ts';
import { LedgerState } from '../src/engine/state/state.ts';
import { HistoryArchive } from '../src/history/archive.ts';
import { HistoryTables } from '../src/history/tables.ts';
import { Journal } from '../src/journal/journal.ts';
import { limits } from '../src/limits.ts';
import { wallTimers } from '../src/runtime/timers.ts';
import { nodeFiles } from '../src/store/files.ts';
import type { OrderTransaction } from '../src/store/order-records.ts';
import { openOrderStore } from '../src/store/order-store.ts';
import { OrderWriter } from '../src/store/orders/order-writer.ts';
import type { Changed } from '../test/store/orders/lives.ts';
import { type BenchRow, type BenchSuite, median, percentile } from './harness.ts';
import { recordIntent, recordOrder, recordOutcome } from './order-workload.ts';

const ROUNDS = 20;
/** Of the history. */
const OLD_ORDERS = 100_000;
const OLD_ORDERS_PER_COMMIT = 1_000;
const BASELINE = 'the same commits of the multi-writer store';

export const suite: BenchSuite = {
  name: 'engine/step',
  runsMax: 1,
  async run({ smoke }) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const options = { folder: join(folder, 'engine'), files: nodeFiles, timers: wallTimers };
    const { storeSegmentBytes: segmentBytes, storeSyncDelayMs: syncDelayMs } = limits;
    const journal = Journal.open({ ...options, segmentBytes, syncDelayMs }, 1, () => {});
    const tables = HistoryTables.open(join(folder, 'history'));
    fill(tables, smoke ? OLD_ORDERS_PER_COMMIT : OLD_ORDERS);
    const archive = new HistoryArchive(tables, () => 0);
    const ledger = new EngineLedger(new LedgerState(archive), journal);
    const store = await openOrderStore({
      folder: join(folder, 'store'),
      mode: 'process-safe',
      role: 'owner',
      timers: wallTimers,
      gathersCommits: false,
    });
    const ways = [
      (work: (to: Changed) => void) => ledger.change(work),
      (work: (to: Changed) => void) => store.change(work),
    ];
    const us = ways.map(() => ({ intent: [] as number[], outcome: [] as number[] }));
    try {
      const perRound = smoke ? 20 : 500;
      for (let round = 0; round < (smoke ? 2 : ROUNDS); round++) {
        for (const [way, change] of ways.entries()) {
          for (let number = round * perRound; number < (round + 1) * perRound; number++) {
            const began = performance.now();
            change(to => void recordIntent(to as OrderTransaction, number));
            const between = performance.now();
            change(to => recordOutcome(to as OrderTransaction, number));
            // The first round compiles.
            if (round === 0) continue;
            us[way]!.intent.push((between - began) * 1e3);
            us[way]!.outcome.push((performance.now() - between) * 1e3);
          }
          await (way === 0 ? journal.durable() : store.durable.durable());
        }
      }
      const [engine, before] = us as [(typeof us)[0], (typeof us)[0]];
      return (['intent', 'outcome'] as const).flatMap((what): BenchRow[] => {
        const [p50, p99, beside] = [median(engine[what]), percentile(engine[what], 0.99), median(before[what])];
        return [
          { name: `engine/step ${what}`, value: p50, unit: 'µs', baseline: BASELINE, ratio: beside / p50 },
          { name: `engine/step ${what} p99`, value: p99, unit: 'µs', baseline: '', ratio: null },
        ];
      });
    } finally {
      await journal.close();
      await store.close();
      await tables.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** With orders of other numbers than those that are measured. */
function fill(tables: HistoryTables, orders: number): void {
  const from = OLD_ORDERS;
  for (let first = from; first < from + orders; first += OLD_ORDERS_PER_COMMIT) {
    tables.follow(first - from + 1, transaction => {
      const writer = new OrderWriter(transaction, 1);
      for (let number = first; number < first + OLD_ORDERS_PER_COMMIT; number++) recordOrder(writer, number);
    });
  }
}
