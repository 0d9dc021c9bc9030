// Found by the row "full for 3 s, and kill -9 meanwhile" of the fault campaign. The catalog's thread created its store while the disk was
// full. lmdb-js deletes an object twice when an opening fails, which sometimes ended the process (SIGSEGV).

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '0021-opens-stores.ts');
const TIMEOUT_MS = 30_000;
const STORES = 60;
/** Of 512 bytes each: less than the two pages of an empty data file. */
const BLOCKS_MAX = 8;
/** As long as LMDB wants it to be. */
const LOCK_BYTES = 12_288;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('the store is refused each time, and the process goes on', () => {
  const stores = Array.from({ length: STORES }, (_, number) => join(folder, String(number)));
  for (const store of stores) {
    mkdirSync(store, { mode: 0o700 });
    writeFileSync(join(store, 'lock.mdb'), new Uint8Array(LOCK_BYTES));
  }
  const shell = `ulimit -f ${BLOCKS_MAX}; exec "$0" "$@"`;
  const said = execFileSync('sh', ['-c', shell, process.execPath, CHILD, ...stores], {
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
  });
  expect(said.trimEnd().split('\n')).toEqual(stores.map(() => expect.stringMatching(/EFBIG/)));
});
