// A thread that says that it is there, and ends when it is asked to: for the test of lasting threads.

import { parentPort, workerData } from 'node:worker_threads';

parentPort!.once('message', () => {
  parentPort!.postMessage('bye');
  parentPort!.close();
});
parentPort!.postMessage(`here with ${workerData}`);
