// A thread that reports its start, beats on command, and ends on request: for the test of lasting threads.

import { parentPort, workerData } from 'node:worker_threads';
import { Pulse } from '../../../src/core/runtime/pulse.ts';

const pulse = new Pulse(workerData.pulse);
parentPort!.on('message', message => {
  if (message === 'beat') pulse.beat();
  parentPort!.postMessage(message === 'beat' ? 'beaten' : 'bye');
  if (message === 'close') parentPort!.close();
});
parentPort!.postMessage(`here with ${workerData.word}`);
