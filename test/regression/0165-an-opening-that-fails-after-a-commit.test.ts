// Found by mutating the end of an opening that fails: what it had committed before (a migration, what a loss asks for) kept the journal
// open for good, and was synced a few milliseconds later out of a state that was closed.

import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytesOf, contentOf, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await (await openStore(folder)).close();
});
afterEach(() => removeFolder(folder));

/** Files of the store that this process has open. */
function opened(): string[] {
  const files = readdirSync('/proc/self/fd').map(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return files.filter(path => path.startsWith(folder));
}

it('leaves no file open and nothing to be done later, and what it had committed', async () => {
  const timers = new VirtualTimers();
  const version = 2;
  const migrating = openStore(folder, {
    timers,
    schema: {
      version,
      migrate(_from, store) {
        store.transact(it => it.put('left', bytesOf('k'), bytesOf('v')));
        throw new Error('stopped');
      },
    },
  });
  await expect(migrating).rejects.toThrow('stopped');
  expect([opened(), timers.pending]).toEqual([[], 0]);

  const store = await openStore(folder, { schema: { version, migrate: () => {} } });
  expect(contentOf(store).left).toEqual([['k', 'v']]);
  await store.close();
  expect(opened()).toEqual([]);
});
