// A second process with the same key store. It makes pods until it is stopped, and reports each committed pod. `node key-store-child.ts
// FOLDER PREFIX COUNT`; ends with the StoreError's message if the store fails.

import { writeSync } from 'node:fs';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';

const [folder = '', prefix = '', count = ''] = process.argv.slice(2);
const store = openKeyStore(folder);
try {
  for (let number = 0; number < Number(count); number++) {
    const podId = `${prefix}${number}`;
    const created = store.createPod({ podId, createdAt: 0 as UnixMillis });
    writeSync(1, `${created.ok ? podId : created.error}\n`);
  }
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  writeSync(1, `StoreError ${error.message}\n`);
}
await store.close();
