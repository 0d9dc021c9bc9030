// The thread of the paper exchanges. It is handed its options, says once where it listens, and ends at any message: its native
// sockets must be closed by their own thread. A recording that cannot be played ends it with an error.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/result.ts';
import { type Paper, type PaperOptions, startPaper } from '../paper/paper.ts';

/** What the main thread passes as `workerData`. */
export type PaperWorkerData = PaperOptions;
/** The one message from this thread. */
export type PaperWorkerMessage = Omit<Paper, 'close'>;

assert(parentPort !== null, 'paper-worker.ts runs as a worker');
const { urls, markets, close } = await startPaper(workerData as PaperWorkerData);
parentPort.once('message', close);
const message: PaperWorkerMessage = { urls, markets };
parentPort.postMessage(message);
