// What a start finds that another one has left half done, or cannot tell: it begins anew, and loses nothing.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Files, nodeFiles } from '../../../src/store/durable/files.ts';
import { journalFirsts } from '../../../src/store/durable/layout.ts';
import type { Schema } from '../../../src/store/durable/schema.ts';
import { compactStore, rebuildState } from '../../../src/store/durable/upkeep.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LosingDisk } from './losing-disk.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, type Table, temporaryFolder } from './store-rig.ts';

/** As they are called on disk: by an earlier program, too. */
const DRAFTS = ['state.draft', 'checkpoint.draft', 'journal.draft', 'check.draft'];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('drafts of whoever was stopped over them are gone, and checkpoints can be made again', async () => {
  await (await openStore(folder)).close();
  for (const name of DRAFTS) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'data.mdb'), 'half');
  }
  const store = await openStore(folder);
  expect(DRAFTS.filter(name => existsSync(join(folder, name)))).toEqual([]);
  await store.checkpoint();
  await store.close();
});

it('a step of a migration that failed is taken again, and none that was done', async () => {
  await (await openStore(folder)).close();
  const steps: number[] = [];
  let failsFrom = 2;
  const schema: Schema<Table> = {
    version: 4,
    migrate(from, store) {
      steps.push(from);
      if (from === failsFrom) throw new Error('stopped');
      store.transact(it => it.put('left', bytesOf(String(from)), bytesOf('')));
    },
  };
  await expect(openStore(folder, { schema })).rejects.toThrow('stopped');
  failsFrom = 0;
  const store = await openStore(folder, { schema });
  expect([steps, contentOf(store).left!.map(([key]) => key)]).toEqual([
    [1, 2, 2, 3],
    ['1', '2', '3'],
  ]);
  await store.close();
});

it('where the system does not tell its boot, members join, and after a crash nothing that was not closed is believed', async () => {
  const store = await openStore(folder, { bootId: null });
  const member = await openStore(folder, { bootId: null, role: 'member' });
  member.transact(it => it.put('left', bytesOf('k'), bytesOf('v')));
  const left = [crashCopy(folder)];
  await member.close();
  await store.close();
  // Again and again: what was not believed before is in nobody's way.
  for (const copy of left) {
    const rebuilt = await openStore(copy, { bootId: null });
    expect([rebuilt.recovery?.state, contentOf(rebuilt).left]).toEqual(['rebuilt', [['k', 'v']]]);
    if (left.length < 3) left.push(crashCopy(copy));
    await rebuilt.close();
    removeFolder(copy);
  }
});

it('a state that is built anew after a clean end lacks nothing, and no loss is told', async () => {
  await (await openStore(folder)).close();
  const harms = [() => removeFolder(join(folder, 'state')), () => compactStore(folder), () => rebuildState(folder)];
  for (const harm of harms) {
    await harm();
    let losses = 0;
    const store = await openStore(folder, { onLoss: () => (losses += 1) });
    await store.close();
    expect(losses).toBe(0);
  }
});

it('what a checkpoint made needless, and its maker did not remove, is removed', async () => {
  const isStopped = (path: string) => path.includes('/journal-');
  const files: Files = {
    ...nodeFiles,
    remove(path) {
      if (isStopped(path)) throw new StoreError('stopped');
      nodeFiles.remove(path);
    },
  };
  const store = await openStore(folder, { files });
  for (let row = 0; row < 20; row++) store.transact(it => it.put('left', bytesOf(`k${row}`), new Uint8Array(500)));
  await expect(store.checkpoint()).rejects.toThrow('stopped');
  await store.close();
  const journals = () => journalFirsts(readdirSync(folder)).length;
  expect(journals()).toBeGreaterThan(1);
  await (await openStore(folder)).close();
  expect(journals()).toBe(1);
});

it.each([true, false])(
  'a bad record is damage if it was known to be safe when the next was written (%s), else torn',
  async isSafe => {
    const store = await openStore(folder, { timers: new VirtualTimers() });
    const put = (key: string) => store.transact(it => it.put('left', bytesOf(key), bytesOf('')));
    put('first row');
    if (isSafe) await store.durable();
    put('second row');
    const copy = crashCopy(folder);
    await store.close();
    const path = join(copy, 'journal-000000000000001');
    const content = readFileSync(path);
    content[content.indexOf('first row')]! ^= 1;
    writeFileSync(path, content);
    const opening = openStore(copy, { bootId: 'another' });
    if (isSafe) await expect(opening).rejects.toThrow(/offset \d+: record 2 is damaged/);
    else {
      const rebuilt = await opening;
      expect(contentOf(rebuilt).left).toEqual([]);
      await rebuilt.close();
    }
    removeFolder(copy);
  },
);

it('what others have committed is on disk, too, once somebody is told that all is', async () => {
  const disk = new LosingDisk(folder);
  const store = await openStore(folder, { files: disk, timers: new VirtualTimers() });
  const member = await openStore(folder, { role: 'member', timers: new VirtualTimers() });
  await store.durable();
  const before = disk.syncsStarted;
  member.transact(it => it.put('left', bytesOf('k'), bytesOf('v')));
  await store.durable();
  expect(disk.syncsStarted).toBe(before + 1);
  // Nor does a member take for safe what was committed before it came.
  store.transact(it => it.put('left', bytesOf('k'), bytesOf('w')));
  const late = await openStore(folder, { role: 'member', files: disk, timers: new VirtualTimers() });
  await late.durable();
  expect(disk.syncsStarted).toBe(before + 2);
  await late.close();
  await member.close();
  await store.close();
});
