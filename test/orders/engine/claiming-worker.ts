// A thread that claims every operation that it gets, as the engine does, and reports the operations that it won.

import { parentPort, workerData } from 'node:worker_threads';
import { Claims } from '../../../src/orders/engine/claims.ts';

const claims = new Claims(workerData);
parentPort?.on('message', (numbers: readonly number[]) => {
  parentPort?.postMessage(numbers.filter(number => claims.take(number)));
});
