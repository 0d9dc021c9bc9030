// The durable store at its bounds: what is just allowed is kept whole, through a start that builds the state anew.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { decodePosition, encodePosition } from '../../../src/store/durable/position.ts';
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

/** As the journal alone has it. */
async function rebuiltContent(): Promise<ReturnType<typeof contentOf>> {
  const copy = crashCopy(folder);
  const rebuilt = await openStore(copy, { bootId: 'another' });
  try {
    return contentOf(rebuilt);
  } finally {
    await rebuilt.close();
    removeFolder(copy);
  }
}

it('the longest key and the longest value are taken', async () => {
  const [key, value] = ['k'.repeat(limits.storeKeyBytesMax), 'v'.repeat(limits.storeValueBytesMax)];
  store.transact(it => it.put('left', bytesOf(key), bytesOf(value)));
  expect((await rebuiltContent()).left).toEqual([[key, value]]);
});

it('after what is longer the next transaction is taken', () => {
  const put = (key: string) => store.transact(it => it.put('left', bytesOf(key), bytesOf('')));
  expect(() => put('k'.repeat(limits.storeKeyBytesMax + 1))).toThrow('storeKeyBytesMax');
  const tooLong = new Uint8Array(limits.storeValueBytesMax + 1);
  expect(() => store.transact(it => it.put('left', bytesOf('k'), tooLong))).toThrow('storeValueBytesMax');
  put('next');
  expect(contentOf(store).left).toEqual([['next', '']]);
});

it('a transaction that outgrows the memory for its record is kept to the byte', async () => {
  store.transact(it => {
    for (let row = 100; row < 400; row++) it.put('left', bytesOf(`k${row}`), bytesOf(String(row).repeat(row)));
  });
  expect(await rebuiltContent()).toEqual(contentOf(store));
});

it.each([0, 127, 1.5])('a table with the number %d is refused', async number => {
  const tables = { ...TABLES, last: number };
  await expect(openStore(join(folder, 'other'), { tables })).rejects.toThrow('different numbers from 1 to 126');
});

it('a position is read back, and none is of an unknown form or condition', () => {
  const position = { sequence: 2 ** 47, segment: 2 ** 40, bytes: 2 ** 33, condition: 'doubtful' } as const;
  const row = encodePosition(position);
  expect(decodePosition(row)).toEqual(position);
  for (const harm of [{ 0: 2 }, { 1: 3 }]) expect(decodePosition(Object.assign(Uint8Array.from(row), harm))).toBeNull();
  expect(decodePosition(row.subarray(1))).toBeNull();
});
