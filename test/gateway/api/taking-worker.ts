// Takes tokens of one key until none is left, and reports how many tokens it got.

import { parentPort, workerData } from 'node:worker_threads';
import { TokenBucket } from '../../../src/core/runtime/token-bucket.ts';
import { BUCKETS } from '../../../src/gateway/api/rate-limits.ts';
import { SharedRates } from '../../../src/gateway/api/shared-rates.ts';

const rates = new SharedRates(BUCKETS, (workerData as { readonly memory: SharedArrayBuffer }).memory);
const bucket = new TokenBucket({ perS: 0.001, burstMax: 100_000 }, rates.cellOf('key', 'submissions'));

parentPort!.on('message', () => {
  let taken = 0;
  while (bucket.take(0)) taken += 1;
  parentPort!.postMessage(taken);
});
parentPort!.postMessage('ready');
