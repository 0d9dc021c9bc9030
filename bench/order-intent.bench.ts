// What a submission waits for before its first byte leaves: its order, intent and promise recorded, as it is done in production, with the thread that flushes beside. Alone,
// and as many at a time as there are in flight.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../src/config.ts';
import { silentLog } from '../src/runtime/log.ts';
import { wallTimers } from '../src/runtime/timers.ts';
import { type OpenedOrderStore, openOrderStore } from '../src/store/order-store.ts';
import { LastingThread } from '../src/threads/lasting-thread.ts';
import type { StoreFlusherData } from '../src/threads/store-flusher-worker.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, percentile } from './harness.ts';
import { recordIntent, recordOutcome } from './order-workload.ts';

const IN_FLIGHT = 64;
/** Beside each other in the store before anything is measured. */
const STORED = 10_000;
const ROUND = 500;

export const suite: BenchSuite = {
  name: 'store/intent-order',
  runsMax: 1,
  async run(options) {
    const rows: BenchRow[] = [];
    for (const mode of ['process-safe', 'power-safe'] as const) rows.push(...(await measured(mode, options)));
    return rows;
  },
};

async function measured(mode: Durability, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
  const store = await openOrderStore({ folder, mode, role: 'owner', timers: wallTimers });
  const flusher = new LastingThread({
    name: 'store flusher',
    url: new URL('../src/threads/store-flusher-worker.ts', import.meta.url),
    workerData: { storeFolder: folder, logLevel: 'warn' } satisfies StoreFlusherData,
    log: silentLog,
  });
  const suffix = mode === 'process-safe' ? '' : '-power-safe';
  let next = 0;
  try {
    const stored = smoke ? 200 : STORED;
    for (; next < stored; next += ROUND) await settle(store, next, await aloneUs(store, next));
    const alone: number[] = [];
    for (const end = next + stored; next < end; next += ROUND) {
      const us = await aloneUs(store, next);
      alone.push(...us);
      await settle(store, next, us);
    }
    const began = performance.now();
    const together = smoke ? 640 : 32_000;
    const numbers = Array.from({ length: together }, (_, it) => next + it).values();
    const keepOn = async (): Promise<void> => {
      for (const number of numbers) await store.commit(to => recordIntent(to, number));
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, keepOn));
    // What is put off is not done.
    store.durable.flush();
    const perS = together / ((performance.now() - began) / 1e3);
    const row = { unit: 'µs', baseline: '', ratio: null };
    return [
      { ...row, name: `store/intent-order${suffix}`, value: percentile(alone, 0.5) },
      { ...row, name: `store/intent-order${suffix} p99`, value: percentile(alone, 0.99) },
      { ...row, name: `store/intent-order${suffix}-64`, value: perS, unit: 'intents/s' },
    ];
  } finally {
    await flusher.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a round of intents, one after the other. */
async function aloneUs(store: OpenedOrderStore, first: number): Promise<number[]> {
  const us: number[] = [];
  for (let number = first; number < first + ROUND; number++) {
    const began = performance.now();
    await store.commit(to => recordIntent(to, number));
    us.push((performance.now() - began) * 1e3);
  }
  return us;
}

/** So that no more are in flight than there would be. */
async function settle(store: OpenedOrderStore, first: number, { length }: readonly number[]): Promise<void> {
  store.change(to => {
    for (let number = first; number < first + length; number++) recordOutcome(to, number);
  });
  await store.durable.durable();
}
