// A thread that takes every operation that it is handed, as the engine does, and says which of them were its own.

import { parentPort, workerData } from 'node:worker_threads';
import { Claims } from '../../src/engine/claims.ts';

const claims = new Claims(workerData);
parentPort?.on('message', (numbers: readonly number[]) => {
  parentPort?.postMessage(numbers.filter(number => claims.take(number)));
});
