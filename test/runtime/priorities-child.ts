// Reports the nice value of each of its threads: the names of the process's own threads, and of two workers.

import '../../src/runtime/v8-flags.ts';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { giveWay } from '../../src/runtime/thread-priority.ts';
import { ownThread } from '../../src/runtime/thread-state.ts';

/** In /proc/…/stat, behind the name in parentheses. */
const NICE_AT = 16;

function niceOf(thread: string): number {
  const text = readFileSync(`/proc/${thread}/stat`, 'latin1');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[NICE_AT]);
}

if (isMainThread) {
  const others = readdirSync('/proc/self/task').filter(it => Number(it) !== process.pid);
  const helpers = others.map(it => niceOf(`self/task/${it}`));
  const nices = { main: niceOf('self'), helpers };
  for (const givesWay of [false, true]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: givesWay });
    const ended = once(worker, 'exit');
    const [nice] = await once(worker, 'message');
    await ended;
    Object.assign(nices, { [givesWay ? 'yielding' : 'worker']: nice });
  }
  // Starts libuv's threads.
  await stat('.');
  const pool = readdirSync('/proc/self/task').filter(it => nameOf(it) === 'libuv-worker\n');
  console.log(JSON.stringify({ ...nices, pool: pool.map(it => niceOf(`self/task/${it}`)) }));
} else {
  if (workerData === true) giveWay();
  parentPort!.postMessage(niceOf(ownThread()!));
}

function nameOf(thread: string): string {
  return readFileSync(`/proc/self/task/${thread}/comm`, 'latin1');
}
