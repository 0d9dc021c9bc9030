// `node hanging-main.ts 'for good' | 'for a moment'`: hangs, while another thread watches. A moment is half of the looks after which that
// thread gives up. The main thread hangs for three moments with a beat before each. Together they exceed the permitted looks.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type MutuallyPulsed, Pulse, watchMainThread } from '../../../src/core/runtime/pulse.ts';
import { limits } from '../../../src/limits.ts';

const EVERY_MS = 20;
const ROUNDS = 3;

interface Watched extends MutuallyPulsed {
  readonly looks: SharedArrayBuffer;
}

if (isMainThread) {
  const [pulse, looks] = [new Pulse(), new Pulse()];
  const data: Watched = { pulse: new Pulse().memory, mainPulse: pulse.memory, looks: looks.memory };
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  worker.once('message', () => {
    pulse.beat();
    if (process.argv[2] === 'for good') for (;;);
    for (let round = 0; round < ROUNDS; round++) {
      pulse.beat();
      for (const until = looks.beats + limits.vitalPulsesMissedMax / 2; looks.beats < until; );
    }
    worker.postMessage('close');
  });
} else {
  const looks = new Pulse((workerData as Watched).looks);
  watchMainThread(EVERY_MS);
  setInterval(() => looks.beat(), EVERY_MS);
  parentPort!.once('message', () => process.exit());
  parentPort!.postMessage('watches');
}
