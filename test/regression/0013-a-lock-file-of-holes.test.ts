// Found by the row "full to the last byte" of the fault campaign. LMDB made its lock file longer without writing it. The first write
// through its map for which the disk had no room ended the whole process (SIGBUS), from any thread.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEnvironment, openRowEnvironment } from '../../src/store/lmdb.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ADDRESS_SPACE_BYTES = 1024 * 1024;
/** Of st_blocks, of any file system. */
const BLOCK_BYTES = 512;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it.each([
  ['an environment', openEnvironment],
  ['an environment of rows', openRowEnvironment],
])('%s has every byte of its lock file on disk before it maps it', async (_, open) => {
  await open(folder, ADDRESS_SPACE_BYTES).close();
  const { size, blocks } = statSync(join(folder, 'lock.mdb'));
  expect(size).toBeGreaterThan(0);
  expect(blocks * BLOCK_BYTES).toBeGreaterThanOrEqual(size);
});
