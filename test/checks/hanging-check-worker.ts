// `node hanging-check-worker.ts`: a check worker waits at a gate that nobody opens, so that it hangs and takes the process along.

import { createCheckPool } from '../../src/checks/check-pool.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { createLog } from '../../src/runtime/log.ts';
import { ScriptedCheck } from './behaviour.ts';

const pool = await createCheckPool({
  threads: 2,
  metrics: new Metrics({ operations: [] }),
  log: createLog('test'),
  workerUrl: new URL('./faulty-check-worker.ts', import.meta.url),
  pageSecretHex: '00',
  usesMain: false,
  pulseMs: 10,
});
await pool.verify(new ScriptedCheck('waitAtGate'), 'proven');
