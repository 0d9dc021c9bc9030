// What is on the disk, with bytes changed. A record is a value that is written as these bytes, or a StoreError; a journal hands over
// what was written, from its beginning, or is a StoreError; a checkpoint is the one that was sealed, or a StoreError.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import {
  decodeRecord as decodeCatalogRecord,
  encodeRecord as encodeCatalogRecord,
} from '../../src/catalog/catalog-record.ts';
import { verifyCheckpoint } from '../../src/store/durable/checkpoint.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { readSegment } from '../../src/store/durable/journal-reader.ts';
import { encodeSegmentHead, RecordBuilder } from '../../src/store/durable/journal-record.ts';
import { LMDB_DATA_NAME, SEAL_NAME } from '../../src/store/durable/layout.ts';
import { decodePosition, encodePosition } from '../../src/store/durable/position.ts';
import {
  decodeRecord as decodeKeyRecord,
  encodeRecord as encodeKeyRecord,
  recordName,
} from '../../src/store/key-record.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { keyRecord } from '../store/identities.ts';
import { FIRST_FORMS } from '../store/orders/first-forms.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { fuzz } from './fuzz.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Null: a StoreError, which is what damage should be. */
function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return null;
  }
}

const NAME = Buffer.from('name');

fuzz({
  name: 'order records',
  inputs: fc
    .constantFrom(...FIRST_FORMS)
    .chain(({ codec, value, hex }) =>
      fc.tuple(
        fc.constant(codec),
        damagedBytes(fc.constantFrom(codec.encode(value as never), Buffer.from(hex, 'hex'))),
      ),
    ),
  runs: 400,
  check([codec, bytes]) {
    const value = unlessDamaged(() => codec.decode(bytes, NAME) as never);
    if (value === null) return;
    const written = codec.encode(value);
    // Earlier forms are read, and written in the newest.
    if (written[0] === bytes[0]) expect(Buffer.from(written)).toEqual(bytes);
    else expect(codec.decode(written, NAME)).toEqual(value);
  },
});

fuzz({
  name: 'key records',
  inputs: keyRecord.chain(record =>
    fc.tuple(fc.constant(record), damagedBytes(fc.constant(encodeKeyRecord(record)), ['"read"', 'null', '"v":1'])),
  ),
  runs: 150,
  check([record, bytes]) {
    const read = decodeKeyRecord(recordName(record), bytes);
    if (!read.ok) expect(read.error).not.toBe('');
    else {
      // Of that name, and with nothing that its text does not say.
      expect(recordName(read.value)).toBe(recordName(record));
      const text = bytes.toString();
      for (const value of Object.values(read.value.value).flat()) {
        if (typeof value === 'string') expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(value));
      }
    }
  },
});

fuzz({
  name: 'catalog records',
  inputs: fc
    .jsonValue()
    .chain(value => fc.tuple(fc.constant(value), damagedBytes(fc.constant(encodeCatalogRecord(value)), ['1 ', '2 ']))),
  runs: 150,
  check([value, bytes]) {
    const read = decodeCatalogRecord(bytes);
    if (read.ok) expect(read.value).toEqual(JSON.parse(JSON.stringify(value)));
    else expect(read.error).not.toBe('');
  },
});

fuzz({
  name: 'journal positions',
  inputs: damagedBytes(
    fc
      .record({ sequence: count(), segment: count(), bytes: count() })
      .map(it => encodePosition({ ...it, condition: 'open' })),
  ),
  runs: 100,
  check(bytes) {
    const position = decodePosition(bytes);
    if (position !== null) expect(Buffer.from(encodePosition(position))).toEqual(bytes);
  },
});

function count(): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 2 ** 48 - 1 });
}

const SALT = 0xdead_beef;
const FIRST = 41;
const operation = fc.record({ key: text(1, 9), value: fc.option(text(0, 40), { nil: null }) });
const records = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
type Records = readonly (readonly { readonly key: string; readonly value: string | null }[])[];

fuzz({
  name: 'journal segments',
  inputs: fc
    .tuple(records, fc.nat(6))
    .chain(([all, synced]) => fc.tuple(fc.constant(all), damagedBytes(fc.constant(segmentOf(all, synced)), [], 3))),
  runs: 150,
  check([all, bytes]) {
    const path = join(folder, 'segment');
    writeFileSync(path, bytes);
    const heard: unknown[] = [];
    const end = unlessDamaged(() =>
      readSegment(nodeFiles, path, 0, FIRST, (sequence, operations) => {
        heard.push(
          operations.map(({ key, value }) => ({
            key: Buffer.from(key).toString('latin1'),
            value: value === undefined ? null : Buffer.from(value).toString('latin1'),
          })),
        );
        expect(sequence).toBe(FIRST + heard.length - 1);
      }),
    );
    // A record that somebody has written twice is not in its place.
    expect(heard).toEqual(all.slice(0, heard.length));
    if (end !== null) expect([end.bytes + end.tornBytes, end.next]).toEqual([bytes.length, FIRST + heard.length]);
  },
});

fuzz({
  name: 'checkpoints',
  inputs: fc.uint8Array({ minLength: 1, maxLength: 300 }).chain(data => {
    const seal = Buffer.from(`${data.length} ${crc32(data)} follows\n`);
    return fc.record({
      data: fc.constant(data),
      damagedData: damagedBytes(fc.constant(data), [], 2),
      seal: fc.constant(seal),
      damagedSeal: damagedBytes(fc.constant(seal), ['none', '0 0 follows\n'], 1),
    });
  }),
  runs: 100,
  check({ data, damagedData, seal, damagedSeal }) {
    const checkpoint = join(folder, 'checkpoint');
    mkdirSync(checkpoint, { recursive: true });
    writeFileSync(join(checkpoint, LMDB_DATA_NAME), damagedData);
    writeFileSync(join(checkpoint, SEAL_NAME), damagedSeal);
    const read = unlessDamaged(() => verifyCheckpoint(nodeFiles, checkpoint));
    if (read !== null) expect([read.bytes, read.crc]).toEqual([damagedData.length, crc32(damagedData)]);
    const isWhole = damagedSeal.equals(seal) && damagedData.equals(Buffer.from(data));
    if (isWhole) expect(read).toEqual({ bytes: data.length, crc: crc32(data), journal: 'follows' });
  },
});

function text(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength, maxLength }).map(bytes => Buffer.from(bytes).toString('latin1'));
}

/** `synced`: how far behind its own number each record knows the disk to be. */
function segmentOf(all: Records, synced: number): Uint8Array {
  const builder = new RecordBuilder();
  const frames = all.map((operations, index) => {
    builder.clear();
    for (const { key, value } of operations) {
      builder.add(Buffer.from(key, 'latin1'), value === null ? undefined : Buffer.from(value, 'latin1'));
    }
    return Uint8Array.from(builder.frame(SALT, FIRST + index, FIRST + index - 1 - synced));
  });
  return Buffer.concat([encodeSegmentHead(SALT), ...frames]);
}
