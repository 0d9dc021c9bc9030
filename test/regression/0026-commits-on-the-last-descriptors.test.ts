// Found by reading: a commit now and then opens the store's file to check the space behind its pages. Without a free descriptor, when many
// sockets are open, the commit was refused and its record lost. Now only the part that makes the next start quicker is left out.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HistoryTables } from '../../src/history/tables.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const COMMITS = 100;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('commits are made without a free descriptor', async () => {
  const tables = HistoryTables.open(folder);
  const data = join(folder, 'data.mdb');
  // LMDB has it open; an opening by name fails now, as without a descriptor.
  renameSync(data, `${data}.away`);
  for (let commit = 0; commit < COMMITS; commit++) {
    tables.change(to => to.put('marks', Buffer.from(String(commit).padStart(4, '0')), new Uint8Array(600)));
  }
  renameSync(`${data}.away`, data);
  await tables.close();
  const again = HistoryTables.open(folder);
  expect(again.range('marks', { limit: 2 * COMMITS })).toHaveLength(COMMITS);
  await again.close();
});
