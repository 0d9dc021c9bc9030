// Hangs at the first read, as an endless loop of the thread of market reads would.

import { parentPort, workerData } from 'node:worker_threads';
import { keepPulse } from '../../src/core/runtime/pulse.ts';

keepPulse(workerData.pulseMs);
parentPort!.once('message', () => {
  for (;;);
});
