// The thread of the paper exchanges. It gets their options, and reports where they listen. A recording that cannot be played ends the
// thread with an error.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../core/domain/result.ts';
import { createLog } from '../core/runtime/log.ts';
import { serveVenues } from '../core/runtime/venue-thread.ts';
import { type Paper, type PaperOptions, startPaper } from './paper.ts';

/** The `workerData` of this thread. */
export type PaperWorkerData = Omit<PaperOptions, 'onFailure' | 'onWanted'>;
/** The addresses of the exchanges. */
export type PaperWorkerMessage = Omit<Paper, 'close' | 'handle'>;

assert(parentPort !== null, 'paper-worker.ts runs as a worker');
const log = createLog('paper');
void serveVenues<PaperWorkerMessage>(parentPort, async say => {
  const { urls, markets, recordings, close, handle } = await startPaper({
    ...(workerData as PaperWorkerData),
    onWanted: say,
    onFailure: error => log.warn('a fault of the paper exchanges', { error: String(error) }),
  });
  return { listening: { urls, markets, recordings }, close, onMessage: handle };
});
