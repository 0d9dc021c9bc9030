// Found by reading: a commit that looks after the room behind the state opens its file, now and then. Without a descriptor left, when many
// sockets are open, that one was refused, and an order with it. What only makes the next start quicker is left out instead.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LMDB_DATA_NAME, STATE_NAME } from '../../src/store/durable/layout.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { bytesOf, contentOf, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

const COMMITS = 100;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('are made, and the store ends clean', async () => {
  const store = await openStore(folder);
  const data = join(folder, STATE_NAME, LMDB_DATA_NAME);
  // LMDB has it open; whoever opens it now fails, as without a descriptor.
  renameSync(data, `${data}.away`);
  for (let commit = 0; commit < COMMITS; commit++) {
    store.transact(to => to.put('left', bytesOf(String(commit).padStart(4, '0')), bytesOf('value')));
  }
  expect(() => store.isCheckpointDue()).toThrow(StoreError);
  renameSync(`${data}.away`, data);
  await store.close();
  const again = await openStore(folder);
  expect(again.recovery).toMatchObject({ state: 'kept', replayed: 0 });
  expect(contentOf(again).left).toHaveLength(COMMITS);
  await again.close();
});
