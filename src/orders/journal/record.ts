// A record of the journal: the events of one step, framed so that torn and damaged records are detected. Integers are little-endian. Pure.
//
//   record, 20 bytes and its payload
//   ┌──────────┬───┬───────────────────────────────────────────────┐
//   │ check    │ 4 │ CRC-32 of what follows, from the segment's salt │
//   │ length   │ 4 │ of the payload                                │
//   │ sequence │ 6 │ from 1 without a gap                          │
//   │ synced   │ 6 │ record known to be on disk at this time       │
//   │ payload  │   │                                               │
//   └──────────┴───┴───────────────────────────────────────────────┘
// The check starts from the segment's salt, so that nobody outside can put bytes into a payload that look like a record.

import { crc32 } from 'node:zlib';
import { type ByteWriter, KEPT_VIEW_MAX } from '../../core/store/orders/bytes.ts';

export const RECORD_HEAD_BYTES = 20;
const LENGTH_AT = 4;
const SEQUENCE_AT = 8;
const SYNCED_AT = 14;
const FIRST_BUFFER_BYTES = 4_096;

export interface JournalRecord {
  readonly sequence: number;
  /** The sequence up to which the journal was known to be on disk when this record was written. */
  readonly synced: number;
  readonly payload: Uint8Array;
  /** The length of the record in the segment, with its header. */
  readonly bytes: number;
}

/** Frames one payload at a time. The buffer is reused, and grows to the largest record. */
export class RecordFramer {
  #buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  /** Views of the buffer from its start, by their length. Each view is made only once. */
  #views: (Buffer | undefined)[] = [];
  /** A view of the part of the head that the check covers. */
  #checked = this.#buffer.subarray(LENGTH_AT, RECORD_HEAD_BYTES);

  /** Returns the framed record. It is valid until the next call. */
  frame(payload: Uint8Array, salt: number, sequence: number, synced: number): Uint8Array {
    const bytes = RECORD_HEAD_BYTES + payload.length;
    if (bytes > this.#buffer.length) {
      this.#buffer = Buffer.allocUnsafe(2 * bytes);
      this.#views = [];
      this.#checked = this.#buffer.subarray(LENGTH_AT, RECORD_HEAD_BYTES);
    }
    const buffer = this.#buffer;
    buffer.writeUInt32LE(payload.length, LENGTH_AT);
    buffer.writeUIntLE(sequence, SEQUENCE_AT, 6);
    buffer.writeUIntLE(synced, SYNCED_AT, 6);
    buffer.set(payload, RECORD_HEAD_BYTES);
    buffer.writeUInt32LE(crc32(payload, crc32(this.#checked, salt)), 0);
    if (bytes > KEPT_VIEW_MAX) return buffer.subarray(0, bytes);
    this.#views[bytes] ??= buffer.subarray(0, bytes);
    return this.#views[bytes]!;
  }
}

/** Returns the number of bytes of the whole record, which its header states. */
export function recordBytes(head: Uint8Array): number {
  return RECORD_HEAD_BYTES + bufferOf(head).readUInt32LE(LENGTH_AT);
}

/** The part of a head that the check covers. It is copied byte by byte, because a view takes 100 bytes, and so does Node's `copy`. */
const checkedHead = Buffer.alloc(RECORD_HEAD_BYTES - LENGTH_AT);

/**
 * Returns the record that starts at `offset`. Null means that no whole and sound record starts there. `reused` is the writer that has the
 * bytes of the segment. The payload then moves to the start of the bytes, of which views are kept, and overwrites earlier records.
 */
export function decodeRecord(
  segment: Uint8Array,
  offset: number,
  salt: number,
  reused: ByteWriter | null = null,
): JournalRecord | null {
  const buffer = bufferOf(segment);
  if (buffer.length - offset < RECORD_HEAD_BYTES) return null;
  const bytes = RECORD_HEAD_BYTES + buffer.readUInt32LE(offset + LENGTH_AT);
  if (bytes > buffer.length - offset) return null;
  const sequence = buffer.readUIntLE(offset + SEQUENCE_AT, 6);
  const synced = buffer.readUIntLE(offset + SYNCED_AT, 6);
  // This test comes before the slower check, because a damaged segment is tried at every offset.
  if (synced >= sequence) return null;
  for (let at = 0; at < checkedHead.length; at++) checkedHead[at] = buffer[offset + LENGTH_AT + at]!;
  const check = buffer.readUInt32LE(offset);
  const start = offset + RECORD_HEAD_BYTES;
  if (reused !== null) buffer.copyWithin(0, start, offset + bytes);
  const payload = reused === null ? buffer.subarray(start, offset + bytes) : reused.view(bytes - RECORD_HEAD_BYTES);
  if (crc32(payload, crc32(checkedHead, salt)) !== check) return null;
  return { sequence, synced, payload, bytes };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
