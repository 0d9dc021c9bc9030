// The far end of a way to another thread: sends each message back the same way, by messages of Node or by rings.

import { parentPort, workerData } from 'node:worker_threads';
import { Ring } from './ring.ts';

export interface EchoData {
  /** Null: by messages of Node. */
  readonly rings: {
    readonly there: SharedArrayBuffer;
    readonly back: SharedArrayBuffer;
  } | null;
}

const { rings } = workerData as EchoData;
// A thread that only waits for a ring has nothing to stay for.
parentPort!.on('message', (message: unknown) => parentPort!.postMessage(message));
if (rings !== null) {
  const back = new Ring(rings.back);
  new Ring(rings.there).follow(message => back.push(message));
}
parentPort!.postMessage('ready');
