// What was committed, and told, may be gone: the owner hears of it, once, before anybody uses the store.

import { readdirSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { type Files, nodeFiles } from '../../../src/store/durable/files.ts';
import type { Transaction } from '../../../src/store/durable/tables.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { FailingFiles } from './failing-files.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, type Table, temporaryFolder } from './store-rig.ts';

let folder: string;
let store: DurableStore<Table>;
let losses: number;
const open = async (bootId: string, of = folder, onLoss = () => {}) => {
  store = await openStore(of, {
    bootId,
    onLoss(transaction) {
      losses += 1;
      transaction.put('right', bytesOf('losses'), bytesOf(String(losses)));
      onLoss();
    },
  });
  return store;
};
/** What a kill now would leave, in a folder of its own. */
const killed = async (): Promise<string> => {
  const copy = crashCopy(folder);
  await store.close();
  return copy;
};

beforeEach(async () => {
  losses = 0;
  folder = temporaryFolder();
  store = await openStore(folder);
  store.transact(transaction => transaction.put('left', bytesOf('k'), bytesOf('1')));
  await store.close();
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

it('a loss is not what a clean end or a kill leaves', async () => {
  await (await open('a')).close();
  await open('b');
  const copy = await killed();
  await (await open('b', copy)).close();
  removeFolder(copy);
  expect(losses).toBe(0);
  await open('b');
});

it('a loss is what another boot finds, and what a backup is: once, and before anybody uses the store', async () => {
  await open('a');
  const backup = temporaryFolder();
  await store.backup(backup);
  const copy = await killed();
  for (const lossy of [copy, backup]) {
    losses = 0;
    await open('b', lossy);
    expect([losses, store.get('right', bytesOf('losses'))]).toEqual([1, bytesOf('1')]);
    await store.close();
    await (await open('c', lossy)).close();
    expect(losses).toBe(1);
    removeFolder(lossy);
  }
  await open('a');
});

it('a loss is settled in tables that are up to date', async () => {
  await open('a');
  const copy = await killed();
  const steps: string[] = [];
  const schema = { version: 2, migrate: () => void steps.push('migrated') };
  store = await openStore(copy, { bootId: 'b', schema, onLoss: () => void steps.push('settled') });
  expect(steps).toEqual(['migrated', 'settled']);
  await store.close();
  removeFolder(copy);
  await open('a');
});

it('a loss is told again when what its owner did about it may not be on disk', async () => {
  await open('a');
  const copy = await killed();
  const files = new FailingFiles();
  files.failing.add('syncSoon');
  const onLoss = (to: Transaction<Table>) => to.put('right', bytesOf('losses'), bytesOf('1'));
  await expect(openStore(copy, { bootId: 'b', files, onLoss })).rejects.toThrow('syncSoon failed');
  await (await open('b', copy)).close();
  expect(losses).toBe(1);
  removeFolder(copy);
  await open('a');
});

it('a loss is told again when its owner was stopped before it could do something about it', async () => {
  await open('a');
  const copy = await killed();
  const stopped = open('b', copy, () => {
    throw new StoreError('stopped');
  });
  await expect(stopped).rejects.toThrow('stopped');
  const again = crashCopy(copy);
  for (const left of [copy, again]) {
    losses = 0;
    await (await open('b', left)).close();
    expect(losses).toBe(1);
    removeFolder(left);
  }
  await open('a');
});

it('a checkpoint has nothing that a power cut could take from the journal, whatever is committed meanwhile', async () => {
  const synced = new Map<string, number>();
  const files: Files = {
    ...nodeFiles,
    async syncSoon(file) {
      const size = nodeFiles.size(file);
      await nodeFiles.syncSoon(file);
      synced.set(basename(file.path), size);
      put('late');
    },
  };
  const put = (key: string): void => store.transact(it => it.put('left', bytesOf(key), bytesOf('')));
  store = await openStore(folder, { timers: new VirtualTimers() });
  put('a');
  const other = await openStore(folder, { role: 'member', files, timers: new VirtualTimers() });
  await other.checkpoint();
  const copy = crashCopy(folder);
  const [journal] = readdirSync(copy).filter(name => name.startsWith('journal-'));
  truncateSync(join(copy, journal!), synced.get(journal!) ?? 0);
  const rebuilt = await openStore(copy, { bootId: 'another' });
  expect(contentOf(rebuilt).left).toEqual([
    ['a', ''],
    ['k', '1'],
  ]);
  await rebuilt.close();
  removeFolder(copy);
  await other.close();
});
