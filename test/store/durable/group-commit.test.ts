// Commits that share a transaction: which of them, how often each is made, and what of it must be on disk before its caller hears.

import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { GroupCommit } from '../../../src/store/durable/group-commit.ts';
import { journalFirsts } from '../../../src/store/durable/layout.ts';
import type { Transaction } from '../../../src/store/durable/tables.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LosingDisk } from './losing-disk.ts';
import { bytesOf, openStore, removeFolder, type Table, temporaryFolder, textOf } from './store-rig.ts';

let folder: string;
let store: DurableStore<Table>;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

it('commits are each made once and in turn, and so many share a transaction as storeGroupBytes lets them', async () => {
  // Three of them are more than a group may have.
  const value = new Uint8Array(Math.ceil(limits.storeGroupBytes / 3));
  const count = (transaction: Transaction<Table>): number => {
    const own = Number(textOf(transaction.get('right', bytesOf('count')) ?? bytesOf('0'))) + 1;
    transaction.put('right', bytesOf('count'), bytesOf(`${own}`));
    transaction.put('left', bytesOf(`${own}`), value);
    return own;
  };
  const counted = (commits: number) => Promise.all(Array.from({ length: commits }, () => store.commit(count)));
  expect(await counted(7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await counted(2)).toEqual([8, 9]);
  // Each ends its segment; the first transaction wrote the version of the schema.
  expect(journalFirsts(readdirSync(folder))).toEqual([1, 3, 4, 5]);
  const boom = new Error('boom');
  const results = await Promise.allSettled([
    store.commit(count),
    store.commit(() => {
      throw boom;
    }),
    counted(4),
  ]);
  expect(results).toEqual([
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: boom },
    { status: 'fulfilled', value: [11, 12, 13, 14] },
  ]);
  expect(await counted(1)).toEqual([15]);
});

it.each([
  ['process-safe', [0, 0, 0]],
  ['power-safe', [0, 1, 1]],
] as const)('%s, it syncs for whoever waits until a commit is safe, and for nobody else', async (mode, syncs) => {
  const other = temporaryFolder();
  const disk = new LosingDisk(other);
  const safe = await openStore(other, { timers: new VirtualTimers(), files: disk, mode });
  const syncsOf = async (until?: 'safe' | 'made') => {
    const before = disk.syncsStarted;
    const commit = (key: string) => safe.commit(it => it.put('left', bytesOf(key), bytesOf('')), until);
    await Promise.all([commit('a'), commit('b')]);
    return disk.syncsStarted - before;
  };
  await safe.durable();
  expect([await syncsOf('made'), await syncsOf('safe'), await syncsOf()]).toEqual(syncs);
  await safe.close();
  removeFolder(other);
});

it('a disk that fails refuses whoever waits for it, and nobody else', async () => {
  const failed = new Error('the disk has failed');
  const group = new GroupCommit({
    gathers: true,
    transact: work => work(),
    bytes: () => 0,
    safe: () => Promise.reject(failed),
  });
  const commits = [group.add(() => 1, 'safe'), group.add(() => 2, 'made'), group.add(() => 3, 'safe')];
  expect(await Promise.allSettled(commits)).toEqual([
    { status: 'rejected', reason: failed },
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: failed },
  ]);
});
