// `FOLDER=… HOW=fault|force node 0164-ends-while-a-thread-commits.ts`: its main thread fails, or ends the process by force, while another
// thread is nearly always within a transaction.

import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createLog } from '../../../src/core/runtime/log.ts';
import { endByForce, endOnFault } from '../../../src/core/runtime/process-life.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';

const TRANSACTION_MS = 20;
const { FOLDER = '', HOW } = process.env;

if (isMainThread) {
  const log = createLog('main');
  endOnFault(log);
  new Worker(new URL(import.meta.url)).once('message', () => {
    log.warn('the last line');
    if (HOW === 'force') return endByForce(log);
    throw new Error(`ended by the test, with a seed ${'5'.repeat(64)}`);
  });
} else {
  const tables = HistoryTables.open(FOLDER);
  parentPort!.postMessage('begun');
  for (;;) {
    tables.change(to => {
      to.put('marks', Buffer.from('a'), Buffer.from('1'));
      for (const until = performance.now() + TRANSACTION_MS; performance.now() < until; );
    });
  }
}
