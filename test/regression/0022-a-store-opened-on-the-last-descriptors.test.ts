// Left of 0021: with one or two free file descriptors LMDB opens its lock file and not its data file. lmdb-js then deletes an object twice,
// which nearly always ends the process (SIGSEGV).

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '0022-opens-a-store.ts');
const TIMEOUT_MS = 30_000;
const DESCRIPTORS_MAX = 100;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function saidWith(freeDescriptors: number): string {
  const shell = `ulimit -n ${DESCRIPTORS_MAX}; exec "$0" "$@"`;
  const args = ['-c', shell, process.execPath, CHILD, join(folder, String(freeDescriptors)), String(freeDescriptors)];
  return execFileSync('sh', args, { timeout: TIMEOUT_MS, encoding: 'utf8' });
}

it('the store is refused or open, and the process goes on', () => {
  // One more or less may be free, as Node opens and closes files of its own.
  for (const few of [0, 1, 2, 3, 6]) expect(saidWith(few), `${few}`).toMatch(/^StoreError: store .*EMFILE.*\n$/);
  expect(saidWith(10)).toBe('open\n');
});
