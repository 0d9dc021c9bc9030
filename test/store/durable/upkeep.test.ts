// What an operator does to a closed store: check it, copy it, make it smaller. And who has it open.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/store/durable/files.ts';
import { systemBootId } from '../../../src/store/durable/mark.ts';
import { isOwned, takeOwnership } from '../../../src/store/durable/owner-lock.ts';
import { checkStore, compactStore } from '../../../src/store/durable/upkeep.ts';
import { openUnsyncedEnvironment } from '../../../src/store/lmdb.ts';
import { usedBytes } from '../../../src/store/lmdb-files.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, TABLES, temporaryFolder } from './store-rig.ts';

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
    journalBytes: expect.any(Number),
    tornBytes: 0,
    state: 'same',
  };

  it('of a sound store finds it so, and changes nothing', async () => {
    const before = readdirSync(folder);
    expect(await checkStore(folder)).toEqual(sound);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('after a power cut says that the state will be built anew', async () => {
    const open = await openStore(folder);
    const copy = crashCopy(folder);
    await open.close();
    expect(await checkStore(copy, 'another')).toEqual({ ...sound, state: 'unusable' });
    removeFolder(copy);
  });

  it('finds a row that is not what the journal says, one too many, and one that is missing', async () => {
    for (const [harm, fault] of [
      [['put', 'k7'], /row 1\/6b37 is not what the journal says/],
      [['put', 'zz'], /row 1\/7a7a is not what the journal says/],
      [['remove', 'k9'], /row .* is not what the journal says/],
    ] as const) {
      const copy = crashCopy(folder);
      const state = openUnsyncedEnvironment(join(copy, 'state'), 1024 * 1024);
      const key = Uint8Array.of(2 * TABLES.left, ...bytesOf(harm[1]));
      state.transact(() => (harm[0] === 'put' ? state.put(key, bytesOf('wrong')) : state.remove(key)));
      await state.close();
      expect(await checkStore(copy)).toMatchObject({ state: 'different', faults: [expect.stringMatching(fault)] });
      removeFolder(copy);
    }
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
    const path = join(
      folder,
      readdirSync(folder)
        .filter(name => name.startsWith('journal-'))
        .toSorted()
        .at(-2)!,
    );
    const bytes = readFileSync(path);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(path, bytes);
    expect(await checkStore(folder)).toMatchObject({
      faults: [expect.stringMatching(/journal-\d+, offset \d+: /)],
      transactions: null,
    });
  });

  it('finds that the journal’s end is missing, or all of it', async () => {
    const journals = readdirSync(folder).filter(name => name.startsWith('journal-'));
    const path = join(folder, journals.toSorted().at(-1)!);
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
    const store = await openStore(folder);
    await store.backup(target);
    await store.close();
    expect(readdirSync(target).length).toBe(1);
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
    await store.close();
  });
});

it('compaction gives back the room of deleted rows, and keeps the rest', async () => {
  const store = await openStore(folder);
  for (let number = 0; number < 400; number++) {
    store.transact(transaction => transaction.put('right', bytesOf(`${number}`), new Uint8Array(1_000)));
  }
  for (let number = 0; number < 400; number++) {
    store.transact(transaction => transaction.delete('right', bytesOf(`${number}`)));
  }
  const before = contentOf(store);
  await store.close();
  const { bytesBefore, bytesAfter } = await compactStore(folder);
  expect(bytesAfter).toBeLessThan(bytesBefore / 2);
  expect(usedBytes(join(folder, 'state'))).toBe(bytesAfter);
  expect(await content(folder)).toEqual(before);
  expect(await checkStore(folder)).toMatchObject({ faults: [], state: 'same' });
});

describe('ownership', () => {
  it('of a living process is not taken, of a dead one is', async () => {
    const path = join(folder, 'owner');
    const script = `const { takeOwnership } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/store/durable/owner-lock.ts'))});
      takeOwnership(${JSON.stringify(folder)}); console.log('taken'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
    await once(child.stdout, 'data');
    expect(isOwned(nodeFiles, folder)).toBe(true);
    expect(() => takeOwnership(folder)).toThrow(`is open in process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(isOwned(nodeFiles, folder)).toBe(false);
    takeOwnership(folder)();
    expect(readdirSync(folder)).not.toContain('owner');
    expect(nodeFiles.sizeOf(path)).toBeNull();
  });

  it.each([
    [
      'of a process before the machine started',
      (own: string) => own.replace(/ \S+ /, ' 00000000-0000-0000-0000-000000000000 '),
    ],
    ['of an earlier process with the same number', (own: string) => own.replace(/\d+\n/, '1\n')],
    ['that is no lock', () => 'anything'],
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
