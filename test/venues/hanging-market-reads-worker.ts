// A thread that hangs at the first read, as an endless loop in the thread of market reads would hang.

import { parentPort, workerData } from 'node:worker_threads';
import { keepPulse } from '../../src/core/runtime/pulse.ts';

keepPulse(workerData.pulseMs);
parentPort!.once('message', () => {
  for (;;);
});
