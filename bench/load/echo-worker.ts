// The far end of a path to another thread. Sends each message back on the same path, by messages of Node or by rings.

import { parentPort, workerData } from 'node:worker_threads';
import { Ring } from './ring.ts';

export interface EchoData {
  /** The rings. Null means that the path uses messages of Node. */
  readonly rings: {
    readonly there: SharedArrayBuffer;
    readonly back: SharedArrayBuffer;
  } | null;
}

const { rings } = workerData as EchoData;
// A thread that only waits for a ring would end, since nothing keeps it alive.
parentPort!.on('message', (message: unknown) => parentPort!.postMessage(message));
if (rings !== null) {
  const back = new Ring(rings.back);
  new Ring(rings.there).follow(message => back.push(message));
}
parentPort!.postMessage('ready');
