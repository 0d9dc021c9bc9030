// Reports its own nice value and those of two workers. One of the workers gives way.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { lowerPriority, ownThreadId } from '../../../src/core/runtime/thread-state.ts';

/** The place of the nice value in /proc/…/stat, behind the name in parentheses. */
const NICE_AT = 16;

function niceOf(thread: string): number {
  const text = readFileSync(`/proc/${thread}/stat`, 'latin1');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[NICE_AT]);
}

async function niceOfWorker(givesWay: boolean): Promise<number> {
  const [nice] = await once(new Worker(new URL(import.meta.url), { workerData: givesWay }), 'message');
  return nice;
}

if (isMainThread) {
  const nices = { yielding: await niceOfWorker(true), worker: await niceOfWorker(false), main: niceOf('self') };
  console.log(JSON.stringify(nices));
} else {
  if (workerData === true) lowerPriority();
  parentPort!.postMessage(niceOf(ownThreadId()!));
}
