// Counts words in a block together with other threads: test/core/metrics/unknown-words.test.ts starts several of these.

import { workerData } from 'node:worker_threads';
import { UnknownWords } from '../../../src/core/metrics/unknown-words.ts';

export interface SpeakerData {
  readonly memory: SharedArrayBuffer;
  readonly words: readonly string[];
  readonly rounds: number;
  /** The number of threads that have not started yet. All threads begin to count when it is zero. */
  readonly missing: Int32Array;
}

const { memory, words, rounds, missing } = workerData as SpeakerData;
const unknown = new UnknownWords(memory);
if (Atomics.sub(missing, 0, 1) === 1) Atomics.notify(missing, 0);
for (let left = Atomics.load(missing, 0); left > 0; left = Atomics.load(missing, 0))
  Atomics.wait(missing, 0, left, 1_000);
for (let round = 0; round < rounds; round++) for (const word of words) unknown.count('venue_b', 'order_status', word);
