// A thread that reports its id, and then writes to a file as long as the write takes.

import { openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { ownThreadId } from '../../../src/core/runtime/thread-state.ts';

parentPort?.once('message', () => {
  writeSync(openSync(workerData, 'a'), 'x');
  parentPort?.postMessage('written');
});
parentPort?.postMessage(ownThreadId());
