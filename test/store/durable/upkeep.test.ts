// What an operator does to a closed store: check it, copy it, make it smaller. And who has it open.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { systemBootId } from '../../../src/runtime/boot-id.ts';
import { nodeFiles } from '../../../src/store/durable/files.ts';
import { checkStore, compactStore, rebuildState } from '../../../src/store/durable/upkeep.ts';
import { openUnsyncedEnvironment, type UnsyncedEnvironment } from '../../../src/store/lmdb.ts';
import { usedBytes } from '../../../src/store/lmdb-files.ts';
import { isOwned, takeOwnership } from '../../../src/store/owner-lock.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import {
  bytesOf,
  contentOf,
  crashCopy,
  openStore,
  removeFolder,
  TABLES,
  type Table,
  temporaryFolder,
} from './store-rig.ts';

const ROWS = 60;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  const store = await openStore(folder);
  for (let number = 0; number < ROWS; number++) {
    store.transact(transaction => {
      transaction.put('left', bytesOf(`k${number}`), new Uint8Array(500));
      if (number % 2 === 0) transaction.put('last', bytesOf(`k${number}`), bytesOf(''));
    });
    if (number === ROWS / 2) await store.checkpoint();
  }
  await store.close();
});
afterEach(() => removeFolder(folder));

/** Ascending. */
function journals(): string[] {
  const names = readdirSync(folder).filter(name => name.startsWith('journal-'));
  return names.toSorted().map(name => join(folder, name));
}

const journalBytes = (): number => journals().reduce((sum, path) => sum + statSync(path).size, 0);

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

const keyOf = (table: Table, key: string): Uint8Array => Uint8Array.of(2 * TABLES[table], ...bytesOf(key));

async function content(of: string, bootId = systemBootId()) {
  const store = await openStore(of, { bootId });
  const all = contentOf(store);
  await store.close();
  return all;
}

describe('a check', () => {
  const sound = {
    faults: [],
    // The first wrote the schema's version.
    transactions: ROWS + 1,
    rows: new Map([
      [TABLES.left, ROWS],
      [TABLES.last, ROWS / 2],
    ]),
    checkpoint: ROWS / 2 + 2,
    journalBytes: 0,
    tornBytes: 0,
    state: 'same',
  };

  it('of a sound store finds it so, and changes nothing', async () => {
    const before = readdirSync(folder);
    expect(await checkStore(folder)).toEqual({ ...sound, journalBytes: journalBytes() });
    expect(readdirSync(folder)).toEqual(before);
  });

  it('has the store for itself until it is done, and leaves nothing of another that was stopped, nor any file open', async () => {
    mkdirSync(join(folder, 'check.draft'));
    writeFileSync(join(folder, 'check.draft/journal-000000000000999'), 'of another day');
    const checking = checkStore(folder);
    expect(isOwned(nodeFiles, folder)).toBe(true);
    expect(await checking).toEqual({ ...sound, journalBytes: journalBytes() });
    expect(isOwned(nodeFiles, folder)).toBe(false);
    expect([existsSync(join(folder, 'check.draft')), opened()]).toEqual([false, []]);
  });

  it('tells how much of the journal was torn, and finds a backup whole, and a store that is new', async () => {
    appendFileSync(journals().at(-1)!, 'torn');
    expect(await checkStore(folder)).toMatchObject({ ...sound, journalBytes: journalBytes(), tornBytes: 4 });
    const [copy, fresh] = [temporaryFolder(), temporaryFolder()];
    const store = await openStore(folder);
    await store.backup(copy);
    await store.close();
    expect(await checkStore(copy)).toEqual({ ...sound, checkpoint: ROWS + 1, state: 'unusable' });
    await (await openStore(fresh)).close();
    expect(await checkStore(fresh)).toMatchObject({ faults: [], transactions: 1, checkpoint: null, state: 'same' });
    for (const it of [copy, fresh]) removeFolder(it);
  });

  it('reads more rows than one range has, whatever their keys', async () => {
    const store = await openStore(folder);
    const rows = limits.storeRangeRowsMax + 1;
    // Most follow the one before by a zero.
    const keyOf = (row: number) => `${Math.floor(row / 100)} ${'\0'.repeat(row % 100)}`;
    store.transact(to => {
      for (let row = 0; row < rows; row++) to.put('right', bytesOf(keyOf(row)), bytesOf(''));
    });
    await store.close();
    const { state, rows: counted } = await checkStore(folder);
    expect([state, counted.get(TABLES.right)]).toEqual(['same', rows]);
  });

  it('after a power cut says that the state will be built anew', async () => {
    const open = await openStore(folder);
    const copy = crashCopy(folder);
    await open.close();
    expect(await checkStore(copy, 'another')).toEqual({ ...sound, journalBytes: journalBytes(), state: 'unusable' });
    removeFolder(copy);
  });

  it.each<[what: string, harm: (state: UnsyncedEnvironment) => void, fault: string]>([
    ['that is not what the journal says', state => state.put(keyOf('left', 'k7'), bytesOf('wrong')), '1/6b37'],
    ['too many', state => state.put(keyOf('left', 'zz'), bytesOf('wrong')), '1/7a7a'],
    ['too many, the last of all', state => state.put(keyOf('last', 'zz'), bytesOf('')), '126/7a7a'],
    ['that is missing', state => state.remove(keyOf('left', 'k9')), 'own/01'],
    [
      'that has another key',
      state => {
        state.remove(keyOf('left', 'k9'));
        state.put(keyOf('left', 'k9a'), new Uint8Array(500));
      },
      '1/6b3961',
    ],
  ])('finds a row %s, which is mended by building the state anew', async (_what, harm, row) => {
    const before = await content(folder);
    const state = openUnsyncedEnvironment(join(folder, 'state'), 1024 ** 3);
    state.transact(() => harm(state));
    await state.close();
    const fault = `${folder}/state: row ${row} is not what the journal says`;
    expect(await checkStore(folder)).toMatchObject({ state: 'different', faults: [fault] });
    await rebuildState(folder);
    expect(await checkStore(folder)).toMatchObject({ state: 'same', faults: [] });
    const store = await openStore(folder, { bootId: 'another' });
    expect([store.recovery?.state, contentOf(store)]).toEqual(['kept', before]);
    await store.close();
    expect(opened()).toEqual([]);
  });

  it('finds that the last row is missing', async () => {
    const environment = openUnsyncedEnvironment(join(folder, 'state'), 1024 ** 3);
    const [last] = environment.range({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff), reverse: true, limit: 1 });
    environment.transact(() => environment.remove(last!.key));
    await environment.close();
    const { faults, state } = await checkStore(folder);
    const name = `${TABLES.last}/${Buffer.from(last!.key.subarray(1)).toString('hex')}`;
    expect([state, faults]).toEqual(['different', [`${folder}/state: lacks row ${name}`]]);
  });

  it('of a process that died over a commit says that the next start adds it, which it does', async () => {
    const store = await openStore(folder);
    const before = crashCopy(folder);
    store.transact(to => to.put('right', bytesOf('k'), bytesOf('v')));
    const after = crashCopy(folder);
    await store.close();
    // The journal is written first.
    rmSync(join(after, 'state'), { recursive: true });
    renameSync(join(before, 'state'), join(after, 'state'));
    expect(await checkStore(after)).toMatchObject({ state: 'behind', faults: [], transactions: ROWS + 2 });
    expect((await content(after)).right).toEqual([['k', 'v']]);
    removeFolder(before);
    removeFolder(after);
  });

  it('finds damage in the journal', async () => {
    const path = journals().at(-2)!;
    const bytes = readFileSync(path);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(path, bytes);
    const fault = new RegExp(`^store file ${path}, offset \\d+: `);
    expect(await checkStore(folder)).toEqual({
      ...sound,
      journalBytes: journalBytes(),
      faults: [expect.stringMatching(fault)],
      transactions: null,
      rows: new Map(),
      state: 'unusable',
    });
  });

  it('finds that the journal’s end is missing, or all of it', async () => {
    const path = journals().at(-1)!;
    writeFileSync(path, readFileSync(path).subarray(0, -3));
    const missing = `store ${folder}: the part of the journal with transaction ${ROWS + 1} is missing`;
    expect(await checkStore(folder)).toMatchObject({ state: 'ahead', faults: [missing], transactions: ROWS });
    for (const name of readdirSync(folder).filter(it => !['state', 'mark'].includes(it)))
      rmSync(join(folder, name), { recursive: true });
    expect(await checkStore(folder)).toMatchObject({ faults: [`store ${folder}: its journal is missing`] });
  });

  it('of an open store, or of none, is refused', async () => {
    const store = await openStore(folder);
    await expect(checkStore(folder)).rejects.toThrow(StoreError);
    await store.close();
    await expect(checkStore(join(folder, 'none'))).rejects.toThrow('there is none');
  });
});

describe('a backup', () => {
  it('of an open store is a store with the same content', async () => {
    const target = temporaryFolder();
    chmodSync(target, 0o755);
    const synced: string[] = [];
    const syncFolder = (path: string): void => {
      synced.push(path);
      nodeFiles.syncFolder(path);
    };
    const store = await openStore(folder, { files: { ...nodeFiles, syncFolder } });
    await store.backup(target);
    await store.close();
    expect(synced).toContain(dirname(target));
    expect([readdirSync(target).length, statSync(target).mode & 0o777]).toEqual([1, 0o700]);
    const before = await content(folder);
    expect(await content(target, 'another')).toEqual(before);
    const restored = await openStore(target);
    restored.transact(transaction => transaction.put('left', bytesOf('more'), bytesOf('')));
    await restored.close();
    expect((await content(target, 'a third')).left!.length).toBe(ROWS + 1);
    removeFolder(target);
  });

  it('does not mix with what is there', async () => {
    const store = await openStore(folder);
    await expect(store.backup(folder)).rejects.toThrow('is not empty');
    const other = temporaryFolder();
    writeFileSync(join(other, 'one'), '');
    await expect(store.backup(other)).rejects.toThrow('is not empty');
    await store.close();
    removeFolder(other);
  });
});

it('compaction gives back the room of deleted rows, and keeps the rest', async () => {
  const store = await openStore(folder);
  for (let number = 0; number < 400; number++) {
    store.transact(transaction => transaction.put('right', bytesOf(`${number}`), new Uint8Array(1_000)));
  }
  store.flush();
  for (let number = 0; number < 400; number++) {
    store.transact(transaction => transaction.delete('right', bytesOf(`${number}`)));
  }
  const before = contentOf(store);
  await store.close();
  const { bytesBefore, bytesAfter } = await compactStore(folder);
  expect(bytesAfter).toBeLessThan(bytesBefore / 2);
  expect(usedBytes(join(folder, 'state'))).toBe(bytesAfter);
  expect([readdirSync(folder).includes('state.distrusted'), opened()]).toEqual([false, []]);
  expect(await content(folder)).toEqual(before);
  expect(await checkStore(folder)).toMatchObject({ faults: [], state: 'same' });
  // Unlike a backup it is not whole without its journal.
  for (const path of [...journals(), join(folder, 'state')]) rmSync(path, { recursive: true });
  await expect(openStore(folder)).rejects.toThrow(/the part of the journal with transaction \d+ is missing/);
});

it('compaction that fails leaves the store as it was, of which nothing may be lost', async () => {
  const before = await content(folder);
  const rename = (from: string, to: string): void => {
    if (to.includes('/checkpoint-')) throw new StoreError('stopped');
    nodeFiles.rename(from, to);
  };
  await expect(compactStore(folder, { ...nodeFiles, rename })).rejects.toThrow('stopped');
  let losses = 0;
  const store = await openStore(folder, { onLoss: () => (losses += 1) });
  expect([store.recovery?.state, losses, contentOf(store)]).toEqual(['kept', 0, before]);
  await store.close();
});

it('compaction of a backup, which has no state, and once more of what it made', async () => {
  const copy = temporaryFolder();
  const store = await openStore(folder);
  await store.backup(copy);
  await store.close();
  const first = await compactStore(copy);
  expect([first.bytesBefore, first.bytesAfter > 0]).toEqual([0, true]);
  expect(await compactStore(copy)).toEqual({ bytesBefore: first.bytesAfter, bytesAfter: first.bytesAfter });
  expect(await content(copy)).toEqual(await content(folder));
  removeFolder(copy);
});

describe('ownership', () => {
  it('of a living process is not taken, of a dead one is', async () => {
    const path = join(folder, 'owner');
    const script = `const { takeOwnership } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/store/owner-lock.ts'))});
      takeOwnership(${JSON.stringify(folder)}); console.log('taken'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
    await once(child.stdout, 'data');
    expect(isOwned(nodeFiles, folder)).toBe(true);
    expect(() => takeOwnership(folder)).toThrow(`is open in process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(isOwned(nodeFiles, folder)).toBe(false);
    takeOwnership(folder)();
    expect(isOwned(nodeFiles, folder)).toBe(false);
    expect(readdirSync(folder)).not.toContain('owner');
    expect(nodeFiles.sizeOf(path)).toBeNull();
  });

  it.each([
    [
      'of a process before the machine started',
      (own: string) => own.replace(/ \S+ /, ' 00000000-0000-0000-0000-000000000000 '),
    ],
    ['of an earlier process with the same number', (own: string) => own.replace(/\d+\n/, '0\n')],
    [
      'of a process that is no more, on a system that does not tell when it started',
      (own: string) => own.replace(/^\d+/, String(spawnSync('true').pid)).replace(/\d+\n$/, '-\n'),
    ],
    ['that is no lock', () => 'anything'],
    ['with more behind it', (own: string) => `${own}more`],
    ['that is empty', () => ''],
  ])('a lock %s does not count', (_which, change) => {
    const path = join(folder, 'owner');
    const giveUp = takeOwnership(folder);
    const own = readFileSync(path, 'latin1');
    giveUp();
    writeFileSync(path, change(own));
    takeOwnership(folder)();
  });
});
