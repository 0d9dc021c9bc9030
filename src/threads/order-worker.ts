// An order worker: a thread of the pool that runs tasks. Started by piscina, which calls what is named as the kind of task, and may
// call it again before an earlier answer has come. What it changes it tells the main thread as messages of order events.

import { parentPort, threadId, workerData } from 'node:worker_threads';
import { proveVerification } from '../auth/ed25519.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog } from '../runtime/log.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { PulseBoard } from '../runtime/pulse-board.ts';
import type { OrderAnswer, OrderTask, OrderWorkerData } from './order-tasks.ts';
import { openTaskRunner } from './task-runner.ts';
import { toldTogether } from './told-together.ts';

const data = workerData as OrderWorkerData;
proveVerification();
guardHeap();
const runner = await openTaskRunner(data, {
  isShared: true,
  log: createLog('orders', { level: data.desk?.logLevel ?? 'warn' }),
  tell: toldTogether(events => parentPort?.postMessage(events)),
});
keepPulse(data.pulseMs, new PulseBoard(data.pulses).take(threadId));

export function runTask(task: OrderTask): OrderAnswer | Promise<OrderAnswer> {
  return runner.run(task);
}

export { runTask as close, runTask as operate, runTask as verify };
