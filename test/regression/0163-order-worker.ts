// An order worker whose third one dies while it starts, as it does what a check's message says: `transact`, without end, so that it is nearly
// always in the midst of a transaction, or `die`, unless it does that.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderAnswer, OrderTask } from '../../src/threads/order-tasks.ts';
import { bytesOf, openStore } from '../store/durable/store-rig.ts';

const TRANSACTION_MS = 20;
const { FOLDER = '' } = process.env;

if (start() === 3) process.exit(3);
const store = await openStore(join(FOLDER, 'store'), { role: 'member' });
let isTransacting = false;

function runTask(task: OrderTask): OrderAnswer | Promise<OrderAnswer> {
  if (task.kind === 'close') return close();
  const checks = task.kind === 'verify' ? task.checks : [];
  for (const { check } of checks) {
    if (check.message === 'transact') isTransacting = true;
    else if (!isTransacting) return dies();
  }
  if (isTransacting) transact();
  return checks.map(() => true);
}

function start(): number {
  for (let number = 1; ; number += 1) {
    try {
      mkdirSync(join(FOLDER, `start-${number}`));
      return number;
    } catch {
      // It is taken by an earlier one.
    }
  }
}

function dies(): Promise<never> {
  setImmediate(() => {
    throw new Error('ended by the test');
  });
  return new Promise(() => {});
}

function transact(): void {
  if (!isTransacting) return;
  store.transact(to => {
    to.put('left', bytesOf('a'), bytesOf('1'));
    for (const until = performance.now() + TRANSACTION_MS; performance.now() < until; );
  });
  setImmediate(transact);
}

async function close(): Promise<null> {
  isTransacting = false;
  await store.close();
  return null;
}

export { runTask as close, runTask as operate, runTask as verify };
