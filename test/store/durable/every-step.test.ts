// A process that is killed before any step that it asks of the disk: the folder as it is then opens, and holds whole transactions and
// none that were not there.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemBootId } from '../../../src/runtime/boot-id.ts';
import { type Files, nodeFiles } from '../../../src/store/durable/files.ts';
import { STATE_NAME } from '../../../src/store/durable/layout.ts';
import { readMark } from '../../../src/store/durable/mark.ts';
import { compactStore } from '../../../src/store/durable/upkeep.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, temporaryFolder } from './store-rig.ts';

const FLUSH_EVERY = 5;
const PUTS = 4;
/** Three to a segment. */
const VALUE = 'v'.repeat(600);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const CHANGING = ['makeFolder', 'create', 'append', 'truncate', 'sync', 'rename', 'remove', 'syncFolder'] as const;

/** Calls `before` ahead of every step that changes something. */
function watched(before: () => void): Files {
  const steps = CHANGING.map(name => {
    const step = nodeFiles[name] as (...args: unknown[]) => unknown;
    return [
      name,
      (...args: unknown[]) => {
        before();
        return step(...args);
      },
    ];
  });
  return { ...nodeFiles, ...Object.fromEntries(steps) };
}

/** How many rows are there, which are those that were put first. */
async function rowsIn(of: string, bootId = systemBootId()): Promise<number> {
  const store = await openStore(of, { bootId });
  const rows = contentOf(store).left!.map(([key]) => Number(key));
  await store.close();
  expect(rows).toEqual(rows.map((_, index) => index + 1));
  return rows.length;
}

/** Two threads' worth of rows, with checkpoints and new segments in between. */
async function live(files: Files, rows: number): Promise<void> {
  const store = await openStore(folder, { files });
  const member = await openStore(folder, { files, role: 'member' });
  for (let row = rows + 1; row <= rows + PUTS; row++) {
    const writer = row % 2 === 0 ? store : member;
    writer.transact(to => to.put('left', bytesOf(String(row).padStart(4, '0')), bytesOf(VALUE)));
    if (row % FLUSH_EVERY === 0) writer.flush();
    if (row % PUTS === 0) await member.checkpoint();
  }
  await member.close();
  await store.close();
}

it('a store opens whenever it was killed, and as if the power had gone without a loss', async () => {
  const left: string[] = [];
  const files = watched(() => left.push(crashCopy(folder)));
  await live(files, 0);
  await live(files, PUTS);
  const ofLives = left.length;
  await compactStore(folder, files);
  let most = 0;
  for (const [step, copy] of left.entries()) {
    const rebooted = crashCopy(copy);
    const found = await rowsIn(copy).catch(error => {
      throw new Error(`step ${step}: ${error}`, { cause: error });
    });
    expect(await rowsIn(rebooted, 'another')).toBe(found);
    expect(found).toBeGreaterThanOrEqual(most);
    most = found;
    removeFolder(rebooted);
    removeFolder(copy);
  }
  expect([most, ofLives < left.length]).toEqual([2 * PUTS, true]);
});

it('nothing says that a state can be read while it is put in place: it is not on disk yet', async () => {
  const marks: string[] = [];
  const files: Files = {
    ...nodeFiles,
    rename(from, to) {
      if (to === join(folder, STATE_NAME)) marks.push(readMark(nodeFiles, folder).is);
      nodeFiles.rename(from, to);
    },
  };
  await live(nodeFiles, 0);
  await compactStore(folder, files);
  const open = await openStore(folder);
  const cut = crashCopy(folder);
  await open.close();
  removeFolder(folder);
  folder = cut;
  await (await openStore(folder, { files, bootId: 'another' })).close();
  expect(marks).toEqual(['none', 'none']);
});
