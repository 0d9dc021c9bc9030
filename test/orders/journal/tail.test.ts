// The journal read while it grows, from any position, while its writer goes on, fails, and removes segments.

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { limits } from '../../../src/limits.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { RecordFramer } from '../../../src/orders/journal/record.ts';
import { listSegments, readJournal, segmentName } from '../../../src/orders/journal/segments.ts';
import { JournalTail } from '../../../src/orders/journal/tail.ts';
import { FailingFiles } from '../../support/failing-files.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const open = (segmentBytes = 200, files = nodeFiles): Journal =>
  Journal.open({ folder, files, timers: wallTimers, segmentBytes, syncDelayMs: 5 }, 1, () => {});

/** Returns the records that the tail hands over. Checks that the tail continues from its place. */
function read(tail: JournalTail, upTo: number, recordsMax = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  const before = tail.sequence;
  tail.read(upTo, recordsMax, (sequence, payload) => {
    found.push(Buffer.from(payload).toString());
    expect(sequence).toBe(before + found.length);
  });
  expect(tail.sequence).toBe(before + found.length);
  return found;
}

const sizes = fc.oneof(fc.nat(60), fc.constantFrom(300, limits.journalTailBytes, 2 * limits.journalTailBytes));

it('hands over each record once, however they come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(sizes, { maxLength: 8 })),
      fc.nat(20),
      fc.nat(5),
      async (rounds, after, some) => {
        const journal = open();
        const texts: string[] = [];
        const tail = new JournalTail(nodeFiles, folder, after);
        const found: string[] = [];
        for (const round of rounds) {
          for (const size of round) {
            const text = `${texts.length + 1} `.padEnd(size, 'x');
            journal.append(Buffer.from(text));
            texts.push(text);
          }
          found.push(...read(tail, journal.sequence, some));
        }
        found.push(...read(tail, journal.sequence));
        expect(found).toEqual(texts.slice(after));
        tail.close();
        await journal.close();
        for (const { path } of listSegments(nodeFiles, folder)) rmSync(path);
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 60) },
  );
});

it('goes on where the segments that it has read are gone', async () => {
  const journal = open();
  const tail = new JournalTail(nodeFiles, folder, 0);
  for (let number = 1; number <= 60; number++) {
    journal.append(Buffer.from(`record ${number}`));
    expect(read(tail, journal.sequence)).toEqual([`record ${number}`]);
    await journal.durable();
    journal.prune(tail.sequence + 1);
  }
  expect(listSegments(nodeFiles, folder).length).toBeLessThan(3);
  tail.close();
  await journal.close();
});

it('hands over again what its reader could not take', async () => {
  const journal = open();
  for (const text of ['one', 'two']) journal.append(Buffer.from(text));
  const tail = new JournalTail(nodeFiles, folder, 0);
  const refuse = (sequence: number): void => {
    if (sequence === 2) throw new Error('refused');
  };
  expect(() => tail.read(2, 10, refuse)).toThrow('refused');
  expect(read(tail, 2)).toEqual(['two']);
  tail.close();
  await journal.close();
});

it('does not keep what is behind the last record, and may be cut off again', async () => {
  const files = new FailingFiles();
  const journal = open(10_000, files);
  journal.append(Buffer.from('one'));
  const tail = new JournalTail(nodeFiles, folder, 0);
  files.failing.add('append');
  files.appendedBytes = 30;
  expect(() => journal.append(Buffer.from('a record that is not whole'))).toThrow();
  expect(read(tail, 1)).toEqual(['one']);
  files.failing.clear();
  await journal.repaired();
  journal.append(Buffer.from('two'));
  expect(read(tail, 2)).toEqual(['two']);
  tail.close();
  await journal.close();
});

it('names what is damaged or missing, and stays before it', async () => {
  const journal = open(10_000);
  for (const text of ['one', 'two', 'three']) journal.append(Buffer.from(text));
  await journal.close();
  const { path } = listSegments(nodeFiles, folder)[0]!;
  const bytes = readFileSync(path);
  bytes[2 * 23 - 1]! ^= 1;
  writeFileSync(path, bytes);
  const tail = new JournalTail(nodeFiles, folder, 0);
  for (let times = 0; times < 2; times++) {
    expect(() => tail.read(3, 10, () => {})).toThrow(
      `journal file ${path}, offset 23: is damaged: record 2 cannot be read`,
    );
    expect(tail.sequence).toBe(1);
  }
  tail.close();
  bytes[2 * 23 - 1]! ^= 1;
  writeFileSync(path, bytes);
  const beyond = new JournalTail(nodeFiles, folder, 3);
  expect(() => beyond.read(4, 10, () => {})).toThrow(`journal ${folder}: record 4 is missing`);
  beyond.close();
  rmSync(path);
  expect(() => new JournalTail(nodeFiles, folder, 1).read(3, 10, () => {})).toThrow('record 2 is missing');
});

// At every byte of a torn tail a check ran over as many bytes as the number there stated. Four megabytes of small numbers kept the store
// closed for minutes; this test would time out.
describe('0011: a torn tail is read once', () => {
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

  /** Returns bytes of which any four are a length that fits, and any six a number below the next sequence. */
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
});

// If a failed append had begun a segment, nothing of that segment was cut off. So a start after kill -9 made the order whose caller had
// been refused.
describe('0231: a segment begun by what failed', () => {
  const SEGMENT_BYTES = 200;
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  function open(name: string, files = nodeFiles) {
    const found: string[] = [];
    const options = {
      folder: join(folder, name),
      files,
      timers: wallTimers,
      segmentBytes: SEGMENT_BYTES,
      syncDelayMs: 5,
    };
    const journal = Journal.open(options, 1, (_sequence, payload) => found.push(Buffer.from(payload).toString()));
    return { journal, found };
  }

  it('the next start does not make the order of the failed step', async () => {
    const files = new FailingFiles();
    const { journal } = open('journal', files);
    const before = 'before'.padEnd(SEGMENT_BYTES);
    journal.append(Buffer.from(before));
    // The whole record is written before the disk reports the failure.
    files.failing.add('append');
    files.appendedBytes = 1_000;
    expect(() => journal.append(Buffer.from('failed'))).toThrow('append failed');
    expect(listSegments(nodeFiles, join(folder, 'journal'))).toHaveLength(2);
    cpSync(join(folder, 'journal'), join(folder, 'killed'), { recursive: true });
    const killed = open('killed');
    expect(killed.found).toEqual([before]);
    await killed.journal.close();
    files.failing.clear();
    await journal.repaired();
    journal.append(Buffer.from('later'));
    await journal.close();
    const again = open('journal');
    expect(again.found).toEqual([before, 'later']);
    await again.journal.close();
  });
});
