// `node hanging-check-worker.ts`: a check worker waits at a gate that nobody opens, so that it hangs and takes the process along.

import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { createLog } from '../../../src/core/runtime/log.ts';
import { createCheckPool } from '../../../src/gateway/checks/check-pool.ts';
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
