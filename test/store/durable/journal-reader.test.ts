// The journal's bytes: what was written is read back, and whatever happens to the bytes, a reader gives true records from
// the start, or says where the damage is; never anything else.

import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { nodeFiles } from '../../../src/store/durable/files.ts';
import { readSegment } from '../../../src/store/durable/journal-reader.ts';
import {
  decodeOperations,
  decodeRecord,
  decodeSegmentHead,
  encodeSegmentHead,
  type Operation,
  RecordBuilder,
  SEGMENT_HEAD_BYTES,
} from '../../../src/store/durable/journal-record.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { removeFolder, temporaryFolder } from './store-rig.ts';

const SALT = 0xdead_beef;
const FIRST = 41;

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'segment');
});
afterEach(() => removeFolder(folder));

const bytes = (range: { minLength?: number; maxLength: number }) =>
  fc.uint8Array(range).map(array => Buffer.from(array).toString('latin1'));
const operation = fc.record({
  key: bytes({ minLength: 1, maxLength: 9 }),
  value: fc.option(bytes({ maxLength: 40 }), { nil: null }),
});
const records = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
type Records = readonly (readonly { key: string; value: string | null }[])[];

/** `synced`: how far behind its own number each record knows the disk to be. */
function segmentOf(all: Records, salt = SALT, synced = FIRST, first = FIRST): Uint8Array {
  const builder = new RecordBuilder();
  const frames = all.map((operations, index) => {
    builder.clear();
    for (const { key, value } of operations) {
      builder.add(Buffer.from(key, 'latin1'), value === null ? undefined : Buffer.from(value, 'latin1'));
    }
    return Uint8Array.from(builder.frame(salt, first + index, first + index - synced));
  });
  return Buffer.concat([encodeSegmentHead(salt), ...frames]);
}

const plain = (operations: readonly Operation[]) =>
  operations.map(({ key, value }) => ({
    key: Buffer.from(key).toString('latin1'),
    value: value === undefined ? null : Buffer.from(value).toString('latin1'),
  }));

function read(content: Uint8Array, expected = FIRST) {
  writeFileSync(path, content);
  const seen: ReturnType<typeof plain>[] = [];
  const end = readSegment(nodeFiles, path, 0, expected, (_sequence, operations) => seen.push(plain(operations)));
  return { ...end, seen };
}

describe('a segment', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(records, all => {
        const content = segmentOf(all);
        expect(read(content)).toEqual({ bytes: content.length, tornBytes: 0, next: FIRST + all.length, seen: all });
      }),
    );
  });

  it('cut anywhere gives its whole records', () => {
    fc.assert(
      fc.property(records, fc.nat(), (all, where) => {
        const content = segmentOf(all);
        const cut = read(content.subarray(0, where % content.length));
        expect(cut.seen).toEqual(all.slice(0, cut.seen.length));
        expect(cut.bytes + cut.tornBytes).toBe(where % content.length);
      }),
    );
  });

  it('with any bytes changed gives true records from its start, or a StoreError', () => {
    const change = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 30 }) });
    fc.assert(
      fc.property(records, fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean(), (all, changes, isSynced) => {
        const content = segmentOf(all, SALT, isSynced ? 1 : FIRST);
        for (const it of changes)
          content.set(it.bytes.subarray(0, content.length - (it.at % content.length)), it.at % content.length);
        try {
          const { seen } = read(content);
          expect(seen).toEqual(all.slice(0, seen.length));
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          expect(error.message).toContain(`${path}, offset `);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('longer than storeSegmentBytesMax is refused unread', () => {
    writeFileSync(path, '');
    truncateSync(path, limits.storeSegmentBytesMax + 1);
    const reading = () => readSegment(nodeFiles, path, 0, FIRST, () => {});
    expect(reading).toThrow(StoreError);
    expect(reading).toThrow(`is longer than storeSegmentBytesMax (${limits.storeSegmentBytesMax})`);
  });

  it('of anything at all is headless, or read, or refused', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map(end => Buffer.concat([encodeSegmentHead(SALT), end])),
    );
    fc.assert(
      fc.property(anything, content => {
        try {
          expect(read(content).seen).toEqual([]);
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a bad record', () => {
  const three: Records = ['a', 'b', 'c'].map(key => [{ key, value: 'v' }]);
  const recordBytes = (segmentOf(three).length - SEGMENT_HEAD_BYTES) / 3;
  const damaged = (content: Uint8Array, at: number) => {
    content[at] = content[at]! ^ 1;
    return content;
  };

  it('before records written when it was not known to be safe is where a crash has torn the journal', () => {
    // The last: known to be safe was the one before it, but not it.
    for (const synced of [FIRST, 2]) {
      const torn = read(damaged(segmentOf(three, SALT, synced), SEGMENT_HEAD_BYTES + recordBytes + 5));
      expect(torn).toMatchObject({ next: FIRST + 1, tornBytes: 2 * recordBytes, seen: [three[0]] });
    }
  });

  it.each([FIRST, 2 ** 40])('before a record that knows it was safe is damage, where %d is the first', first => {
    const at = SEGMENT_HEAD_BYTES + recordBytes;
    expect(() => read(damaged(segmentOf(three, SALT, 1, first), at + 5), first)).toThrow(
      `${path}, offset ${at}: record ${first + 1} is damaged`,
    );
  });

  it('of another number is damage', () => {
    for (const expected of [FIRST - 1, FIRST + 1]) {
      expect(() => read(segmentOf(three), expected)).toThrow(`holds record ${FIRST} in the place of ${expected}`);
    }
  });

  it('from another segment is none', () => {
    const other = segmentOf(three, SALT + 1).subarray(SEGMENT_HEAD_BYTES);
    const content = Buffer.concat([encodeSegmentHead(SALT), other]);
    expect(read(content)).toMatchObject({ tornBytes: other.length, seen: [] });
  });
});

it.each(Array.from({ length: 16 }, (_, at) => at))('a head of which byte %d is changed heads no segment', at => {
  const content = segmentOf([[{ key: 'a', value: 'v' }]]);
  content[at]! ^= 1;
  // Not a torn one: that would be cut off, and all records with it.
  expect(() => read(content)).toThrow(`${path}, offset 0: is not a journal`);
});

it('of a segment that was never begun all may be there of its head, and nothing of what it says', () => {
  expect(read(new Uint8Array(SEGMENT_HEAD_BYTES))).toMatchObject({ bytes: 0, tornBytes: SEGMENT_HEAD_BYTES, seen: [] });
  expect(() => read(new Uint8Array(SEGMENT_HEAD_BYTES + 1))).toThrow('is not a journal');
});

it('a segment that has less than was written is damage, whatever is left of it', () => {
  const content = segmentOf([[{ key: 'a', value: 'v' }]]);
  const readAfterAll = (bytes: number) => {
    writeFileSync(path, content.subarray(0, bytes));
    return readSegment(nodeFiles, path, content.length, FIRST + 1, () => {});
  };
  expect(readAfterAll(content.length)).toEqual({ bytes: content.length, tornBytes: 0, next: FIRST + 1 });
  for (const bytes of [content.length - 1, SEGMENT_HEAD_BYTES]) {
    expect(() => readAfterAll(bytes)).toThrow(`offset ${bytes}: ends before offset ${content.length}`);
  }
  for (const bytes of [SEGMENT_HEAD_BYTES - 1, 0]) expect(() => readAfterAll(bytes)).toThrow('is not a journal');
});

const recordOf = (operations: Uint8Array) => ({ sequence: 2, synced: 1, operations, bytes: operations.length });

it('an operation without a key is refused', () => {
  expect(decodeOperations(recordOf(new Uint8Array(6)))).toBeNull();
});

it('operations that a defect has framed are refused, not guessed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), content => {
      const operations = decodeOperations(recordOf(content));
      if (operations === null) return;
      const builder = new RecordBuilder();
      for (const { key, value } of operations) builder.add(key, value);
      const record = decodeRecord(Buffer.concat([builder.frame(SALT, 2, 1)]), 0, SALT);
      expect(Buffer.from(record!.operations).equals(Buffer.from(content))).toBe(true);
    }),
  );
});

it('the head says the salt', () => {
  expect(decodeSegmentHead(encodeSegmentHead(SALT))).toBe(SALT);
  expect(decodeSegmentHead(readFileSync(import.meta.filename))).toBeNull();
});
