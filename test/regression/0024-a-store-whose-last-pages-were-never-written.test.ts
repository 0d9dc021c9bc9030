// LMDB never writes a page that a transaction takes and gives back: if it is the file's last, the file is shorter than it says. Such a
// store was taken for damaged at the next start, and built anew from its journal: with a million orders a minute instead of a second.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Random } from '../../src/runtime/random.ts';
import { LMDB_DATA_NAME, STATE_NAME } from '../../src/store/durable/layout.ts';
import { isWholeDataFile } from '../../src/store/lmdb-files.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

const ROWS = 4_000;
const CHANGES = 400;
const ROUNDS = 60;
const VALUE = bytesOf('v'.repeat(600));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('is believed, whenever it is killed', async () => {
  const random = new Random(24);
  const keyOf = (row: number) => bytesOf(String(row).padStart(4, '0'));
  const isWhole = (of: string) => isWholeDataFile(join(of, STATE_NAME, LMDB_DATA_NAME));
  const store = await openStore(folder);
  store.transact(to => {
    for (let row = 0; row < ROWS; row++) to.put('left', keyOf(row), VALUE);
  });
  for (let round = 0; round < ROUNDS; round++) {
    store.transact(to => {
      for (let change = 0; change < CHANGES; change++) to.put('left', keyOf(random.below(ROWS)), VALUE);
    });
    expect(isWhole(folder), `round ${round}`).toBe(true);
  }
  const killed = crashCopy(folder);
  const again = await openStore(killed);
  expect(again.recovery?.state).toBe('kept');
  expect(contentOf(again)).toEqual(contentOf(store));
  await again.close();
  await store.close();
  removeFolder(killed);
});
