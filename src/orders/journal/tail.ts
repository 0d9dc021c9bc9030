// Reads the growing journal: each call hands over the new records. Another thread appends meanwhile, and may remove segments
// already read. History thread.

import type { Files, OpenFile } from '../../core/store/files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { decodeRecord, type JournalRecord, RECORD_HEAD_BYTES, recordBytes } from './record.ts';
import { listSegments, type OnRecord, type SegmentName } from './segments.ts';

/** Most records are shorter, so that one read has all that are wanted. */
const USUAL_RECORD_BYTES = 1_024;

interface OpenSegment extends SegmentName {
  readonly file: OpenFile;
}

export class JournalTail {
  readonly #files: Files;
  readonly #folder: string;
  #sequence: number;
  /** The segment with the next record, or the one before it; null: not searched yet. */
  #segment: OpenSegment | null = null;
  /** The offset of the next record in the segment. */
  #offset = 0;

  /** Begins after the record `after`. */
  constructor(files: Files, folder: string, after: number) {
    this.#files = files;
    this.#folder = folder;
    this.#sequence = after;
  }

  /** Sequence of the last record handed over. */
  get sequence(): number {
    return this.#sequence;
  }

  /**
   * Hands over the records up to the sequence `upTo`, at most `recordsMax`. Bytes behind the appended records may be cut off again. Throws
   * a StoreError with file and offset of a missing or damaged record, and stays before it.
   */
  read(upTo: number, recordsMax: number, onRecord: OnRecord): void {
    const last = Math.min(upTo, this.#sequence + recordsMax);
    while (this.#sequence < last) {
      // Bytes behind `upTo` may differ the next time, so none are cached.
      const { segment, piece } = this.#pieceOfNext(last - this.#sequence);
      let at = 0;
      for (let record: JournalRecord | null; this.#sequence < last; at += record.bytes) {
        record = decodeRecord(piece, at, segment.salt);
        if (record === null) break;
        this.#pass(segment, record, onRecord);
      }
      if (at === 0) throw fault(segment.path, this.#offset, `is damaged: record ${this.#sequence + 1} cannot be read`);
    }
  }

  close(): void {
    if (this.#segment !== null) this.#files.close(this.#segment.file);
    this.#segment = null;
  }

  /** Skips records before the place. */
  #pass(segment: OpenSegment, { sequence, payload, bytes }: JournalRecord, onRecord: OnRecord): void {
    if (sequence > this.#sequence + 1) {
      const what = `holds record ${sequence} in the place of ${this.#sequence + 1}`;
      throw fault(segment.path, this.#offset, what);
    }
    const isNew = sequence > this.#sequence;
    // If this throws, the same record comes next again.
    if (isNew) onRecord(sequence, payload);
    this.#offset += bytes;
    if (isNew) this.#sequence = sequence;
  }

  /** A piece that begins with a whole record, if there is one. */
  #pieceOfNext(records: number): { readonly segment: OpenSegment; readonly piece: Uint8Array } {
    const length = Math.min(limits.journalTailBytes, records * USUAL_RECORD_BYTES);
    const current = this.#segment === null ? null : this.#piece(this.#segment, length);
    if (current !== null && current.length > 0) return { segment: this.#segment!, piece: current };
    const segment = this.#nextSegment();
    return { segment, piece: this.#piece(segment, length) };
  }

  /** Empty at the end of the segment. */
  #piece({ file }: OpenSegment, length: number): Uint8Array {
    const piece = this.#files.read(file, this.#offset, length);
    const bytes = piece.length < RECORD_HEAD_BYTES ? 0 : recordBytes(piece);
    // Garbage may name any length.
    if (bytes <= piece.length || bytes > limits.storeSegmentBytesMax) return piece;
    return this.#files.read(file, this.#offset, bytes);
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
