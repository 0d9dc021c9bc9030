// Reads the journal's files: its segments, their records in sequence, and the end of the sound part. Bytes after that end are either a torn
// tail that a crash left, or damage to records that were on disk. Later records tell which of the two it is, because each record says how
// far the journal was on disk.

import type { Files } from '../../core/store/files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { decodeRecord, RECORD_HEAD_BYTES } from './record.ts';

/**
 * The name of a segment, with its first sequence and its salt. The name alone suffices to read the segment. The digit 2 is the version of
 * the format.
 */
const NAME = /^journal2-(\d{15})-([0-9a-f]{8})$/;

export interface SegmentName {
  readonly path: string;
  /** The sequence of the segment's first record. */
  readonly first: number;
  readonly salt: number;
}

/** Receives a record's payload, which is valid during the call only. */
export type OnRecord = (sequence: number, payload: Uint8Array) => void;

/** The end of the sound part of the journal. */
export interface JournalEnd {
  /** The sequence of the last record. It is `from - 1` if there is no record from `from` on. */
  readonly sequence: number;
  /** The sequence up to which the journal is known to be on disk, by its last record. */
  readonly synced: number;
  /** The segment to append to. Null means that there is none, or that it ends before `from`: no segment may have a gap. */
  readonly segment: SegmentName | null;
  /** The number of sound bytes in that segment. */
  readonly bytes: number;
  /** The number of bytes that a crash left behind the sound part, in this segment and later segments. */
  readonly tornBytes: number;
}

export function segmentName(folder: string, first: number, salt: number): SegmentName {
  const path = `${folder}/journal2-${String(first).padStart(15, '0')}-${salt.toString(16).padStart(8, '0')}`;
  return { path, first, salt };
}

/** Returns all segments by ascending sequence. */
export function listSegments(files: Files, folder: string): SegmentName[] {
  const names = files.list(folder).flatMap(name => {
    const [, first, salt] = NAME.exec(name) ?? [];
    return first === undefined || salt === undefined
      ? []
      : [segmentName(folder, Number(first), Number.parseInt(salt, 16))];
  });
  return names.sort((one, other) => one.first - other.first);
}

/**
 * Hands over every record from the sequence `from` on, and returns the end of the sound part. Throws a StoreError with file and offset if
 * the journal is damaged rather than torn. Throws one as well if the journal begins after `from`.
 */
export function readJournal(files: Files, folder: string, from: number, onRecord: OnRecord): JournalEnd {
  const all = listSegments(files, folder);
  const start = all.findLastIndex(({ first }) => first <= from);
  if (start < 0 && all.length > 0) throw missingError(folder, from);
  const segments = all.slice(Math.max(0, start));
  let end: JournalEnd = { sequence: from - 1, synced: 0, segment: null, bytes: 0, tornBytes: 0 };
  for (const [index, name] of segments.entries()) {
    const segment = { ...name, content: read(files, name.path) };
    const found = readSegment(segment, from, onRecord);
    end = { ...found, sequence: Math.max(found.sequence, from - 1), segment: found.sequence < from - 1 ? null : name };
    const next = segments[index + 1];
    if (next === undefined || (found.tornBytes === 0 && next.first === found.sequence + 1)) continue;
    const later = segments.slice(index + 1).map(it => ({ ...it, content: read(files, it.path) }));
    if (later.some(it => wasSafe(it, 0, found.sequence + 1)))
      throw damageError(name.path, found.bytes, `record ${found.sequence + 1} is missing, though it was safe on disk`);
    return { ...end, tornBytes: later.reduce((sum, it) => sum + it.content.length, found.tornBytes) };
  }
  return end;
}

interface Segment extends SegmentName {
  readonly content: Uint8Array;
}

function readSegment(segment: Segment, from: number, onRecord: OnRecord): Omit<JournalEnd, 'segment'> {
  const { path, content, salt, first } = segment;
  let [bytes, sequence, synced] = [0, first - 1, 0];
  for (;;) {
    const record = decodeRecord(content, bytes, salt);
    if (record === null) break;
    if (record.sequence !== sequence + 1)
      throw damageError(path, bytes, `holds record ${record.sequence} in the place of ${sequence + 1}`);
    sequence += 1;
    synced = record.synced;
    if (sequence >= from) onRecord(sequence, record.payload);
    bytes += record.bytes;
  }
  if (wasSafe(segment, bytes + 1, sequence + 1)) {
    const what = `record ${sequence + 1} is damaged, though sound ones follow that were written after it was safe`;
    throw damageError(path, bytes, what);
  }
  return { sequence, synced, bytes, tornBytes: content.length - bytes };
}

/** Returns whether a sound record at or after `offset` proves that the missing record `sequence` was on disk. */
function wasSafe({ content, salt }: Segment, offset: number, sequence: number): boolean {
  // The numbers are checked before the checksum. A checksum over garbage takes as long as the garbage's length says: minutes for megabytes.
  const last = sequence + Math.floor(limits.storeSegmentBytesMax / RECORD_HEAD_BYTES);
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  for (let at = offset; at + RECORD_HEAD_BYTES <= content.length; at++) {
    const synced = numberAt(view, at + 14);
    if (synced < sequence || numberAt(view, at + 8) > last) continue;
    if (decodeRecord(content, at, salt) !== null) return true;
  }
  return false;
}

function numberAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint16(at + 4, true) * 2 ** 32;
}

function read(files: Files, path: string): Uint8Array {
  const file = files.open(path);
  try {
    const size = files.size(file);
    if (size > limits.storeSegmentBytesMax)
      throw damageError(path, size, `is longer than storeSegmentBytesMax (${limits.storeSegmentBytesMax})`);
    return files.read(file, 0, size);
  } finally {
    files.close(file);
  }
}

function damageError(path: string, offset: number, fault: string): StoreError {
  return new StoreError(`journal file ${path}, offset ${offset}: ${fault}`);
}

function missingError(folder: string, sequence: number): StoreError {
  return new StoreError(`journal ${folder}: the part with record ${sequence} is missing`);
}
