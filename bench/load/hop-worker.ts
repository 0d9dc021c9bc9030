// The other end of a way between two threads: gives each message back. Spins if it is so started.

import { parentPort, workerData } from 'node:worker_threads';
import { spin } from '../../src/runtime/spin.ts';

const { spins } = workerData as { readonly spins: boolean };
if (spins) spin();
parentPort!.on('message', (message: unknown) => parentPort!.postMessage(message));
