// The engine's work for an order between request and venue, and after the answer. These are two steps, each decided, appended to the journal and
// applied. The engine has no archive here: a look-up that misses memory costs one more LMDB read (`scaling/orders-intent`).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { NO_ARCHIVE } from '../src/orders/ledger/archive.ts';
import { EngineLedger } from '../src/orders/ledger/state/engine-ledger.ts';
import { type BenchSuite, median, percentile, row } from './harness.ts';
import { openJournal, recordIntent, recordOutcome } from './order-workload.ts';

const ROUNDS = 20;

export const suite: BenchSuite = {
  name: 'engine/step',
  runsMax: 1,
  async run({ smoke }) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const journal = openJournal(folder, 1, () => {});
    const ledger = new EngineLedger(NO_ARCHIVE).appendTo(journal);
    const next = { intent: 0, outcome: 0 };
    const us = { intent: [] as number[], outcome: [] as number[] };
    try {
      const perRound = smoke ? 20 : 500;
      for (let round = 0; round < (smoke ? 2 : ROUNDS); round++) {
        const bench = new Bench({ iterations: perRound, time: 0, warmup: false, throws: true, retainSamples: true });
        bench.add('intent', () => ledger.change(step => recordIntent(step, next.intent++)));
        bench.add('outcome', () => ledger.change(step => recordOutcome(step, next.outcome++)));
        for (const { name, result } of bench.runSync()) {
          // The first round compiles the code.
          if (round === 0 || result.state !== 'completed') continue;
          for (const ms of result.latency.samples ?? []) us[name as keyof typeof us].push(ms * 1e3);
        }
        await journal.durable();
      }
      return (['intent', 'outcome'] as const).flatMap(what => [
        row(`engine/step ${what}`, median(us[what]), 'µs'),
        row(`engine/step ${what} p99`, percentile(us[what], 0.99), 'µs'),
      ]);
    } finally {
      await journal.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
