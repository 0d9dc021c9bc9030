// The far end of a thread round trip. Sends each message back. Polls without a pause if it is started so.

import { parentPort, workerData } from 'node:worker_threads';
import { spin } from '../../src/core/runtime/timers.ts';

const { spins } = workerData as { readonly spins: boolean };
if (spins) spin();
parentPort!.on('message', (message: unknown) => parentPort!.postMessage(message));
