// A data directory's knowledge of its folder of orders. A start without the orders that were there is refused. After a start that was cut off
// anywhere, the next start goes on.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { type Files, nodeFiles } from '../../../src/core/store/files.ts';
import { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { OPEN_BOOT_MARK, UNKNOWN_BOOT } from '../../../src/core/store/owner-lock.ts';
import {
  knownPosition,
  LedgerNotes,
  noteLedger,
  refuseUnknownFolder,
} from '../../../src/orders/history/known-ledger.ts';
import { acceptLoss, openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { FailingFiles } from '../../support/failing-files.ts';
import { LosingDisk } from '../../support/losing-disk.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LedgerRig } from './history-rig.ts';

const ACCEPT = /crossbook store accept-loss/;

let dataDir: string;
let folder: string;
beforeEach(() => {
  dataDir = temporaryFolder();
  folder = join(dataDir, 'orders');
});
afterEach(() => removeFolder(dataDir));

/** Opens a ledger once, with so many orders in its journal. The history has all of these orders or none. */
async function ledgerOf(orders: number, isFollowed: boolean): Promise<void> {
  const rig = new LedgerRig(folder);
  for (let number = 1; number <= orders; number++) rig.step(it => it.putOrder(storedOrder({ number })));
  await rig.close();
  const owner = await openLedgerFolder(folder);
  if (isFollowed) owner.followToEnd();
  owner.note(orders);
  await owner.close();
}

const reopen = async (options = {}): Promise<void> => (await openLedgerFolder(folder, options)).close();

describe('4024: a folder of orders', () => {
  it('that was removed is refused without a trace, until the loss is accepted', async () => {
    await ledgerOf(3, true);
    rmSync(folder, { recursive: true });
    await expect(reopen()).rejects.toThrow(/orders: is missing, or empty: stops, idempotency keys/);
    await expect(reopen()).rejects.toThrow(ACCEPT);
    expect(existsSync(folder)).toBe(false);
    // The folder is the empty mount point of a disk that is not there.
    mkdirSync(folder);
    await expect(reopen()).rejects.toThrow('is missing, or empty');
    expect(await acceptLoss(folder)).toBe(0);
    await reopen();
  });

  it('that is another one is refused, as one from a backup of files is', async () => {
    await ledgerOf(3, true);
    rmSync(folder, { recursive: true });
    const other = join(dataDir, 'other/orders');
    await (await openLedgerFolder(other)).close();
    cpSync(other, folder, { recursive: true });
    await expect(reopen()).rejects.toThrow('is not the ledger that its data directory knows');
    await acceptLoss(folder);
    await reopen();
  });

  it('that is an older copy of itself is refused: the last orders are lost', async () => {
    await ledgerOf(2, true);
    cpSync(folder, `${folder}.copy`, { recursive: true });
    const rig = new LedgerRig(folder);
    for (let number = 3; number <= 5; number++) rig.step(it => it.putOrder(storedOrder({ number })));
    await rig.close();
    const owner = await openLedgerFolder(folder);
    owner.note(5);
    await owner.close();
    rmSync(folder, { recursive: true });
    cpSync(`${folder}.copy`, folder, { recursive: true });
    await expect(reopen()).rejects.toThrow('ends at record 2, and has had 5: the last orders are lost');
    expect(await acceptLoss(folder)).toBe(2);
    const again = await openLedgerFolder(folder);
    // No cursor that was handed out is used again.
    expect(new OrderReader(again.tables).mark(OPEN_BOOT_MARK)).toBe(UNKNOWN_BOOT);
    await again.close();
    rmSync(`${folder}.copy`, { recursive: true });
  });

  it('whose orders are in the journal alone is opened, however far it is noted', async () => {
    await ledgerOf(4, false);
    await reopen();
    expect(knownPosition(nodeFiles, folder)).toBe(4);
  });

  it('that nothing is known of, and that must have been, is refused', async () => {
    await expect(reopen({ isExpected: true })).rejects.toThrow(ACCEPT);
    await ledgerOf(1, true);
    rmSync(`${folder}.id`);
    // A folder without the file may come from an earlier release.
    await reopen({ isExpected: true });
  });

  it('may be a new one where a stream has all records, and what the stream must have stays known', async () => {
    await ledgerOf(3, true);
    rmSync(folder, { recursive: true });
    await reopen({ hasStream: true });
    expect(knownPosition(nodeFiles, folder)).toBe(3);
  });

  it('says which file is damaged', async () => {
    await ledgerOf(1, true);
    const [known, id] = [`${folder}.id`, join(folder, 'id')];
    for (const path of [known, id]) {
      const text = readFileSync(path);
      nodeFiles.close(nodeFiles.create(path));
      await expect(reopen()).rejects.toThrow(`${path}: must hold`);
      const file = nodeFiles.open(path);
      nodeFiles.append(file, text);
      nodeFiles.close(file);
      await reopen();
    }
  });
});

it('4013: a journal that is gone is refused, also where the history knows of none', async () => {
  for (const isFollowed of [false, true]) {
    await ledgerOf(2, isFollowed);
    rmSync(join(folder, 'journal'), { recursive: true });
    await expect(reopen()).rejects.toThrow(ACCEPT);
    await acceptLoss(folder);
    await reopen();
    rmSync(folder, { recursive: true });
    rmSync(`${folder}.id`);
  }
});

it('4013: the end of a journal that is gone is refused, though its beginning is there', async () => {
  await ledgerOf(200, false);
  const journal = join(folder, 'journal');
  const newest = nodeFiles.list(journal).sort().at(-1)!;
  rmSync(join(journal, newest));
  await expect(reopen()).rejects.toThrow(/ends at record \d+, and has had 200/);
});

/** Kills the process before the step with this number. −1 means at no step. */
class Killed extends FailingFiles {
  #left: number;
  steps = 0;
  constructor(at: number) {
    super();
    this.#left = at;
  }
  #step(): void {
    this.steps += 1;
    if (this.#left-- === 0) throw new Error('killed');
  }
  override makeFolder = (path: string): void => {
    this.#step();
    nodeFiles.makeFolder(path);
  };
  override create(path: string) {
    this.#step();
    return super.create(path);
  }
  override append(...args: Parameters<Files['append']>): void {
    this.#step();
    super.append(...args);
  }
  override rename(from: string, to: string): void {
    this.#step();
    super.rename(from, to);
  }
  override syncFolder(path: string): void {
    this.#step();
    super.syncFolder(path);
  }
}

it('4024: a first start that is killed at any step is followed by one that goes on', async () => {
  const whole = new Killed(-1);
  await reopen({ files: whole });
  expect(whole.steps).toBeGreaterThan(8);
  for (let step = 0; step < whole.steps; step++) {
    removeFolder(folder);
    rmSync(`${folder}.id`, { force: true });
    await expect(reopen({ files: new Killed(step) })).rejects.toThrow('killed');
    await reopen();
  }
});

it('4024: a power cut at any step leaves a folder that is taken up again', () => {
  mkdirSync(folder);
  const disk = new LosingDisk(dataDir);
  noteLedger(disk, folder, 0);
  const made = disk.steps;
  noteLedger(disk, folder, 7);
  const random = new Random(4_024);
  for (let step = 0; step <= disk.steps; step++) {
    const target = temporaryFolder();
    disk.rebuild(step, target, random);
    const found = join(target, 'orders');
    // As long as the folder had no name on disk, no order existed.
    refuseUnknownFolder(nodeFiles, found, false);
    expect(knownPosition(nodeFiles, found)).toBeLessThanOrEqual(step > made ? 7 : 0);
    noteLedger(nodeFiles, found, 7);
    expect(knownPosition(nodeFiles, found)).toBe(7);
    removeFolder(target);
  }
});

it('4024: the position is noted now and then, at the end, and never set back; a disk that fails ends nothing', () => {
  mkdirSync(folder);
  const [timers, files] = [new VirtualTimers(), new FailingFiles()];
  const positions = { synced: 0, followed: 0 };
  const notes = new LedgerNotes({ folder, files, positions, timers, log: silentLog });
  const noted = (): number => knownPosition(nodeFiles, folder);
  positions.synced = 5;
  timers.advance(9_999);
  expect(noted()).toBe(0);
  timers.advance(1);
  expect(noted()).toBe(5);
  files.failing.add('create');
  positions.followed = 8;
  timers.advance(20_000);
  expect(noted()).toBe(5);
  files.failing.clear();
  notes.close();
  expect([noted(), timers.pending]).toEqual([8, 0]);
  noteLedger(nodeFiles, folder, 6);
  expect(noted()).toBe(8);
});
