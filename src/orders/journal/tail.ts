// Reads the growing journal: each call hands over the new records. Another thread appends meanwhile, and may remove segments that were read
// already. History thread.

import type { Files, OpenFile } from '../../core/store/files.ts';
import { ByteWriter } from '../../core/store/orders/bytes.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { decodeRecord, type JournalRecord, RECORD_HEAD_BYTES, recordBytes } from './record.ts';
import { listSegments, type OnRecord, type SegmentName } from './segments.ts';

/** More bytes than most records have, so that one read usually fetches all requested records. */
const USUAL_RECORD_BYTES = 1_024;

interface OpenSegment extends SegmentName {
  readonly file: OpenFile;
}

export class JournalTail {
  readonly #files: Files;
  readonly #folder: string;
  #sequence: number;
  /** The segment with the next record, or the segment before that. Null means that it was not searched yet. */
  #segment: OpenSegment | null = null;
  /** The offset of the next record in the segment. */
  #offset = 0;
  /** The bytes of the segment that were read last, of which short views are kept. */
  #piece = new ByteWriter(USUAL_RECORD_BYTES);

  /** Begins after the record with the sequence `after`. */
  constructor(files: Files, folder: string, after: number) {
    this.#files = files;
    this.#folder = folder;
    this.#sequence = after;
  }

  /** The sequence of the last record that was handed over. */
  get sequence(): number {
    return this.#sequence;
  }

  /**
   * Hands over at most `recordsMax` records, up to the sequence `upTo`. A payload is valid only during the call of `onRecord`. Bytes behind
   * the appended records may be cut off again. Throws a StoreError with file and offset if a record is missing or damaged, and stays before
   * that record.
   */
  read(upTo: number, recordsMax: number, onRecord: OnRecord): void {
    const last = Math.min(upTo, this.#sequence + recordsMax);
    while (this.#sequence < last) {
      // The bytes behind `upTo` may be others the next time, so no bytes are cached.
      const piece = this.#pieceOfNext(last - this.#sequence);
      const segment = this.#segment!;
      let at = 0;
      for (let record: JournalRecord | null; this.#sequence < last; at += record.bytes) {
        record = decodeRecord(piece, at, segment.salt, this.#piece);
        if (record === null) break;
        this.#handOver(segment, record, onRecord);
      }
      if (at === 0) throw fault(segment.path, this.#offset, `is damaged: record ${this.#sequence + 1} cannot be read`);
    }
  }

  close(): void {
    if (this.#segment !== null) this.#files.close(this.#segment.file);
    this.#segment = null;
  }

  /** Hands over a record, unless it was handed over before. */
  #handOver(segment: OpenSegment, { sequence, payload, bytes }: JournalRecord, onRecord: OnRecord): void {
    if (sequence > this.#sequence + 1) {
      const what = `holds record ${sequence} in the place of ${this.#sequence + 1}`;
      throw fault(segment.path, this.#offset, what);
    }
    const isNew = sequence > this.#sequence;
    // If `onRecord` throws, the next call begins with the same record.
    if (isNew) onRecord(sequence, payload);
    this.#offset += bytes;
    if (isNew) this.#sequence = sequence;
  }

  /** Returns bytes of `#segment` that begin with the next record, which is whole if the file has all of it. */
  #pieceOfNext(records: number): Buffer {
    const length = Math.min(limits.journalTailBytes, records * USUAL_RECORD_BYTES);
    const current = this.#segment === null ? null : this.#pieceOf(this.#segment, length);
    return current !== null && current.length > 0 ? current : this.#pieceOf(this.#nextSegment(), length);
  }

  /** Reads bytes of the segment from the next record on. Returns none at the end of the segment. */
  #pieceOf({ file }: OpenSegment, length: number): Buffer {
    const piece = this.#read(file, length);
    const bytes = piece.length < RECORD_HEAD_BYTES ? 0 : recordBytes(piece);
    // Garbage may state any length, so only a possible length is read.
    return bytes <= piece.length || bytes > limits.storeSegmentBytesMax ? piece : this.#read(file, bytes);
  }

  #read(file: OpenFile, length: number): Buffer {
    const kept = this.#piece.bytes.length;
    // A buffer for one large record is not kept.
    if (kept < length || kept > Math.max(length, limits.journalTailBytes)) this.#piece = new ByteWriter(length);
    return this.#piece.view(this.#files.readInto(file, this.#offset, this.#piece.bytes, length));
  }

  #nextSegment(): OpenSegment {
    const next = this.#sequence + 1;
    const name = listSegments(this.#files, this.#folder).findLast(({ first }) => first <= next);
    const isThere = name !== undefined && (this.#segment === null || name.first > this.#segment.first);
    if (!isThere) throw new StoreError(`journal ${this.#folder}: record ${next} is missing`);
    const file = this.#files.open(name.path, 'read');
    this.close();
    this.#offset = 0;
    this.#segment = { ...name, file };
    return this.#segment;
  }
}

function fault(path: string, offset: number, what: string): StoreError {
  return new StoreError(`journal file ${path}, offset ${offset}: ${what}`);
}
