// `node opens-stores.ts FOLDER ...`: opens a store in each folder, and prints why it cannot, one line each.

import { writeSync } from 'node:fs';
import { openEnvironment } from '../../../src/core/store/lmdb.ts';

for (const folder of process.argv.slice(2)) {
  try {
    await openEnvironment(folder, 1024 * 1024).close();
    writeSync(1, `${folder} is open\n`);
  } catch (error) {
    writeSync(1, `${String(error)}\n`);
  }
}
