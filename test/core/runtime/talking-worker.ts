// Passes numbers on to another thread, which answers with the next lower number. Word 0 of the memory is 1 until the number is zero.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

const { port, memory } = workerData as { readonly port: MessagePort; readonly memory: SharedArrayBuffer };
const words = new Int32Array(memory);
parentPort?.on('message', (number: number) => port.postMessage(number));
port.on('message', (number: number) => {
  if (number === 0) Atomics.store(words, 0, 0);
  else port.postMessage(number - 1);
});
