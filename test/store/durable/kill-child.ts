// A process whose three threads write to one store until it is killed, and say each commit once it is acknowledged.
// `node kill-child.ts FOLDER`: the main thread owns the store, its threads run this file again.

import { writeSync } from 'node:fs';
import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads';
import type { Transaction } from '../../../src/store/durable/tables.ts';
import { bytesOf, openStore, type Table, textOf } from './store-rig.ts';

const MEMBERS = 2;
/** Commits between checkpoints. */
const CHECKPOINT_EVERY = 150;
const FLUSH_EVERY = 7;

const folder: string = isMainThread ? (process.argv[2] ?? '') : workerData;
const store = await openStore(folder, {
  role: isMainThread ? 'owner' : 'member',
  bounds: { storeSegmentBytes: 20_000, storeSyncDelayMs: 4 },
});
if (isMainThread)
  for (let member = 0; member < MEMBERS; member++) new Worker(new URL(import.meta.url), { workerData: folder });

const countIn = (transaction: Transaction<Table>, key: string): number =>
  Number(textOf(transaction.get('right', bytesOf(key)) ?? bytesOf('0')));

/** One row of this thread's, its count of them, and the count of everybody's. */
function write(transaction: Transaction<Table>): number {
  const own = countIn(transaction, `thread${threadId}`) + 1;
  transaction.put('left', bytesOf(`${threadId}:${own}`), bytesOf('x'.repeat(own % 700)));
  transaction.put('right', bytesOf(`thread${threadId}`), bytesOf(String(own)));
  transaction.put('last', bytesOf('total'), bytesOf(String(total(transaction) + 1)));
  return own;
}

function total(transaction: Transaction<Table>): number {
  return Number(textOf(transaction.get('last', bytesOf('total')) ?? bytesOf('0')));
}

/** Pipes of Node do not wait when they are full. */
function say(line: string): void {
  for (;;) {
    try {
      return void writeSync(1, line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

for (let round = 1; ; round++) {
  say(`${threadId} ${store.transact(write)}\n`);
  const grouped = await Promise.all([store.commit(write), store.commit(write)]);
  for (const own of grouped) say(`${threadId} ${own}\n`);
  if (round % FLUSH_EVERY === 0) store.flush();
  if (isMainThread && round % CHECKPOINT_EVERY === 0) await store.checkpoint();
}
