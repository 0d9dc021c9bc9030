// A thread that keeps its pulse. From a message on it stands still until its gate is opened.

import { parentPort, workerData } from 'node:worker_threads';
import { keepPulse } from '../../../src/core/runtime/pulse.ts';

keepPulse(1);
parentPort!.on('message', (message: 'hang' | 'close') => {
  if (message === 'close') return parentPort!.close();
  parentPort!.postMessage('hangs');
  Atomics.wait(new Int32Array(workerData.gate), 0, 0);
});
