// An order worker: what a thread of the pool does with each task. Started by piscina, which calls `runTask`, and may call it
// again before an earlier answer has come. What it changes it tells the main thread as messages of order events.

import { parentPort, workerData } from 'node:worker_threads';
import { proveVerification, verifySignature } from '../auth/ed25519.ts';
import { assert, unreachable } from '../domain/result.ts';
import { monotonicUs } from '../runtime/clock.ts';
import { createLog } from '../runtime/log.ts';
import { Metrics } from '../runtime/metrics.ts';
import { type OrderDesk, openOrderDesk } from './order-desk.ts';
import type {
  HandedCheck,
  OperateTask,
  OperationReply,
  OrderAnswer,
  OrderTask,
  OrderWorkerData,
  VerifyTask,
} from './order-tasks.ts';
import { Stopwatch } from './stopwatch.ts';

const { metrics: metricsParts, desk: deskData } = workerData as OrderWorkerData;
proveVerification();
const metrics = new Metrics(metricsParts);
const waitTimes = metrics.histogram('pool_wait_seconds');
const verifyTimes = metrics.histogram('auth_verify_seconds');
const desk = await openDesk();

export function runTask(task: OrderTask): OrderAnswer | Promise<OrderAnswer> {
  switch (task.kind) {
    case 'verify':
      return verifyAll(task);
    case 'operate':
      return operate(task);
    default:
      return unreachable(task);
  }
}

function verifyAll({ checks }: VerifyTask): boolean[] {
  let beganUs = monotonicUs();
  return checks.map(handed => {
    const isRight = verify(handed, beganUs);
    beganUs = monotonicUs();
    return isRight;
  });
}

async function operate({ handed, operation, startedAtUs, triedAt }: OperateTask): Promise<OperationReply | null> {
  const stopwatch = new Stopwatch(startedAtUs);
  stopwatch.passed('parse');
  if (handed !== null && !verify(handed, monotonicUs())) return null;
  stopwatch.passed('auth');
  assert(desk !== null, 'operations are for threads with a desk');
  return desk.perform(operation, stopwatch, triedAt);
}

function verify({ check, acceptedAtUs }: HandedCheck, beganUs: number): boolean {
  metrics.observe(waitTimes, beganUs - acceptedAtUs);
  const isRight = verifySignature(check);
  metrics.observe(verifyTimes, monotonicUs() - beganUs);
  return isRight;
}

async function openDesk(): Promise<OrderDesk | null> {
  if (deskData === null) return null;
  const log = createLog('orders', { level: deskData.logLevel });
  return openOrderDesk(deskData, {
    log,
    tell: events => parentPort?.postMessage(events),
    diverged: (kind, detail) => {
      metrics.add(metrics.counter('order_divergences_total', kind));
      log.warn('diverged', { kind, ...detail });
    },
  });
}
