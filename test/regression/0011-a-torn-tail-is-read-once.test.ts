// Found with the fuzz target "journal segments". At every byte of a torn tail a check ran over as many bytes as the number there stated.
// Four megabytes of small numbers kept the store closed for minutes; this test would time out.

import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RecordFramer } from '../../src/journal/record.ts';
import { readJournal, segmentName } from '../../src/journal/segments.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const SALT = 1;
const FIRST = 41;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function record(sequence: number, synced: number): Uint8Array {
  return Uint8Array.from(new RecordFramer().frame(Buffer.from('payload'), SALT, sequence, synced));
}

/** Any four bytes of it are a length that fits, and any six a number below the next. */
function smallNumbers(bytes: number): Buffer {
  const tail = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) tail.writeUInt32LE((at * 7_919) % 500_000, at);
  return tail;
}

const read = (...parts: readonly Uint8Array[]) => {
  writeFileSync(segmentName(folder, FIRST, SALT).path, Buffer.concat(parts));
  return readJournal(nodeFiles, folder, FIRST, () => {});
};

it('a torn tail is recognized, however long it is', () => {
  const tail = smallNumbers(8 * 1024 * 1024);
  expect(read(record(FIRST, 0), tail)).toMatchObject({ tornBytes: tail.length, sequence: FIRST });
});

it('hides a record that was safe where one behind it says so, and only there', () => {
  const tail = smallNumbers(64 * 1024);
  expect(() => read(record(FIRST, 0), tail, record(FIRST + 2, FIRST + 1))).toThrow('record 42 is damaged');
  expect(read(record(FIRST, 0), tail, record(FIRST + 2, FIRST))).toMatchObject({ sequence: FIRST });
});
