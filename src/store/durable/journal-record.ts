// One transaction as the journal has it: what it put and deleted, in order, so that doing it again gives the same state.
// Pure; integers are little-endian.
//
//   segment head, 20 bytes        record, 20 bytes and its operations       operation
//   ┌──────────┬───┬──────────┐   ┌───────┬─────────────┬───────────────┐   ┌────────────────┬────┐
//   │ magic    │ 8 │          │   │ check │ 4 │         │ CRC-32 of what│   │ key length     │ 2  │
//   │ salt     │ 4 │ random   │   │ bytes │ 4 │ of the  │ follows, from │   │ value length   │ 4  │ all ones: deleted
//   │ check    │ 4 │ CRC-32 ↑ │   │       │   │ operations              │   │ key            │    │
//   │ reserved │ 4 │          │   │ sequence │ 6 │                      │   │ value          │    │
//   └──────────┴───┴──────────┘   │ synced   │ 6 │ known to be on disk  │   └────────────────┴────┘
//                                 └──────────┴───┴──────────────────────┘
// The check starts from the segment's salt: nobody outside can put bytes into a value that look like a record.

import { crc32 } from 'node:zlib';

export const SEGMENT_HEAD_BYTES = 20;
export const RECORD_HEAD_BYTES = 20;
const OPERATION_HEAD_BYTES = 6;
const FIRST_BUFFER_BYTES = 64 * 1024;
const DELETED = 0xffff_ffff;
const MAGIC = Buffer.from('xbjrnl\x00\x01', 'latin1');
const SALT_AT = 8;
const SEGMENT_CHECK_AT = 12;
const LENGTH_AT = 4;
const SEQUENCE_AT = 8;
const SYNCED_AT = 14;

/** The keys are the state's own. */
export interface Operation {
  /** First byte of its key, which is a table's. */
  readonly table: number;
  readonly key: Uint8Array;
  /** Undefined: deleted. */
  readonly value: Uint8Array | undefined;
  /** Of the transaction that it is part of. */
  readonly sequence: number;
}

/** One that was read. Most of what other threads write is never asked for: views of its bytes are made when it is. */
class ReadOperation implements Operation {
  readonly sequence: number;
  readonly #record: Buffer;
  readonly #keyAt: number;
  readonly #valueAt: number;
  /** Where the value ends; null if there is none. */
  readonly #end: number | null;

  constructor(sequence: number, record: Buffer, keyAt: number, valueAt: number, end: number | null) {
    this.sequence = sequence;
    this.#record = record;
    this.#keyAt = keyAt;
    this.#valueAt = valueAt;
    this.#end = end;
  }

  get table(): number {
    return this.#record[this.#keyAt]!;
  }

  get key(): Uint8Array {
    return this.#record.subarray(this.#keyAt, this.#valueAt);
  }

  get value(): Uint8Array | undefined {
    return this.#end === null ? undefined : this.#record.subarray(this.#valueAt, this.#end);
  }
}

export interface JournalRecord {
  readonly sequence: number;
  /** The writer knew the journal to be on disk up to this record. */
  readonly synced: number;
  readonly operations: Uint8Array;
  /** In the segment, head included. */
  readonly bytes: number;
}

export function encodeSegmentHead(salt: number): Uint8Array {
  const head = Buffer.alloc(SEGMENT_HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(salt >>> 0, SALT_AT);
  head.writeUInt32LE(crc32(head.subarray(0, SEGMENT_CHECK_AT)), SEGMENT_CHECK_AT);
  return head;
}

/** The salt; null if this is not the head of a segment. */
export function decodeSegmentHead(bytes: Uint8Array): number | null {
  if (bytes.length < SEGMENT_HEAD_BYTES) return null;
  const head = bufferOf(bytes);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (head.readUInt32LE(SEGMENT_CHECK_AT) !== crc32(head.subarray(0, SEGMENT_CHECK_AT))) return null;
  return head.readUInt32LE(SALT_AT);
}

/** Collects the operations of one record and frames them. Its memory is used again and grows to the largest record. */
export class RecordBuilder {
  #buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  #end = RECORD_HEAD_BYTES;

  clear(): void {
    this.#end = RECORD_HEAD_BYTES;
  }

  get isEmpty(): boolean {
    return this.#end === RECORD_HEAD_BYTES;
  }

  /** As it would stand in the segment now. */
  get bytes(): number {
    return this.#end;
  }

  add(key: Uint8Array, value: Uint8Array | undefined): void {
    const end = this.#end + OPERATION_HEAD_BYTES + key.length + (value?.length ?? 0);
    if (end > this.#buffer.length) this.#grow(end);
    const buffer = this.#buffer;
    buffer.writeUInt16LE(key.length, this.#end);
    buffer.writeUInt32LE(value === undefined ? DELETED : value.length, this.#end + 2);
    buffer.set(key, this.#end + OPERATION_HEAD_BYTES);
    if (value !== undefined) buffer.set(value, this.#end + OPERATION_HEAD_BYTES + key.length);
    this.#end = end;
  }

  /** Valid until the next `add` or `clear`. */
  frame(salt: number, sequence: number, synced: number): Uint8Array {
    const record = this.#buffer.subarray(0, this.#end);
    record.writeUInt32LE(this.#end - RECORD_HEAD_BYTES, LENGTH_AT);
    record.writeUIntLE(sequence, SEQUENCE_AT, 6);
    record.writeUIntLE(synced, SYNCED_AT, 6);
    record.writeUInt32LE(crc32(record.subarray(LENGTH_AT), salt), 0);
    return record;
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafe(2 * bytes);
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}

/** The numbers that a record at `offset` would have, of which its head is there; that it is one, its check shows. */
export function numbersAt(segment: DataView, offset: number): Pick<JournalRecord, 'sequence' | 'synced'> {
  return { sequence: numberAt(segment, offset + SEQUENCE_AT), synced: numberAt(segment, offset + SYNCED_AT) };
}

/** Of six bytes. */
function numberAt(segment: DataView, at: number): number {
  return segment.getUint32(at, true) + segment.getUint16(at + 4, true) * 2 ** 32;
}

/** The record that starts at `offset`; null if there is none that is whole and sound. */
export function decodeRecord(segment: Uint8Array, offset: number, salt: number): JournalRecord | null {
  const buffer = bufferOf(segment);
  if (buffer.length - offset < RECORD_HEAD_BYTES) return null;
  const bytes = RECORD_HEAD_BYTES + buffer.readUInt32LE(offset + LENGTH_AT);
  if (bytes > buffer.length - offset) return null;
  const sequence = buffer.readUIntLE(offset + SEQUENCE_AT, 6);
  const synced = buffer.readUIntLE(offset + SYNCED_AT, 6);
  // Before the check, which costs more, since every offset of a damaged segment is asked.
  if (synced >= sequence) return null;
  const check = crc32(buffer.subarray(offset + LENGTH_AT, offset + bytes), salt);
  if (check !== buffer.readUInt32LE(offset)) return null;
  return { sequence, synced, operations: buffer.subarray(offset + RECORD_HEAD_BYTES, offset + bytes), bytes };
}

/** Null if the bytes are not operations: the check was right, so a defect wrote them. */
export function decodeOperations({ operations: bytes, sequence }: JournalRecord): Operation[] | null {
  const buffer = bufferOf(bytes);
  const operations: Operation[] = [];
  let offset = 0;
  while (offset < buffer.length) {
    if (buffer.length - offset < OPERATION_HEAD_BYTES) return null;
    const keyAt = offset + OPERATION_HEAD_BYTES;
    const valueAt = keyAt + buffer.readUInt16LE(offset);
    const length = buffer.readUInt32LE(offset + 2);
    const end = length === DELETED ? valueAt : valueAt + length;
    if (end > buffer.length || valueAt === keyAt) return null;
    operations.push(new ReadOperation(sequence, buffer, keyAt, valueAt, length === DELETED ? null : end));
    offset = end;
  }
  return operations;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
