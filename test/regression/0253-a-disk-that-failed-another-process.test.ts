// Found by reading how a store ends, with ADR 0017: a sync that fails in `crossbook store backup`, beside the gateway, marks the state as
// doubtful. The gateway looked at its own memory alone, and its end took the mark away (0120 is the same of its own threads).

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DurableStore } from '../../src/store/durable/durable-store.ts';
import { Tip } from '../../src/store/durable/tip.ts';
import { FailingFiles } from '../store/durable/failing-files.ts';
import {
  bytesOf,
  contentOf,
  openStore,
  removeFolder,
  type Table,
  temporaryFolder,
} from '../store/durable/store-rig.ts';

let folder: string;
let owner: DurableStore<Table>;
beforeEach(async () => {
  folder = temporaryFolder();
  owner = await openStore(folder);
  put('a');
  owner.flush();
  await failElsewhere();
});
afterEach(() => removeFolder(folder));

const put = (key: string, store = owner) => store.transact(to => to.put('left', bytesOf(key), bytesOf('1')));
const journal = () => statSync(join(folder, readdirSync(folder).find(name => name.startsWith('journal-'))!));

/** Another process does not find the tip. */
async function failElsewhere(): Promise<void> {
  Tip.of(folder)?.leave();
  const files = new FailingFiles();
  const reader = await openStore(folder, { role: 'member', files });
  files.failing.add('syncSoon');
  await expect(reader.durable()).rejects.toThrow('syncSoon failed');
  await reader.close();
}

it('is still known to have failed after the owner has closed the store', async () => {
  await owner.close();
  const before = journal().ino;
  const again = await openStore(folder);
  // Only a new file is sure to have what the disk did not take.
  expect(journal().ino).not.toBe(before);
  expect(contentOf(again).left).toHaveLength(1);
  await again.close();
});

it('lets nobody commit from the next flush on', async () => {
  owner.flush();
  expect(() => put('b')).toThrow('the disk has failed');
  await owner.close();
});
