// Found with the fuzz target "journal segments": whether a torn tail hides records that were safe was asked at every byte by a check as
// long as the bytes there happened to say. Four megabytes of small numbers kept the store closed for minutes; this test would time out.

import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { nodeFiles } from '../../src/store/durable/files.ts';
import { readSegment } from '../../src/store/durable/journal-reader.ts';
import { encodeSegmentHead, RecordBuilder } from '../../src/store/durable/journal-record.ts';

const SALT = 1;
const FIRST = 41;
const path = join(tmpdir(), `crossbook-tail-${process.pid}`);
afterEach(() => rmSync(path, { force: true }));

function record(sequence: number, synced: number): Uint8Array {
  const builder = new RecordBuilder();
  builder.add(Buffer.from('key'), Buffer.from('value'));
  return Uint8Array.from(builder.frame(SALT, sequence, synced));
}

/** Any four bytes of it are a length that fits, and any six a number below the next. */
function smallNumbers(bytes: number): Buffer {
  const tail = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) tail.writeUInt32LE((at * 7_919) % 500_000, at);
  return tail;
}

const read = (...parts: readonly Uint8Array[]) => {
  writeFileSync(path, Buffer.concat([encodeSegmentHead(SALT), ...parts]));
  return readSegment(nodeFiles, path, 0, FIRST, () => {});
};

it('is torn, however much of it there is', () => {
  const tail = smallNumbers(8 * 1024 * 1024);
  expect(read(record(FIRST, 0), tail)).toMatchObject({ tornBytes: tail.length, next: FIRST + 1 });
});

it('hides a record that was safe where one behind it says so, and only there', () => {
  const tail = smallNumbers(64 * 1024);
  expect(() => read(record(FIRST, 0), tail, record(FIRST + 2, FIRST + 1))).toThrow('record 42 is damaged');
  expect(read(record(FIRST, 0), tail, record(FIRST + 2, FIRST))).toMatchObject({ next: FIRST + 1 });
});
