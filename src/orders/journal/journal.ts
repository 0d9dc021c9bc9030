// Writes the journal: one record for each step, from one thread. An append is a write to the page cache, so it survives kill -9. Other
// threads sync the records, with one sync for all waiters. The name of a new segment is synced on this thread. After a failed sync it is
// not known what is on disk, so appends stop for good.

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { wordsOf } from '../../core/domain/error-words.ts';
import { type Files, NoDescriptor, type OpenFile } from '../../core/store/files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
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
  /** The size at which a new segment follows. */
  readonly segmentBytes: number;
  /** The delay of the sync after an append without a waiter. */
  readonly syncDelayMs: number;
  /** Called after each sync with the sequence of the last record on disk. */
  readonly onSynced?: (sequence: number) => void;
}

interface Segment extends SegmentName {
  readonly file: OpenFile;
  bytes: number;
}

/** The sync in progress. */
interface Sync {
  /** The sequence of the last record that this sync puts on disk. */
  sequence: number;
  /** The number of unsynced segments that this sync covers. `done` of them are synced. */
  segments: number;
  done: number;
  /** The segment that took the appends when this sync began. */
  current: Segment;
  waiters: Waiters | null;
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
  /** The segments written to since the last sync. The last of them takes the appends. */
  #unsynced: Segment[] = [];
  #sequence: number;
  #synced: number;
  /**
   * Set after a failed append, which may have left bytes behind the last record. Nothing is appended until those bytes are cut off on disk.
   */
  #torn: { readonly why: StoreError; readonly mended: Promise<void> } | null = null;
  /** Why appends are not safe any more. Null means that they are safe. */
  #fault: StoreError | null = null;
  /** The first sequence of the last segment whose name is on disk. */
  #named: number;
  #isClosed = false;
  #cancelSync: (() => void) | null = null;
  /** The callers that wait for records behind the sync in progress. */
  #waiters: Waiters | null = null;
  /** Whether a sync without a waiter is due once the sync in progress has ended. */
  #isSyncDue = false;
  #isSyncing = false;
  readonly #sync: Sync;

  /** Whether bytes were cut off at the opening. They may belong to a record whose result callers have seen. */
  readonly wasTorn: boolean;

  private constructor(options: JournalOptions, segment: Segment, { sequence, tornBytes }: JournalEnd) {
    this.#options = options;
    this.wasTorn = tornBytes > 0;
    this.#segment = segment;
    this.#sequence = this.#synced = sequence;
    this.#named = segment.first;
    this.#sync = { sequence, segments: 0, done: 0, current: segment, waiters: null };
  }

  /**
   * Opens the journal. Hands over the records from the sequence `from` on, cuts off a torn tail, and returns once everything is on disk.
   * The caller holds the folder's lock. Throws a StoreError if the journal is damaged or cannot be used.
   */
  static open(options: JournalOptions, from: number, onRecord: OnRecord): Journal {
    const { files, folder } = options;
    files.makeFolder(folder);
    files.syncFolder(dirname(folder));
    const end = readJournal(files, folder, from, onRecord);
    const segment = continueSegment(options, end) ?? createSegment(options, end.sequence + 1);
    files.sync(segment.file);
    files.syncFolder(folder);
    return new Journal(options, segment, end);
  }

  /** The sequence of the last record. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The sequence of the next record. */
  get next(): number {
    return this.#sequence + 1;
  }

  /** The sequence up to which everything is known to be on disk. */
  get synced(): number {
    return this.#synced;
  }

  get fault(): StoreError | null {
    return this.#fault;
  }

  /** Returns whether the file that takes the records is still where it was opened. Asks the disk. */
  isThere(): boolean {
    return this.#options.files.isThere(this.#segment.file);
  }

  /** Appends a record. Throws a StoreError if it was not appended. */
  append(payload: Uint8Array): void {
    if (payload.length > limits.storeTransactionBytesMax) {
      const most = `storeTransactionBytesMax (${limits.storeTransactionBytesMax})`;
      throw new StoreError(`journal ${this.#options.folder}: a record of ${payload.length} bytes exceeds ${most}`);
    }
    if (this.#fault !== null) throw this.#fault;
    const { files, segmentBytes } = this.#options;
    if (this.#torn !== null) throw this.#torn.why;
    const sequence = this.#sequence + 1;
    if (this.#segment.bytes >= segmentBytes) this.#segment = createSegment(this.#options, sequence);
    const segment = this.#segment;
    const record = this.#framer.frame(payload, segment.salt, sequence, this.#synced);
    try {
      files.append(segment.file, record);
    } catch (error) {
      this.#cutOffFailedAppend(error);
      throw error;
    }
    segment.bytes += record.length;
    this.#sequence = sequence;
    if (this.#unsynced.at(-1) !== segment) this.#unsynced.push(segment);
    this.#syncSoon();
  }

  /** Resolves once appends work again after a failed append. */
  async repaired(): Promise<void> {
    await this.#torn?.mended;
  }

  /** Resolves once everything appended so far is on disk. Rejects with a StoreError if the disk has failed. */
  durable(): Promise<void> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    if (this.#synced === this.#sequence) return Promise.resolve();
    this.#waiters ??= Promise.withResolvers<void>();
    const { promise } = this.#waiters;
    if (!this.#isSyncing) this.#beginSync();
    return promise;
  }

  /** Removes the oldest segments, as long as all their records are before the sequence `before` and at least `keptBytes` remain. */
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

  /** Closes the journal with everything on disk, unless the disk has failed. */
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
    this.#cancelSync ??= timers.after(syncDelayMs, this.#syncDue);
  }

  // The steps of a sync are methods, so that a sync for each lone order makes no closures.

  readonly #syncDue = (): void => {
    this.#cancelSync = null;
    this.#isSyncDue = true;
    if (!this.#isSyncing) this.#syncNext();
  };

  #beginSync(): void {
    const sync = this.#sync;
    this.#isSyncing = true;
    sync.sequence = this.#sequence;
    sync.segments = this.#unsynced.length;
    sync.done = 0;
    sync.current = this.#segment;
    sync.waiters = this.#waiters;
    this.#waiters = null;
    this.#syncFile();
  }

  /** Syncs the next segment. Syncs run in sequence, because no later segment may be on disk while an earlier segment may not be. */
  #syncFile(): void {
    const segment = this.#sync.done < this.#sync.segments ? this.#unsynced[this.#sync.done] : undefined;
    try {
      if (segment === undefined) this.#filesSynced();
      else this.#options.files.syncSoon(segment.file).then(this.#fileSynced, this.#syncFailed);
    } catch (error) {
      this.#syncFailed(error);
    }
  }

  readonly #fileSynced = (): void => {
    this.#sync.done += 1;
    this.#syncFile();
  };

  /** Syncs the names of segments as well, because a record counts as on disk only if its file can be found. */
  #filesSynced(): void {
    // The sync after bytes were cut off may have failed meanwhile.
    if (this.#fault !== null) throw this.#fault;
    const newest = this.#unsynced[this.#sync.segments - 1]?.first ?? 0;
    if (newest <= this.#named) this.#syncDone();
    else this.#syncNames(newest).then(this.#namesSynced).catch(this.#syncFailed);
  }

  readonly #namesSynced = (newest: number): void => {
    this.#named = newest;
    this.#syncDone();
  };

  #syncDone(): void {
    const { sequence, segments, current, waiters } = this.#sync;
    // The current segment stays, because this sync may not cover records that were appended meanwhile. The segment may have no record yet.
    const over = this.#unsynced[segments - 1] === current ? segments - 1 : segments;
    for (let left = 0; left < over; left++) this.#options.files.close(this.#unsynced.shift()!.file);
    this.#synced = sequence;
    this.#options.onSynced?.(sequence);
    waiters?.resolve();
    this.#syncEnded();
  }

  readonly #syncFailed = (error: unknown): void => {
    const fault = this.#fail(error);
    this.#sync.waiters?.reject(fault);
    this.#syncEnded();
  };

  #syncEnded(): void {
    this.#isSyncing = false;
    this.#sync.waiters = null;
    this.#syncNext();
  }

  /**
   * Begins the next sync if waiters need it. After a failed sync none is tried, since a sync could then succeed although the disk has
   * dropped pages.
   */
  #syncNext(): void {
    if (this.#fault !== null) {
      this.#waiters?.reject(this.#fault);
      this.#waiters = null;
      return;
    }
    const isDue = this.#isSyncDue && this.#synced < this.#sequence;
    this.#isSyncDue = false;
    if (this.#waiters !== null || isDue) this.#beginSync();
  }

  /** Syncs the names. While all descriptors are in use, nothing was done and nothing is lost, so this retries until one is free. */
  async #syncNames(newest: number): Promise<number> {
    const { files, folder } = this.#options;
    for (;;) {
      try {
        files.syncFolder(folder);
        return newest;
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

  /** Cuts off the bytes of a failed append, on disk as well, so that a power cut cannot restore them. Retries until the disk allows it. */
  #cutOffFailedAppend(error: unknown): void {
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
      // The disk may have dropped earlier records as well.
      this.#fail(error);
    }
    this.#torn = null;
  }

  #fail(error: unknown): StoreError {
    const { folder } = this.#options;
    this.#fault ??= new StoreError(`journal ${folder}: takes no records until it is reopened: ${wordsOf(error)}`);
    return this.#fault;
  }
}

/** Returns the last segment without its torn tail, once all segments are on disk. Null means that there is no segment to append to. */
function continueSegment({ files, folder }: JournalOptions, { segment, ...end }: JournalEnd): Segment | null {
  for (const { first, path } of listSegments(files, folder)) if (first > end.sequence + 1) files.remove(path);
  if (segment === null) return null;
  const segments = listSegments(files, folder);
  for (const [index, { first, path }] of segments.entries()) {
    const last = segments[index + 1] === undefined ? end.sequence : segments[index + 1]!.first - 1;
    const isLast = first === segment.first;
    // A segment without an unsynced record needs no sync, but a torn tail would block the first append.
    if (last > end.synced || (isLast && end.tornBytes > 0))
      rewriteSegment(files, folder, path, isLast ? end.bytes : files.sizeOf(path)!);
  }
  return { ...segment, file: files.open(segment.path), bytes: end.bytes };
}

/**
 * Writes the first `bytes` of the segment into a new file, and syncs it. After a failed sync in an earlier process, the system takes lost
 * pages for written. No later sync of the old file would write them.
 */
function rewriteSegment(files: Files, folder: string, path: string, bytes: number): void {
  const source = files.open(path);
  // A draft of an earlier start must not be used again, because its sync may have failed as well.
  files.remove(`${folder}/draft`);
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

/** Creates a segment. Its name is on disk after the next sync. */
function createSegment({ files, folder }: JournalOptions, first: number): Segment {
  const name = segmentName(folder, first, randomBytes(4).readUInt32LE());
  return { ...name, file: files.create(name.path), bytes: 0 };
}
