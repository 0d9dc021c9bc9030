// Found by asking which files are opened while orders are made: each thread opens a new segment of the journal once another one has begun
// it. Where all descriptors were in use then, the store took that for a disk that had failed, and took no changes until the next start.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DurableStore } from '../../src/store/durable/durable-store.ts';
import { type Files, NoDescriptor, nodeFiles } from '../../src/store/durable/files.ts';
import {
  bytesOf,
  contentOf,
  openStore,
  removeFolder,
  type Table,
  temporaryFolder,
} from '../store/durable/store-rig.ts';

/** A segment's worth. */
const LONG = 3_000;

let folder: string;
let owner: DurableStore<Table>;
let member: DurableStore<Table>;
/** So many openings fail from now on. */
let failures: number;
beforeEach(async () => {
  folder = temporaryFolder();
  failures = 0;
  const files: Files = {
    ...nodeFiles,
    open(path) {
      if (failures === 0) return nodeFiles.open(path);
      failures -= 1;
      throw new NoDescriptor(`store file ${path}: EMFILE: too many open files`);
    },
  };
  owner = await openStore(folder, { mode: 'power-safe' });
  member = await openStore(folder, { mode: 'power-safe', role: 'member', files });
  put(member, 'first');
  put(owner, 'long', LONG);
  put(owner, 'next segment');
});
afterEach(async () => {
  await member.close();
  await owner.close();
  removeFolder(folder);
});

const put = (store: DurableStore<Table>, key: string, valueBytes = 1): void =>
  store.transact(to => to.put('left', bytesOf(key), new Uint8Array(valueBytes)));
const keys = (): string[] => contentOf(owner).left!.map(([key]) => key);

it('costs the commit that needs it, and no other', () => {
  failures = Number.POSITIVE_INFINITY;
  expect(() => put(member, 'refused')).toThrow('EMFILE');
  failures = 0;
  put(member, 'later');
  put(owner, 'last');
  expect(keys()).toEqual(['first', 'last', 'later', 'long', 'next segment']);
});

it('keeps who waits for the disk waiting, until it can', async () => {
  failures = 3;
  await member.durable();
  expect(failures).toBe(0);
  await member.commit(to => to.put('left', bytesOf('later'), bytesOf('')));
  put(owner, 'last');
  expect(keys()).toEqual(['first', 'last', 'later', 'long', 'next segment']);
});
