// Writes the journal, one record a transaction, and follows what other threads write. Each thread has its own; where the journal ends, and
// whose turn it is to write, they learn from the tip (tip.ts).

import { randomBytes } from 'node:crypto';
import { wordsOf } from '../../domain/error-words.ts';
import { assert } from '../../domain/result.ts';
import { StoreError } from '../store-error.ts';
import { latestCheckpoint } from './checkpoint.ts';
import { type Files, MissingFile, type OpenFile } from './files.ts';
import { operationsOf } from './journal-reader.ts';
import {
  decodeRecord,
  decodeSegmentHead,
  encodeSegmentHead,
  type Operation,
  type RecordBuilder,
  SEGMENT_HEAD_BYTES,
} from './journal-record.ts';
import { journalName } from './layout.ts';
import type { Position } from './position.ts';

interface Segment {
  readonly first: number;
  readonly file: OpenFile;
  readonly salt: number;
  /** Syncs under way; a file is closed after the last. */
  syncs: number;
  isLeft: boolean;
}

/** The disk did not take what it had been given: nobody can say what of it is there. */
export class SyncFailure extends StoreError {}

type OnOperation = (operation: Operation) => void;

export class Journal {
  readonly #files: Files;
  readonly #folder: string;
  readonly #segmentBytes: number;
  #segment: Segment | null = null;

  constructor(files: Files, folder: string, segmentBytes: number) {
    this.#files = files;
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
  }

  /**
   * Only for who holds the tip's lock, with the tip's position; the one returned is where it ends then. Throws a StoreError; what it has
   * written then is cut off by the next append, or by the next recovery.
   */
  append(position: Position, record: RecordBuilder, synced: number): Position {
    const sequence = position.sequence + 1;
    let { bytes } = position;
    let segment = this.#use(position.segment);
    this.#cutTo(segment, bytes);
    if (bytes >= this.#segmentBytes) {
      // First the old one, so that only the last segment can ever lack something.
      this.#sync(segment);
      segment = this.#enter(createSegment(this.#files, this.#folder, sequence));
      bytes = SEGMENT_HEAD_BYTES;
    }
    const frame = record.frame(segment.salt, sequence, synced);
    this.#files.append(segment.file, frame);
    return { ...position, sequence, segment: segment.first, bytes: bytes + frame.length };
  }

  /**
   * Hands over what the records after `from` do, up to the one with the number `last`. Returns where that ends or, where a later one is
   * not to be found, the one before that: all of them were whole once.
   */
  follow(from: Position, last: number, onOperation: OnOperation): Position {
    let position = from;
    while (position.sequence < last) {
      position = this.#followIn(position, last, onOperation);
      if (position.sequence === last) break;
      const begin = { ...position, segment: position.sequence + 1, bytes: SEGMENT_HEAD_BYTES };
      const following = this.#followIn(begin, last, onOperation);
      if (following.sequence === position.sequence) break;
      position = following;
    }
    return position;
  }

  /** Takes back a record whose transaction failed, also where it began a segment. Only for who holds the tip's lock. */
  cutTo(position: Position): void {
    // One that it began may have been begun anew since, by another thread and with another salt: what is open is not believed.
    this.close();
    this.#cutTo(this.#use(position.segment), position.bytes);
    const next = position.sequence + 1;
    if (next !== position.segment) this.#emptyUnused(next);
  }

  /** Everything up to `position` is on disk when it resolves: the segments before have been since this one began. */
  async syncSoon(position: Position): Promise<void> {
    const segment = this.#useIfThere(position.segment);
    if (segment === null && this.#isInCheckpoint(position)) return;
    await this.#syncSoon(segment ?? this.#use(position.segment));
  }

  async #syncSoon(segment: Segment): Promise<void> {
    segment.syncs += 1;
    try {
      await this.#files.syncSoon(segment.file);
    } catch (error) {
      throw new SyncFailure(wordsOf(error));
    } finally {
      segment.syncs -= 1;
      this.#closeIfDone(segment);
    }
  }

  close(): void {
    if (this.#segment !== null) this.#leave(this.#segment);
    this.#segment = null;
  }

  /** In one segment; in one that is there no more nothing is left to be read. */
  #followIn(from: Position, last: number, onOperation: OnOperation): Position {
    const segment = this.#useIfThere(from.segment);
    if (segment === null) return from;
    const { file, salt } = segment;
    const content = this.#files.read(file, from.bytes, this.#files.size(file) - from.bytes);
    let { sequence } = from;
    let read = 0;
    for (; sequence < last; sequence += 1) {
      const record = decodeRecord(content, read, salt);
      if (record?.sequence !== sequence + 1) break;
      for (const operation of operationsOf(file.path, from.bytes + read, record)) onOperation(operation);
      read += record.bytes;
    }
    return { ...from, sequence, bytes: from.bytes + read };
  }

  /** With that its segment may be gone. */
  #isInCheckpoint({ sequence }: Position): boolean {
    return sequence <= (latestCheckpoint(this.#files, this.#folder) ?? 0);
  }

  #useIfThere(first: number): Segment | null {
    try {
      return this.#use(first);
    } catch (error) {
      if (error instanceof MissingFile) return null;
      throw error;
    }
  }

  #use(first: number): Segment {
    if (this.#segment?.first === first) return this.#segment;
    assert(first > 0, 'the journal has a place');
    const file = this.#files.open(`${this.#folder}/${journalName(first)}`);
    const salt = decodeSegmentHead(this.#files.read(file, 0, SEGMENT_HEAD_BYTES));
    if (salt !== null) return this.#enter({ first, file, salt });
    this.#files.close(file);
    throw new StoreError(`store file ${file.path}: is not a journal`);
  }

  #enter(segment: Pick<Segment, 'first' | 'file' | 'salt'>): Segment {
    if (this.#segment !== null) this.#leave(this.#segment);
    this.#segment = { ...segment, syncs: 0, isLeft: false };
    return this.#segment;
  }

  #leave(segment: Segment): void {
    segment.isLeft = true;
    this.#closeIfDone(segment);
  }

  #closeIfDone(segment: Segment): void {
    if (segment.isLeft && segment.syncs === 0) this.#files.close(segment.file);
  }

  /** Of a segment that never came into use nothing but its head is left, if there is one. */
  #emptyUnused(first: number): void {
    const path = `${this.#folder}/${journalName(first)}`;
    if ((this.#files.sizeOf(path) ?? 0) <= SEGMENT_HEAD_BYTES) return;
    const file = this.#files.open(path);
    try {
      this.#cutTo({ file }, SEGMENT_HEAD_BYTES);
    } finally {
      this.#files.close(file);
    }
  }

  /** What is beyond was written for a transaction that never came to be, by a thread that has failed or died since. */
  #cutTo({ file }: Pick<Segment, 'file'>, bytes: number): void {
    const size = this.#files.size(file);
    if (size === bytes) return;
    if (size < bytes) throw new StoreError(`store file ${file.path}: has ${size} of its ${bytes} bytes`);
    this.#files.truncate(file, bytes);
    // Or a power cut might bring it back under the records that take its place.
    this.#sync({ file });
  }

  #sync({ file }: Pick<Segment, 'file'>): void {
    try {
      this.#files.sync(file);
    } catch (error) {
      throw new SyncFailure(wordsOf(error));
    }
  }
}

/** A segment without records, on disk with its name. One of that name that never came into use is replaced. */
export function createSegment(files: Files, folder: string, first: number): Pick<Segment, 'first' | 'file' | 'salt'> {
  const salt = randomBytes(4).readUInt32LE();
  const file = files.create(`${folder}/${journalName(first)}`);
  try {
    files.append(file, encodeSegmentHead(salt));
    files.sync(file);
    files.syncFolder(folder);
  } catch (error) {
    files.close(file);
    throw error;
  }
  return { first, file, salt };
}
