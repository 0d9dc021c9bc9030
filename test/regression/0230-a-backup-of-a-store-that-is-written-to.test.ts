// Found by asking what a checkpoint's name promises: a backup has what was committed while it was made, beyond the number that names it. A
// store that was made of one was called damaged in every round through its files, until its first checkpoint: its journal begins later.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DurableStore } from '../../src/store/durable/durable-store.ts';
import { type Files, nodeFiles } from '../../src/store/durable/files.ts';
import { CHECKPOINT_DRAFT_NAME } from '../../src/store/durable/layout.ts';
import {
  bytesOf,
  contentOf,
  openStore,
  removeFolder,
  type Table,
  temporaryFolder,
} from '../store/durable/store-rig.ts';

let folder: string;
let backup: string;
beforeEach(() => {
  folder = temporaryFolder();
  backup = join(folder, 'backup');
});
afterEach(() => removeFolder(folder));

const put = (store: DurableStore<Table>, key: string): void =>
  store.transact(to => to.put('left', bytesOf(key), bytesOf('value')));

it('is a store that is looked through without a fault, before and after changes', async () => {
  let store: DurableStore<Table> | null = null;
  const files: Files = {
    ...nodeFiles,
    makeFolder(path) {
      nodeFiles.makeFolder(path);
      if (path !== join(backup, CHECKPOINT_DRAFT_NAME)) return;
      put(store!, 'meanwhile');
      store!.flush();
    },
  };
  store = await openStore(join(folder, 'store'), { files });
  put(store, 'before');
  await store.backup(backup);
  await store.close();

  const restored = await openStore(backup);
  expect(contentOf(restored).left!.map(([key]) => key)).toEqual(['before', 'meanwhile']);
  const round = (): unknown[] => [...restored.lookThrough()];
  expect(round).not.toThrow();
  for (let row = 0; row < 100; row += 1) put(restored, `after ${row}`);
  expect(round).not.toThrow();
  await restored.checkpoint();
  put(restored, 'last');
  expect(round).not.toThrow();
  await restored.close();
});
