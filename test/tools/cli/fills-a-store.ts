// Writes to a store where the system takes no more bytes of its file, and logs what comes of it.

import { createLog } from '../../../src/core/runtime/log.ts';
import { openEnvironment, openRowEnvironment } from '../../../src/core/store/lmdb.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';

const ADDRESS_SPACE_BYTES = 64 * 1024 * 1024;
/** Many pages at once: of fewer than three LMDB writes more words into a buffer than it has room for, and may abort. */
const ROWS = 64;
const [, , folder, kind] = process.argv;
const value = new Uint8Array(3_000);
const log = createLog('main');
log.info('before');
log.flush();
try {
  if (kind === 'synced') {
    openEnvironment(folder!, ADDRESS_SPACE_BYTES).transact(transaction => {
      for (let row = 0; row < ROWS; row++) transaction.put(`row ${row}`, value);
    });
  } else {
    const environment = openRowEnvironment(folder!, ADDRESS_SPACE_BYTES);
    environment.transact(() => {
      for (let row = 0; row < ROWS; row++) environment.put(Buffer.from(`row ${row}`), value);
    });
  }
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  log.warn('after', { error: error.message });
}
