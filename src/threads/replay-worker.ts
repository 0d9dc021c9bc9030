// The replay thread: plays recorded or synthetic venues on loopback sockets. It is handed its options, says once where it
// listens, and ends at any message: its native sockets must be closed by their own thread. A source that cannot be played
// ends it with an error.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/result.ts';
import { type ReplayListening, type ReplayOptions, startReplay } from '../replay/replay.ts';

/** What the main thread passes as `workerData`. */
export type ReplayWorkerData = ReplayOptions;
/** The one message from this thread. */
export type ReplayWorkerMessage = ReplayListening;

assert(parentPort !== null, 'replay-worker.ts runs as a worker');
const { venueA, venueB, markets, notes, close } = await startReplay(workerData as ReplayWorkerData);
parentPort.once('message', close);
const message: ReplayWorkerMessage = { venueA, venueB, markets, notes };
parentPort.postMessage(message);
