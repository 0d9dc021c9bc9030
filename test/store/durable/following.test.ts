// Threads that read what others commit before it is in the state: by following the journal, through its segments and past those that a
// checkpoint drops.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { type Files, nodeFiles } from '../../../src/store/durable/files.ts';
import { journalFirsts, journalName, STATE_NAME } from '../../../src/store/durable/layout.ts';
import { usedBytes } from '../../../src/store/lmdb-files.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, type Table, temporaryFolder } from './store-rig.ts';

/** With its key, more than a tenth of a segment. */
const VALUE = bytesOf('v'.repeat(300));

let folder: string;
let owner: DurableStore<Table>;
let rows: number;
beforeEach(async () => {
  folder = temporaryFolder();
  owner = await openStore(folder);
  rows = 0;
});
afterEach(async () => {
  await owner.close();
  removeFolder(folder);
});

function put(count: number, store = owner): void {
  for (let number = 0; number < count; number += 1) {
    rows += 1;
    store.transact(to => to.put('left', bytesOf(String(rows).padStart(6, '0')), VALUE));
  }
}

const segments = () => journalFirsts(nodeFiles.list(folder));
const rowsIn = (store: DurableStore<Table>) => contentOf(store).left!.length;

it('one that has looked away for some segments has everything, and writes what follows', async () => {
  const member = await openStore(folder, { role: 'member' });
  put(50);
  expect(segments().length).toBeGreaterThan(5);
  expect(rowsIn(member)).toBe(50);
  put(1, member);
  expect(rowsIn(owner)).toBe(51);
  await member.close();
});

it('the state gets what is flushed, by whichever thread', async () => {
  const member = await openStore(folder, { role: 'member' });
  put(20);
  expect([owner.unflushed, member.unflushed]).toEqual([20, 20]);
  member.flush();
  owner.flush();
  expect([owner.unflushed, member.unflushed, rowsIn(owner), rowsIn(member)]).toEqual([0, 0, 20, 20]);
  await member.close();
});

it('one that reads while a checkpoint drops the journal reads the state instead', async () => {
  put(20);
  let isDropped = false;
  const files: Files = {
    ...nodeFiles,
    open(path) {
      if (!isDropped && path.endsWith(journalName(segments()[1]!))) {
        isDropped = true;
        owner.flush();
        for (const first of segments().slice(0, -1)) nodeFiles.remove(join(folder, journalName(first)));
      }
      return nodeFiles.open(path);
    },
  };
  const member = await openStore(folder, { role: 'member', files });
  expect([isDropped, rowsIn(member)]).toEqual([true, 20]);
  await member.close();
});

it('what is missing in the journal, and is not in the state either, is a StoreError that says so', async () => {
  put(20);
  nodeFiles.remove(join(folder, journalName(segments()[1]!)));
  await expect(openStore(folder, { role: 'member' })).rejects.toThrow(
    /^store .*: the part of the journal with transaction \d+ is missing$/,
  );
  owner.flush();
  expect(rowsIn(owner)).toBe(20);
});

it('a state whose last transaction ended a segment that is gone is gone on with', async () => {
  put(1);
  while (segments().length < 2) {
    owner.flush();
    put(1);
  }
  const last = rows - 1;
  const killed = crashCopy(folder);
  // As a checkpoint of that moment drops it.
  nodeFiles.remove(join(killed, journalName(segments()[0]!)));
  const store = await openStore(killed);
  expect([store.recovery?.replayed, rowsIn(store)]).toEqual([rows - last, rows]);
  await store.close();
  removeFolder(killed);
});

it('a thread that reads no more lets the state use its pages again', async () => {
  const timers = new VirtualTimers();
  const member = await openStore(folder, { role: 'member', timers });
  const bytesOfRounds = (): number => {
    const before = usedBytes(join(folder, STATE_NAME));
    for (let round = 0; round < 20; round += 1) {
      owner.transact(to => {
        for (let number = 0; number < 200; number += 1) to.put('right', bytesOf(String(number)), VALUE);
      });
      owner.flush();
    }
    return usedBytes(join(folder, STATE_NAME)) - before;
  };
  timers.advance(limits.storeMomentMs);
  bytesOfRounds();
  expect(bytesOfRounds()).toBe(0);
  expect(rowsIn(member)).toBe(0);
  expect(bytesOfRounds()).toBeGreaterThan(0);
  timers.advance(limits.storeMomentMs);
  bytesOfRounds();
  expect(bytesOfRounds()).toBe(0);
  // Whoever asks for nothing but how far it is keeps no moment.
  expect(member.unflushed).toBe(0);
  expect(bytesOfRounds()).toBe(0);
  await member.checkpoint();
  bytesOfRounds();
  expect(bytesOfRounds()).toBe(0);
  await member.close();
});

it('of a store that nobody flushes whoever commits does, when there is too much of it', () => {
  const before = usedBytes(join(folder, STATE_NAME));
  for (let rest = limits.storeMemtableRowsMax; rest >= 0; rest -= 1_000) {
    owner.transact(to => {
      for (let number = 0; number < 1_000; number += 1) to.put('right', bytesOf(`${rest} ${number}`), bytesOf('v'));
    });
  }
  expect(usedBytes(join(folder, STATE_NAME))).toBe(before);
  put(1);
  expect(usedBytes(join(folder, STATE_NAME))).toBeGreaterThan(before);
  expect(owner.unflushed).toBe(1);
});

it('a process that does not own the store reads what is flushed, and writes nothing', () => {
  const seen = (): string => {
    const child = [join(import.meta.dirname, 'other-process.ts'), folder];
    const { stdout, stderr } = spawnSync(process.execPath, [...START_FLAGS, ...child], { encoding: 'utf8' });
    return stdout + stderr;
  };
  const refusal = `store ${folder}: is written to by its owner's process only\n`;
  put(3);
  expect(seen()).toBe(`0 rows\n${refusal}`);
  owner.flush();
  expect(seen()).toBe(`3 rows\n${refusal}`);
});
