// Found by asking which files are opened while orders are made. They are a new segment of the journal, and its folder when that segment's
// name is synced. Without a free descriptor at that moment the gateway assumed a failed disk, and took no orders until the next start.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { type Files, NoDescriptor, nodeFiles } from '../../src/store/files.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const SEGMENT_BYTES = 200;

let folder: string;
let journal: Journal;
/** So many openings fail from now on. */
let failures: number;
beforeEach(() => {
  folder = temporaryFolder();
  failures = 0;
  const unlessNone = <T>(path: string, work: () => T): T => {
    if (failures === 0) return work();
    failures -= 1;
    throw new NoDescriptor(`store file ${path}: EMFILE: too many open files`);
  };
  const files: Files = {
    ...nodeFiles,
    create: path => unlessNone(path, () => nodeFiles.create(path)),
    syncFolder: path => unlessNone(path, () => nodeFiles.syncFolder(path)),
  };
  const options = { folder, files, timers: wallTimers, segmentBytes: SEGMENT_BYTES, syncDelayMs: 1 };
  journal = Journal.open(options, 1, () => {});
  append('first'.padEnd(SEGMENT_BYTES));
});
afterEach(async () => {
  await journal.close();
  removeFolder(folder);
});

const append = (text: string): void => journal.append(Buffer.from(text));

it('the lack of a descriptor costs the record that needs it, and no other', async () => {
  failures = 1;
  expect(() => append('refused')).toThrow('EMFILE');
  append('later');
  await journal.durable();
  expect([journal.sequence, journal.synced, journal.fault]).toEqual([2, 2, null]);
});

it('callers that wait for the disk wait until it can', async () => {
  append('in another segment');
  failures = 3;
  await journal.durable();
  expect([failures, journal.synced, journal.fault]).toEqual([0, 2, null]);
  append('last');
});
