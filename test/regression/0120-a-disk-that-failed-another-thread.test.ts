// Found by reading lines that no test ran: a sync that fails on an order worker marks the store as doubtful for all, and the gateway's
// stop took the mark away again. Its own sync may succeed over pages that the disk has dropped, and the next start would believe them.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FailingFiles } from '../store/durable/failing-files.ts';
import { bytesOf, contentOf, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const journal = () => statSync(join(folder, readdirSync(folder).find(name => name.startsWith('journal-'))!));

it('is still known to have failed after the owner has closed the store', async () => {
  const owner = await openStore(folder);
  const files = new FailingFiles();
  const member = await openStore(folder, { role: 'member', files });
  member.transact(to => to.put('left', bytesOf('a'), bytesOf('1')));
  files.failing.add('syncSoon');
  await expect(member.durable()).rejects.toThrow('syncSoon failed');
  await member.close();
  await owner.close();

  const before = journal().ino;
  const again = await openStore(folder);
  // Only a new file is sure to have what the disk did not take.
  expect(journal().ino).not.toBe(before);
  again.transact(to => to.put('left', bytesOf('b'), bytesOf('2')));
  expect(contentOf(again).left).toHaveLength(2);
  await again.close();
});
