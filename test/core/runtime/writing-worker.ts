// A thread that says which it is, and then writes to a file for as long as that takes.

import { openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { ownThread } from '../../../src/core/runtime/thread-state.ts';

parentPort?.once('message', () => {
  writeSync(openSync(workerData, 'a'), 'x');
  parentPort?.postMessage('written');
});
parentPort?.postMessage(ownThread());
