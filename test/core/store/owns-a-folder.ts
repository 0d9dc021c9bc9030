// `node 0150-owns-a-folder.ts FOLDER`: owns the folder, prints so, and lives until it is killed, with a second thread.

import { isMainThread, Worker } from 'node:worker_threads';
import { takeOwnership } from '../../../src/core/store/owner-lock.ts';

setInterval(() => {}, 1_000);
if (isMainThread) {
  takeOwnership(process.argv[2]!);
  new Worker(new URL(import.meta.url)).once('online', () => console.log('owned'));
}
