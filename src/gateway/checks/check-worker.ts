// A thread of the check pool: checks signatures and reads pages of the catalog. Piscina starts the thread and calls the export that has the
// name of the task's kind.

import { threadId, workerData } from 'node:worker_threads';
import { proveVerification } from '../../core/auth/ed25519.ts';
import { keepPulse, PulseBoard } from '../../core/runtime/pulse.ts';
import { guardHeap } from '../../core/runtime/thread-state.ts';
import { type CheckAnswer, Checker, type CheckTask, type CheckWorkerData } from './checker.ts';

const data = workerData as CheckWorkerData;
proveVerification();
guardHeap();
const checker = new Checker(data);
keepPulse(data.pulseMs, new PulseBoard(data.pulses).take(threadId));

function runTask(task: CheckTask): CheckAnswer {
  return task.kind === 'verify' ? checker.verifyAll(task) : checker.list(task);
}

export { runTask as catalog, runTask as verify };
