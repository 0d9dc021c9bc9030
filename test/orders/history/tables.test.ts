// Rows of the history: changed bytes on the disk; and the effects of a transaction, over LMDB and over its twin.

import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRowEnvironment } from '../../../src/core/store/lmdb.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { MemoryRows } from '../../support/memory-rows.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = Buffer.from('the key');
const VALUE = Buffer.from('what was written');
let folder: string;
let memory: MemoryRows;
beforeEach(() => {
  folder = temporaryFolder();
  memory = new MemoryRows();
});
afterEach(() => removeFolder(folder));

async function written(): Promise<void> {
  const tables = HistoryTables.open(folder);
  tables.follow(7, it => it.put('marks', KEY, VALUE));
  await tables.close();
}

/** Changes each page that contains the text. */
function change(text: string, offset: number): void {
  const file = readFileSync(`${folder}/data.mdb`);
  for (let at = file.indexOf(text); at >= 0; at = file.indexOf(text, at + 1)) file[at + offset]! ^= 1;
  writeFileSync(`${folder}/data.mdb`, file);
}

it('rows are read as they were written', async () => {
  await written();
  const tables = HistoryTables.open(folder);
  expect(tables.followed()).toBe(7);
  expect(Buffer.from(tables.get('marks', KEY)!)).toEqual(VALUE);
  expect(tables.range('marks', { limit: 2 })).toEqual([{ key: KEY, value: VALUE }]);
  await tables.close();
});

it.each([0, VALUE.length - 1, VALUE.length, VALUE.length + 3])(
  'an error names table and key of a row in which byte %i has changed',
  async offset => {
    await written();
    change(VALUE.toString(), offset);
    const tables = HistoryTables.open(folder);
    const words = 'store: marks record "the key": has a wrong checksum';
    expect(() => tables.get('marks', KEY)).toThrow(words);
    expect(() => tables.range('marks', { limit: 2 })).toThrow(words);
    await tables.close();
  },
);

it.each([1, 3])('a folder of form %i is refused in words that name a release', async form => {
  const rows = openRowEnvironment(folder, limits.storeStateBytesMax);
  const [key, value] = [Buffer.of(3, 4), Buffer.of(form, 0, 0, 0, 0, 0, 7)];
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc32(Buffer.concat([key, value])));
  rows.transact(() => rows.put(key, Buffer.concat([value, check])));
  await rows.close();
  const tables = HistoryTables.open(folder);
  const words = `has version ${form}, this program reads version 2: start the ${form === 1 ? 'earlier' : 'later'} release`;
  expect(() => tables.followed()).toThrow(words);
  await tables.close();
});

it('a row under another key is an error', async () => {
  await written();
  change(KEY.toString(), 0);
  const tables = HistoryTables.open(folder);
  expect(() => tables.range('marks', { limit: 2 })).toThrow('store: marks record "uhe key": has a wrong checksum');
  await tables.close();
});

type Open = (freeBytes?: () => number) => HistoryTables;
const inFolder: Open = freeBytes => HistoryTables.open(folder, freeBytes);
/** The tables as simulations have them. */
const inMemory: Open = (freeBytes = () => Number.POSITIVE_INFINITY) =>
  new HistoryTables('rows', memory.open(), freeBytes);

describe.each([
  ['in a folder', inFolder],
  ['in memory', inMemory],
])('rows %s', (_name, open) => {
  it('are kept with the place in the journal that they follow, or not at all', async () => {
    const tables = open();
    expect(tables.followed()).toBe(0);
    tables.follow(7, it => it.put('marks', KEY, VALUE));
    const work = () =>
      tables.follow(8, it => {
        it.delete('marks', KEY);
        throw new Error('deliberate');
      });
    expect(work).toThrow('deliberate');
    tables.refresh();
    expect([tables.followed(), Buffer.from(tables.get('marks', KEY)!)]).toEqual([7, VALUE]);
    await tables.close();
  });

  it('have one place in the journal for all who follow', async () => {
    const both = [open(), open()];
    let followed = 0;
    for (const [at, sequence] of [
      [0, 3],
      [0, 4],
      [1, 6],
      [0, 7],
      [1, 7],
      [1, 8],
    ] as const) {
      both[at]!.follow(sequence, (_, before) => expect(before).toBe(followed));
      followed = sequence;
    }
    await Promise.all(both.map(it => it.close()));
  });

  it('are read where they have no bytes but their key, from any buffer', async () => {
    const tables = open();
    tables.follow(1, it => it.put('ended', KEY, new Uint8Array(new ArrayBuffer(0))));
    expect(tables.range('ended', { limit: 2 }).map(({ value }) => value.length)).toEqual([0]);
    await tables.close();
  });

  it('are not written to a disk that is full, and the transaction can be rehearsed all the same', async () => {
    const tables = open(() => limits.historyFreeBytesMin - 1);
    expect(() => tables.change(it => it.put('marks', KEY, VALUE))).toThrow(StoreError);
    let seen: Uint8Array | undefined;
    tables.rehearse(it => {
      it.put('marks', KEY, VALUE);
      seen = it.get('marks', KEY);
    });
    expect(Buffer.from(seen!)).toEqual(VALUE);
    expect(tables.get('marks', KEY)).toBeUndefined();
    await tables.close();
  });

  it('have keys up to storeKeyBytesMax, and are read storeRangeRowsMax at a time', async () => {
    const tables = open();
    const longest = Buffer.alloc(limits.storeKeyBytesMax, 'k');
    const change = (key: Uint8Array) =>
      tables.change(it => {
        it.put('marks', longest, VALUE);
        it.put('marks', key, VALUE);
      });
    expect(() => change(Buffer.concat([longest, KEY]))).toThrow('exceeds storeKeyBytesMax (511)');
    expect(tables.get('marks', longest)).toBeUndefined();
    change(KEY);
    expect(tables.range('marks', { limit: limits.storeRangeRowsMax })).toHaveLength(2);
    expect(() => tables.range('marks', { limit: limits.storeRangeRowsMax + 1 })).toThrow('exceed storeRangeRowsMax');
    await tables.close();
  });
});
