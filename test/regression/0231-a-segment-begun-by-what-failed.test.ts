// Found by asking what is taken back of a transaction that failed when its record had begun a new segment of the journal, as on a full
// disk: nothing was, so that a start after kill -9 made what its caller was told had not happened. And where another thread had begun
// the segment anew meanwhile, what the first one wrote there later could not be read.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Files, nodeFiles } from '../../src/store/durable/files.ts';
import { createSegment, Journal } from '../../src/store/durable/journal.ts';
import { readSegment } from '../../src/store/durable/journal-reader.ts';
import { RecordBuilder, SEGMENT_HEAD_BYTES } from '../../src/store/durable/journal-record.ts';
import { journalName } from '../../src/store/durable/layout.ts';
import type { Position } from '../../src/store/durable/position.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';

const SEGMENT_BYTES = 2_000;

let folder: string;
let failsAppends: boolean;
beforeEach(() => {
  folder = temporaryFolder();
  failsAppends = false;
});
afterEach(() => removeFolder(folder));

/** Records, not heads, are written and fail: as when what follows them in their transaction does. */
const files: Files = {
  ...nodeFiles,
  append(file, bytes) {
    nodeFiles.append(file, bytes);
    if (failsAppends && bytes.length > SEGMENT_HEAD_BYTES) throw new StoreError('append failed');
  },
};

it('is not done by the next start', async () => {
  const store = await openStore(folder, { files });
  const put = (key: string, valueBytes: number) =>
    store.transact(to => to.put('left', bytesOf(key), new Uint8Array(valueBytes)));
  put('before', SEGMENT_BYTES);
  failsAppends = true;
  expect(() => put('failed', 10)).toThrow('append failed');
  const killed = crashCopy(folder);
  const again = await openStore(killed);
  expect(contentOf(again).left!.map(([key]) => key)).toEqual(['before']);
  await again.close();
  removeFolder(killed);
  failsAppends = false;
  put('later', 10);
  expect(contentOf(store).left!.map(([key]) => key)).toEqual(['before', 'later']);
  await store.close();
});

it('is written to as whoever began it anew wrote it', () => {
  const [one, another] = [new Journal(files, folder, SEGMENT_BYTES), new Journal(files, folder, SEGMENT_BYTES)];
  files.close(createSegment(files, folder, 1).file);
  const record = (valueBytes: number): RecordBuilder => {
    const builder = new RecordBuilder();
    builder.add(bytesOf('key'), new Uint8Array(valueBytes));
    return builder;
  };
  const start: Position = { sequence: 0, segment: 1, bytes: SEGMENT_HEAD_BYTES, condition: 'open' };
  const full = one.append(start, record(SEGMENT_BYTES), 0);
  failsAppends = true;
  expect(() => one.append(full, record(10), 0)).toThrow('append failed');
  failsAppends = false;
  const second = another.append(full, record(20), 0);
  one.cutTo(second);
  const third = one.append(second, record(30), 0);
  const read: number[] = [];
  const end = readSegment(files, `${folder}/${journalName(2)}`, 0, 2, sequence => read.push(sequence));
  expect([read, end]).toEqual([[2, 3], { bytes: third.bytes, tornBytes: 0, next: 4 }]);
  one.close();
  another.close();
});
