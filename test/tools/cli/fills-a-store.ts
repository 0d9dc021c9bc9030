// Writes to a store when the system accepts no more bytes for its file, and logs the result.

import { createLog } from '../../../src/core/runtime/log.ts';
import { openEnvironment, openRowEnvironment } from '../../../src/core/store/lmdb.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';

const ADDRESS_SPACE_BYTES = 64 * 1024 * 1024;
/**
 * The number of rows, which need many pages at once. For fewer than three pages LMDB writes more words into a buffer than it has room for, and may
 * abort.
 */
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
