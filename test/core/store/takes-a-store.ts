// A thread of 0166: in each round it tries to take the store, and says whether it has it.

import { parentPort, workerData } from 'node:worker_threads';
import { takeOwnership } from '../../../src/core/store/owner-lock.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';

const { folder, round } = workerData as { readonly folder: string; readonly round: Int32Array };
for (let number = 0; ; number++) {
  Atomics.wait(round, 0, number);
  parentPort!.postMessage(outcome());
}

function outcome(): string {
  try {
    takeOwnership(folder);
    return 'taken';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message.includes('is open in ') ? 'refused' : error.message;
  }
}
