// An order worker: what a thread of the pool does with each task. Started by piscina, which calls `runTask`, and may call it
// again before an earlier answer has come.

import { workerData } from 'node:worker_threads';
import { proveVerification, verifySignature } from '../auth/ed25519.ts';
import { unreachable } from '../domain/result.ts';
import { monotonicUs } from '../runtime/clock.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { OrderAnswer, OrderTask, OrderWorkerData, VerifyTask } from './order-tasks.ts';

proveVerification();
const metrics = new Metrics((workerData as OrderWorkerData).metrics);
const waitTimes = metrics.histogram('pool_wait_seconds');
const verifyTimes = metrics.histogram('auth_verify_seconds');

export function runTask(task: OrderTask): OrderAnswer | Promise<OrderAnswer> {
  switch (task.kind) {
    case 'verify':
      return verifyAll(task);
    default:
      return unreachable(task.kind);
  }
}

function verifyAll({ checks }: VerifyTask): boolean[] {
  let beganUs = monotonicUs();
  return checks.map(({ check, acceptedAtUs }) => {
    metrics.observe(waitTimes, beganUs - acceptedAtUs);
    const isRight = verifySignature(check);
    const endedUs = monotonicUs();
    metrics.observe(verifyTimes, endedUs - beganUs);
    beganUs = endedUs;
    return isRight;
  });
}
