// Reads a segment of the journal and says where its sound part ends. What follows may be a torn tail, left by a crash, or
// damage to records that were safe on disk: the records after it know how far the disk had come when they were written.

import { limits } from '../../limits.ts';
import { StoreError } from '../store-error.ts';
import type { Files } from './files.ts';
import {
  decodeOperations,
  decodeRecord,
  decodeSegmentHead,
  type JournalRecord,
  numbersAt,
  type Operation,
  RECORD_HEAD_BYTES,
  SEGMENT_HEAD_BYTES,
} from './journal-record.ts';

export interface SegmentEnd {
  /** Of the sound part, from the file's start; 0 if not even the head was written, and so nothing. */
  readonly bytes: number;
  /** What follows it: whatever a crash has left of records that were never safe. */
  readonly tornBytes: number;
  /** Sequence number that the next record must have. */
  readonly next: number;
}

/**
 * Hands over the records from `offset` on (0: the first), of which the first must have the number `expected`. Throws a
 * StoreError with file and offset where the journal is damaged rather than torn.
 */
export function readSegment(
  files: Files,
  path: string,
  offset: number,
  expected: number,
  onRecord: (sequence: number, operations: readonly Operation[]) => void,
): SegmentEnd {
  const segment = readWhole(files, path);
  const salt = decodeSegmentHead(segment);
  if (salt === null) {
    // The head is on disk before anything follows it.
    if (offset > 0 || segment.length > SEGMENT_HEAD_BYTES) throw damage(path, 0, 'is not a journal');
    return { bytes: 0, tornBytes: segment.length, next: expected };
  }
  let end = Math.max(offset, SEGMENT_HEAD_BYTES);
  if (end > segment.length) throw damage(path, segment.length, `ends before offset ${end}, up to which it was written`);
  let next = expected;
  for (;;) {
    const record = decodeRecord(segment, end, salt);
    if (record === null) break;
    if (record.sequence !== next) throw damage(path, end, `holds record ${record.sequence} in the place of ${next}`);
    onRecord(next, operationsOf(path, end, record));
    end += record.bytes;
    next += 1;
  }
  const tornBytes = segment.length - end;
  if (tornBytes > 0 && wasSafe(segment, end, salt, next)) {
    throw damage(path, end, `record ${next} is damaged, though sound ones follow that were written after it was safe`);
  }
  return { bytes: end, tornBytes, next };
}

/** `offset`: of the record, in the file. */
export function operationsOf(path: string, offset: number, record: JournalRecord): readonly Operation[] {
  const decoded = decodeOperations(record);
  if (decoded === null) throw damage(path, offset, 'holds a sound record of no known form');
  return decoded;
}

function readWhole(files: Files, path: string): Uint8Array {
  const file = files.open(path);
  try {
    const size = files.size(file);
    if (size > limits.storeSegmentBytesMax) {
      throw damage(path, size, `is longer than storeSegmentBytesMax (${limits.storeSegmentBytesMax})`);
    }
    return files.read(file, 0, size);
  } finally {
    files.close(file);
  }
}

/** Whether a sound record after `offset` shows that record `sequence`, which should be there, was on disk before. */
function wasSafe(segment: Uint8Array, offset: number, salt: number, sequence: number): boolean {
  // Summing what is not a record costs what its length happens to say, minutes for a few megabytes: its numbers are checked first.
  const last = sequence + Math.floor((segment.length - offset) / RECORD_HEAD_BYTES);
  const view = new DataView(segment.buffer, segment.byteOffset, segment.length);
  for (let at = offset + 1; at + RECORD_HEAD_BYTES <= segment.length; at++) {
    const numbers = numbersAt(view, at);
    if (numbers.synced < sequence || numbers.sequence > last) continue;
    if (decodeRecord(segment, at, salt) !== null) return true;
  }
  return false;
}

export function damage(path: string, offset: number, fault: string): StoreError {
  return new StoreError(`store file ${path}, offset ${offset}: ${fault}`);
}

export function missing(folder: string, sequence: number): StoreError {
  return new StoreError(`store ${folder}: the part of the journal with transaction ${sequence} is missing`);
}
