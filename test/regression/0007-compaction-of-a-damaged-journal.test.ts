// Bytes of the journal went bad on the disk while its state was sound. `store check` told it; `store compact`, which was to mend it, read
// the journal from its beginning though the checkpoint that it had just made has all of it, failed there, and left a store that
// did not open any more, where it had opened before.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { journalName } from '../../src/store/durable/layout.ts';
import { checkStore, compactStore } from '../../src/store/durable/upkeep.ts';
import { bytesOf, contentOf, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

const ROWS = 20;
/** One segment for all, as a small store has. */
const bounds = { storeSegmentBytes: 1_000_000, storeSyncDelayMs: 4 };
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it.each([1, 2])('mends it, asked %i times', async times => {
  const store = await openStore(folder, { bounds });
  for (let number = 0; number < ROWS; number++) {
    store.transact(transaction => transaction.put('left', bytesOf(`k${number}`), new Uint8Array(500)));
    if (number % 5 === 0) await store.durable();
  }
  const before = contentOf(store);
  await store.close();
  const path = join(folder, journalName(1));
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(path, bytes);
  expect((await checkStore(folder)).faults).toEqual([expect.stringContaining('damaged')]);

  for (let time = 0; time < times; time++) await compactStore(folder);

  expect((await checkStore(folder)).faults).toEqual([]);
  const again = await openStore(folder, { bounds });
  expect(contentOf(again)).toEqual(before);
  again.transact(transaction => transaction.put('left', bytesOf('more'), bytesOf('')));
  await again.close();
  expect((await checkStore(folder)).faults).toEqual([]);
});
