// `node hanging-threads.ts 'check worker' | 'lasting thread'`: a thread hangs that takes the process along. It waits at a gate that
// nobody opens, or beats once and never again by a clock that runs ahead.

import { createCheckPool } from '../../src/checks/check-pool.ts';
import { limits } from '../../src/limits.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { LastingThread } from '../../src/runtime/lasting-thread.ts';
import { createLog } from '../../src/runtime/log.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { ToldCheck } from './behaviour.ts';

const log = createLog('test');

async function hangCheckWorker(): Promise<void> {
  const workerUrl = new URL('./faulty-check-worker.ts', import.meta.url);
  const metrics = new Metrics({ operations: [] });
  const pool = await createCheckPool({
    threads: 2,
    metrics,
    log,
    workerUrl,
    pageSecretHex: '00',
    usesMain: false,
    pulseMs: 10,
  });
  await pool.verify(new ToldCheck('waitAtGate'), 'proven');
}

function hangLastingThread(): void {
  const timers = new VirtualTimers();
  const thread: LastingThread = new LastingThread({
    name: 'test',
    url: new URL('../runtime/lasting-worker.ts', import.meta.url),
    workerData: { word: 'data' },
    whenItHangs: 'fatal',
    log,
    timers,
    onMessage(message) {
      if (message !== 'beaten') return thread.send('beat');
      timers.advance((1 + limits.vitalPulsesMissedMax) * limits.threadPulseMs);
    },
  });
}

if (process.argv[2] === 'check worker') await hangCheckWorker();
else hangLastingThread();
