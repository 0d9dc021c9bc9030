// Found by a line that no test ran: a commit in a store that takes no changes any more was refused before its work began, and tried again
// at once, for ever. The first order after a failed sync stopped the thread that was to record it, the main thread among them.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

const CHILD = join(import.meta.dirname, '0121-commits-in-a-store.ts');
const TIMEOUT_MS = 30_000;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('are refused, each, on every thread', () => {
  const said = execFileSync(process.execPath, [CHILD, folder], { timeout: TIMEOUT_MS, encoding: 'utf8' });
  expect(said.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^StoreError: .*takes no changes until it is opened anew/),
    expect.stringMatching(/^StoreError: .*takes no changes until it is opened anew/),
    expect.stringMatching(/^StoreError: .*takes no changes: the disk has failed/),
    expect.stringMatching(/^StoreError: .*takes no changes: the disk has failed/),
  ]);
});
