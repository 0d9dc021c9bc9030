// The journal, written: one record a step, by one thread. An append is a write to the page cache: it survives kill -9 once it
// returns. Syncs of records run on other threads, one for all who wait; the folder, with a new segment's name, is synced here once a
// segment. A sync that fails ends appends for good, since nobody knows what is on disk.

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { wordsOf } from '../domain/error-words.ts';
import { assert } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { type Files, NoDescriptor, type OpenFile } from '../store/files.ts';
import { StoreError } from '../store/store-error.ts';
import { RecordFramer } from './record.ts';
import {
  type JournalEnd,
  listSegments,
  type OnRecord,
  readJournal,
  type SegmentName,
  segmentName,
} from './segments.ts';

export interface JournalTimers {
  after(delayMs: number, task: () => void): () => void;
}

interface JournalOptions {
  readonly folder: string;
  readonly files: Files;
  readonly timers: JournalTimers;
  /** A segment of so many bytes is followed by another. */
  readonly segmentBytes: number;
  /** After an append that nobody waits for, so long until its sync. */
  readonly syncDelayMs: number;
}

interface Segment extends SegmentName {
  readonly file: OpenFile;
  bytes: number;
}

interface Waiters {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #framer = new RecordFramer();
  #segment: Segment;
  /** Written to since the last sync; the last one is appended to. */
  #unsynced: Segment[] = [];
  #sequence: number;
  #synced: number;
  /** Of an append that failed, and may have left bytes behind the last record: until they are cut off on disk nothing is appended. */
  #torn: { readonly why: StoreError; readonly mended: Promise<void> } | null = null;
  /** Why no append is safe any more. */
  #fault: StoreError | null = null;
  /** First sequence of the last segment whose name is on disk. */
  #named: number;
  #isSyncing = false;
  #isClosed = false;
  #waiters: Waiters | null = null;
  #cancelSync: (() => void) | null = null;

  private constructor(options: JournalOptions, segment: Segment, sequence: number) {
    this.#options = options;
    this.#segment = segment;
    this.#sequence = this.#synced = sequence;
    this.#named = segment.first;
  }

  /**
   * Hands over what was appended from the sequence `from` on, cuts off what a crash has left, and is on disk and ready to append.
   * The caller holds the folder's lock. Throws a StoreError where the journal is damaged or cannot be used.
   */
  static open(options: JournalOptions, from: number, onRecord: OnRecord): Journal {
    const { files, folder } = options;
    files.makeFolder(folder);
    files.syncFolder(dirname(folder));
    const end = readJournal(files, folder, from, onRecord);
    const segment = continued(options, end) ?? createSegment(options, end.sequence + 1);
    files.sync(segment.file);
    files.syncFolder(folder);
    return new Journal(options, segment, end.sequence);
  }

  /** Of the last record. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Of the next record. */
  get next(): number {
    return this.#sequence + 1;
  }

  /** Up to this sequence everything is known to be on disk. */
  get synced(): number {
    return this.#synced;
  }

  get fault(): StoreError | null {
    return this.#fault;
  }

  /** Throws a StoreError, having appended nothing. */
  append(payload: Uint8Array): void {
    if (payload.length > limits.storeTransactionBytesMax) {
      const most = `storeTransactionBytesMax (${limits.storeTransactionBytesMax})`;
      throw new StoreError(`journal ${this.#options.folder}: a record of ${payload.length} bytes exceeds ${most}`);
    }
    if (this.#fault !== null) throw this.#fault;
    const { files, segmentBytes } = this.#options;
    if (this.#torn !== null) throw this.#torn.why;
    if (this.#segment.bytes >= segmentBytes) this.#segment = createSegment(this.#options, this.next);
    const segment = this.#segment;
    const record = this.#framer.frame(payload, segment.salt, this.next, this.#synced);
    try {
      files.append(segment.file, record);
    } catch (error) {
      this.#mend(error);
      throw error;
    }
    segment.bytes += record.length;
    this.#sequence += 1;
    if (this.#unsynced.at(-1) !== segment) this.#unsynced.push(segment);
    this.#syncSoon();
  }

  /** Resolves once appends are taken again after one that failed. */
  async mended(): Promise<void> {
    await this.#torn?.mended;
  }

  /** Resolves once everything that is appended now is on disk; rejects with a StoreError if the disk has failed. */
  durable(): Promise<void> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    if (this.#synced === this.#sequence) return Promise.resolve();
    this.#waiters ??= Promise.withResolvers<void>();
    const { promise } = this.#waiters;
    if (!this.#isSyncing) void this.#sync();
    return promise;
  }

  /** Removes the oldest segments, as long as every record in them is before the sequence `before` and more than `keptBytes` are left. */
  prune(before: number, keptBytes = 0): void {
    const { files, folder } = this.#options;
    const segments = listSegments(files, folder).map(it => ({ ...it, bytes: files.sizeOf(it.path) ?? 0 }));
    let left = segments.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [index, { first, path, bytes }] of segments.entries()) {
      const next = segments[index + 1];
      left -= bytes;
      if (next === undefined || next.first > before || left < keptBytes) return;
      if (this.#unsynced.some(it => it.first === first)) return;
      files.remove(path);
    }
  }

  /** With everything on disk, unless the disk has failed. */
  async close(): Promise<void> {
    this.#cancelSync?.();
    this.#cancelSync = null;
    this.#isClosed = true;
    try {
      await this.durable();
      await this.#torn?.mended;
    } finally {
      for (const { file } of new Set([...this.#unsynced, this.#segment])) this.#options.files.close(file);
    }
  }

  #syncSoon(): void {
    const { timers, syncDelayMs } = this.#options;
    this.#cancelSync ??= timers.after(syncDelayMs, () => {
      this.#cancelSync = null;
      // The fault is kept, and told to the next who appends.
      this.durable().catch(() => {});
    });
  }

  async #sync(): Promise<void> {
    const waiters = this.#waiters;
    assert(waiters !== null, 'somebody waits for a sync');
    const { files } = this.#options;
    const [sequence, segments, current] = [this.#sequence, [...this.#unsynced], this.#segment];
    this.#waiters = null;
    this.#isSyncing = true;
    try {
      // In their order: a later segment is never on disk while an earlier one is not known to be.
      for (const { file } of segments) await files.syncSoon(file);
      // That of a record that was cut off may have failed meanwhile.
      if (this.#fault !== null) throw this.#fault;
      // Names of segments, too: a record is on disk once it is found there.
      if (segments.some(it => it.first > this.#named)) await this.#syncNames();
      this.#named = current.first;
      // The one that was appended to meanwhile has records that this sync need not have met.
      const left = segments.filter(it => it !== current);
      for (const { file } of left) files.close(file);
      this.#unsynced = this.#unsynced.filter(it => !left.includes(it));
      this.#synced = sequence;
      waiters.resolve();
    } catch (error) {
      waiters.reject(this.#failed(error));
    }
    this.#isSyncing = false;
    this.#syncNext();
  }

  /** For those that came meanwhile. Once a sync has failed another might succeed, over pages that the disk has dropped. */
  #syncNext(): void {
    if (this.#waiters === null) return;
    if (this.#fault === null) return void this.#sync();
    this.#waiters.reject(this.#fault);
    this.#waiters = null;
  }

  /** Where all descriptors are in use nothing was done, and nothing is lost: it is done once there is one. */
  async #syncNames(): Promise<void> {
    const { files, folder } = this.#options;
    for (;;) {
      try {
        return files.syncFolder(folder);
      } catch (error) {
        if (!(error instanceof NoDescriptor)) throw error;
        await this.#pause();
      }
    }
  }

  #pause(): Promise<void> {
    const { timers, syncDelayMs } = this.#options;
    return new Promise(resolve => void timers.after(syncDelayMs, resolve));
  }

  /** On disk, too: a power cut must not bring back what was never appended. Tried again until the disk allows it. */
  #mend(error: unknown): void {
    const why = new StoreError(`journal ${this.#options.folder}: takes no records for now: ${wordsOf(error)}`);
    this.#torn = { why, mended: this.#cut() };
  }

  async #cut(): Promise<void> {
    const { files } = this.#options;
    const { file, bytes } = this.#segment;
    for (;;) {
      try {
        files.truncate(file, bytes);
        break;
      } catch {
        await this.#pause();
      }
      if (this.#isClosed) return;
    }
    try {
      await files.syncSoon(file);
    } catch (error) {
      // What was appended before may be among what the disk has dropped.
      this.#failed(error);
    }
    this.#torn = null;
  }

  #failed(error: unknown): StoreError {
    const { folder } = this.#options;
    this.#fault ??= new StoreError(`journal ${folder}: takes no records until it is opened anew: ${wordsOf(error)}`);
    return this.#fault;
  }
}

/** The last segment, without what a crash has left behind its sound part; null if there is none. All segments are on disk then. */
function continued({ files, folder }: JournalOptions, { segment, ...end }: JournalEnd): Segment | null {
  for (const { first, path } of listSegments(files, folder)) if (first > end.sequence + 1) files.remove(path);
  if (segment === null) return null;
  const segments = listSegments(files, folder);
  for (const [index, { first, path }] of segments.entries()) {
    const last = segments[index + 1] === undefined ? end.sequence : segments[index + 1]!.first - 1;
    const isLast = first === segment.first;
    // Without a record nothing is left to sync, but what is torn is in the way of the first one.
    if (last > end.synced || (isLast && end.tornBytes > 0))
      writeAnew(files, folder, path, isLast ? end.bytes : files.sizeOf(path)!);
  }
  return { ...segment, file: files.open(segment.path), bytes: end.bytes };
}

/**
 * The first `bytes` of it, on disk. A sync that failed in an earlier process leaves pages that the system takes for written: no later sync
 * of that file writes them.
 */
function writeAnew(files: Files, folder: string, path: string, bytes: number): void {
  const source = files.open(path);
  const draft = files.create(`${folder}/draft`);
  try {
    files.append(draft, files.read(source, 0, bytes));
    files.sync(draft);
  } finally {
    files.close(draft);
    files.close(source);
  }
  files.rename(draft.path, path);
}

/** Its name is on disk with the next sync. */
function createSegment({ files, folder }: JournalOptions, first: number): Segment {
  const name = segmentName(folder, first, randomBytes(4).readUInt32LE());
  return { ...name, file: files.create(name.path), bytes: 0 };
}
