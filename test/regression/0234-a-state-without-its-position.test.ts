// Found by writing over pages of the state on disk: where the one with the position in the journal was among them no gateway started, and
// `crossbook store compact`, which mends a damaged state, did not either: it was believed, and only then missed. It is built anew.

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LMDB_DATA_NAME, STATE_NAME } from '../../src/store/durable/layout.ts';
import { checkStore, compactStore } from '../../src/store/durable/upkeep.ts';
import { PAGE_BYTES, usedBytes } from '../../src/store/lmdb-files.ts';
import { bytesOf, contentOf, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

/** Of LMDB's own. */
const HEAD_PAGES = 2;
const ROWS = 300;

/** A page of nothing, and one that is a leaf, as the flags in its head say, and empty. */
const NOTHING = Buffer.alloc(PAGE_BYTES);
const EMPTY_LEAF = Buffer.alloc(PAGE_BYTES);
EMPTY_LEAF.writeUInt16LE(2, 18);
EMPTY_LEAF.writeUInt16LE(24, 20);
EMPTY_LEAF.writeUInt16LE(PAGE_BYTES, 22);

let folder: string;
let content: unknown;
beforeEach(async () => {
  folder = temporaryFolder();
  const store = await openStore(folder);
  for (let row = 0; row < ROWS; row += 1) store.transact(to => to.put('left', bytesOf(`row ${row}`), bytesOf('value')));
  content = contentOf(store);
  await store.close();
});
afterEach(() => removeFolder(folder));

/** All that the state has but where it begins. */
function overwrite(page: Uint8Array): void {
  const state = join(folder, STATE_NAME);
  const pages = usedBytes(state) / PAGE_BYTES;
  const file = openSync(join(state, LMDB_DATA_NAME), 'r+');
  for (let number = HEAD_PAGES; number < pages; number += 1) writeSync(file, page, 0, PAGE_BYTES, number * PAGE_BYTES);
  closeSync(file);
}

it.each([
  ['nothing', NOTHING],
  ['empty leaves', EMPTY_LEAF],
])('of which %s are left is built anew by the next start', async (_what, page) => {
  overwrite(page);
  expect(await checkStore(folder)).toMatchObject({ state: 'unusable', faults: [] });
  const store = await openStore(folder);
  expect([store.recovery?.state, contentOf(store)]).toEqual(['rebuilt', content]);
  await store.close();
});

it('is mended by a compaction', async () => {
  overwrite(EMPTY_LEAF);
  await compactStore(folder);
  const store = await openStore(folder);
  expect([store.recovery?.state, contentOf(store)]).toEqual(['kept', content]);
  await store.close();
});
