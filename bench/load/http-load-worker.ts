// Callers of an HTTP server on one thread, for a given time. Requests are signed in advance, for many keys. All requests differ, but they repeat
// once all have been sent.

import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from './clock.ts';
import { HttpLoad, type RequestSource } from './http-load.ts';
import { type BenchKey, requestBytes, signedRequests } from './http-signing.ts';
import type { LoadPlan, LoadRequest } from './messages.ts';

export interface LoadWorkerData {
  readonly keys: readonly BenchKey[];
}

const { keys } = workerData as LoadWorkerData;

/** Returns the source of requests. Its time starts with the first request. */
function sourceOf({ target, isSigned, durationMs }: LoadPlan): RequestSource {
  const requests = isSigned ? signedRequests(keys, target) : [requestBytes(target, {})];
  let sent = 0;
  let endMs = Number.NaN;
  return {
    next: dueMs => {
      if (sent === 0) endMs = monotonicMs() + durationMs;
      return dueMs < endMs ? requests[sent++ % requests.length]! : null;
    },
    answered: (status, answer) => {
      if (status !== 200) throw new Error(`not 200: ${answer.toString('latin1')}`);
    },
  };
}

let prepared: HttpLoad | null = null;

parentPort!.on('message', async (request: LoadRequest) => {
  if (request.op === 'prepare') {
    prepared = await HttpLoad.prepare(request.plan, sourceOf(request.plan));
    parentPort!.postMessage(null);
    return;
  }
  parentPort!.postMessage(await prepared!.run());
});
