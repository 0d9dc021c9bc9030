// The replay thread: plays recorded venues, byte for byte, on loopback sockets. It gets its options and reports its addresses. A recording
// that cannot be played ends it with an error.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../core/domain/result.ts';
import type { Playback } from '../../core/runtime/start-options.ts';
import { serveVenues } from '../../core/runtime/venue-thread.ts';
import { PlayedFrames } from './played-frames.ts';
import { type ReplayListening, type ReplayOptions, startReplay } from './replay.ts';
import { readScript } from './script.ts';

/** The `workerData` of this thread. */
export interface ReplayWorkerData extends Pick<ReplayOptions, 'venueBKey'> {
  readonly recording: Playback;
  /** The memory of PlayedFrames. */
  readonly played: SharedArrayBuffer;
}
/** The addresses of the venues. */
export type ReplayWorkerMessage = ReplayListening;

assert(parentPort !== null, 'replay-worker.ts runs as a worker');
const { recording, venueBKey, played } = workerData as ReplayWorkerData;
void serveVenues<ReplayWorkerMessage>(parentPort, async () => {
  const script = await readScript(recording.files);
  const { venueA, venueB, markets, unconfirmed, recordings, close } = await startReplay({
    ...recording,
    script,
    venueBKey,
    played: new PlayedFrames(played),
  });
  return { listening: { venueA, venueB, markets, unconfirmed, recordings }, close };
});
