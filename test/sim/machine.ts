// The simulated machine on which the gateway's processes run, one after the other. It has the processes' disk, the rows of the history, and
// their faults. It knows every record that was appended, in all segments.

import { dirname } from 'node:path';
import type { Files, OpenFile } from '../../src/core/store/files.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { HistoryTables } from '../../src/orders/history/tables.ts';
import { decodeRecord } from '../../src/orders/journal/record.ts';
import { readJournal } from '../../src/orders/journal/segments.ts';
import { MemoryRows } from '../support/memory-rows.ts';
import { SimulatedDisk } from './disk.ts';
import type { Life } from './life.ts';
import type { Schedule } from './schedule.ts';

export const FOLDER = '/data/orders';
export const JOURNAL = `${FOLDER}/journal`;

/** The salt at the end of a segment's name. */
const SALT = /-([0-9a-f]{8})$/;

/** `full`: appends fail; `history`: commits of the history fail. */
const SPELLS = ['full', 'failing syncs', 'slow syncs', 'hanging syncs', 'history'] as const;
type Spell = (typeof SPELLS)[number];
/** A sync that hangs takes longer than any caller is to wait. */
const HANGS_MS = 25_000;

interface Witnessed {
  readonly payload: Uint8Array;
  /** The sequence up to which the record says that the disk has the journal. */
  readonly synced: number;
}

interface MachineParts {
  readonly schedule: Schedule;
  /** Called when the fuse has burned down, at a call of this life. */
  readonly died: (life: Life) => void;
  readonly syncFailed: (life: Life) => void;
}

export class Machine {
  /** The number of this boot: it rises at each loss of power. */
  boot = 1;
  readonly rows = new MemoryRows();
  /** Every record that a reader of the journal would have found, in order. */
  readonly records: Witnessed[] = [];
  readonly #parts: MachineParts;
  readonly #disk = new SimulatedDisk();
  readonly #well = this.#wellFiles();
  readonly #spells = new Set<Spell>();
  readonly #descriptors = new Map<number, ReturnType<SimulatedDisk['create']>>();
  #descriptor = 0;
  /** The number of disk calls until the process dies. Null means that no call is the last. */
  #fuse: number | null = null;
  #isPerfect = false;
  /** The number of failures. A failure is a reason why a call did not succeed. */
  #failures = 0;

  constructor(parts: MachineParts) {
    this.#parts = parts;
    this.#disk.makeFolder(FOLDER);
    for (const folder of ['/', dirname(FOLDER)]) this.#disk.syncFolder(folder);
  }

  /** Failures so far. */
  get failures(): number {
    return this.#failures;
  }

  begin(forMs: number): Spell {
    const spell = this.#parts.schedule.random.pick(SPELLS);
    this.#spells.add(spell);
    this.#parts.schedule.after(forMs, () => this.#spells.delete(spell));
    return spell;
  }

  /** Lights the fuse: the process dies at the call of the disk with this number, counted from now. */
  light(calls: number): void {
    if (!this.#isPerfect) this.#fuse = calls;
  }

  /** Ends all faults: from now on nothing goes wrong. */
  becomePerfect(): void {
    this.#isPerfect = true;
    this.#spells.clear();
    this.#fuse = null;
  }

  /** Cuts the power. Returns the lost payloads, and the faults of the data that is left. */
  losePower(): { readonly lost: readonly Uint8Array[]; readonly faults: readonly string[] } {
    this.boot += 1;
    this.#disk.losePower(this.#parts.schedule.random);
    const safe = Math.max(0, ...this.records.map(({ synced }) => synced));
    const { sequence, faults } = this.found();
    const isSafe = sequence >= safe;
    const lost = this.records.splice(sequence).map(({ payload }) => payload);
    return { lost, faults: isSafe ? faults : [...faults, `record ${safe} was safe, and ${sequence} is the last one`] };
  }

  /** Returns the sequence that a start would reach, and the faults found on the way. Every record must equal the appended record. */
  found(): { readonly sequence: number; readonly faults: readonly string[] } {
    const followed = this.tables().followed();
    const faults: string[] = [];
    try {
      const { sequence } = readJournal(this.#well, JOURNAL, followed + 1, (at, payload) => {
        const appended = this.records[at - 1];
        if (appended === undefined || Buffer.compare(appended.payload, payload) !== 0)
          faults.push(`record ${at} is not what was appended`);
      });
      return { sequence, faults };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { sequence: followed, faults: [`the journal cannot be opened: ${error.message}`] };
    }
  }

  tables(life: Life | null = null): HistoryTables {
    const rows = this.rows.open({ use: () => life?.use(), commit: () => life !== null && this.#commit(life) });
    return new HistoryTables(FOLDER, rows, () => Number.POSITIVE_INFINITY);
  }

  /** Returns the files as a process sees them. */
  files(life: Life): Files {
    const { schedule } = this.#parts;
    const { random } = schedule;
    const step = (): void => this.#step(life);
    const files = this.#well;
    const checked = <Args extends unknown[], T>(work: (...args: Args) => T) => {
      return (...args: Args): T => {
        life.use();
        return work(...args);
      };
    };
    const stepping = <Args extends unknown[]>(work: (...args: Args) => void) => {
      return (...args: Args): void => {
        step();
        work(...args);
      };
    };
    return {
      makeFolder: stepping(files.makeFolder),
      list: checked(files.list),
      sizeOf: checked(files.sizeOf),
      open: checked(files.open),
      size: checked(files.size),
      read: checked(files.read),
      readInto: checked(files.readInto),
      close: () => {},
      isThere: checked(files.isThere),
      create: path => {
        step();
        if (random.happens(0.5)) this.#failIf('full');
        return files.create(path);
      },
      append: (file, bytes) => this.#append(life, file, bytes),
      truncate: (file, size) => {
        step();
        if (random.happens(0.2)) this.#failIf('full');
        files.truncate(file, size);
      },
      sync: file => {
        step();
        if (!this.#fails('failing syncs')) return files.sync(file);
        const inode = this.#inode(file);
        inode.drop(inode.changes);
        throw this.#failure('sync failed');
      },
      syncSoon: file => this.#syncSoon(life, file),
      rename: stepping(files.rename),
      remove: stepping(files.remove),
      syncFolder: path => {
        step();
        if (!this.#fails('failing syncs')) return files.syncFolder(path);
        this.#parts.syncFailed(life);
        throw this.#failure('sync failed');
      },
    };
  }

  /** Returns files on which nothing goes wrong. */
  #wellFiles(): Files {
    const disk = this.#disk;
    const opened = (path: string, inode: ReturnType<SimulatedDisk['create']>): OpenFile => {
      const descriptor = this.#descriptor++;
      this.#descriptors.set(descriptor, inode);
      return { path, descriptor };
    };
    return {
      makeFolder: path => disk.makeFolder(path),
      list: path => disk.list(path),
      sizeOf: path => disk.file(path)?.seen.size ?? null,
      create: path => opened(path, disk.create(path)),
      open: path => {
        const inode = disk.file(path);
        if (inode === null) throw new StoreError(`store file ${path}: is missing`);
        return opened(path, inode);
      },
      size: file => this.#inode(file).seen.size,
      read: (file, offset, length) => Buffer.from(this.#inode(file).seen.bytes.subarray(offset, offset + length)),
      readInto: (file, offset, bytes, length) => {
        const found = this.#inode(file).seen.bytes.subarray(offset, offset + length);
        bytes.set(found);
        return found.length;
      },
      append: (file, bytes) => {
        const inode = this.#inode(file);
        inode.change({ offset: inode.seen.size, bytes: Uint8Array.from(bytes) });
      },
      truncate: (file, size) => this.#inode(file).change({ size }),
      sync: file => this.#inode(file).sync(this.#inode(file).changes),
      syncSoon: () => Promise.resolve(),
      close: ({ descriptor }) => void this.#descriptors.delete(descriptor),
      isThere: ({ path, descriptor }) => disk.file(path) === this.#descriptors.get(descriptor),
      rename: (from, to) => disk.rename(from, to),
      remove: path => disk.remove(path),
      syncFolder: path => disk.syncFolder(path),
    };
  }

  #inode({ descriptor }: OpenFile) {
    return this.#descriptors.get(descriptor)!;
  }

  #append(life: Life, file: OpenFile, bytes: Uint8Array): void {
    const { random } = this.#parts.schedule;
    const files = this.#well;
    // The dying process writes a part of the bytes, or all of them.
    const dying = this.#isLast(life) ? random.below(bytes.length + 1) : null;
    const isFull = dying === null && this.#fails('full');
    const written = dying ?? (isFull ? random.below(bytes.length) : bytes.length);
    files.append(file, bytes.subarray(0, written));
    if (written === bytes.length) this.#witness(file, bytes);
    if (dying !== null) this.#die(life);
    if (isFull) throw this.#failure('no space left on device');
  }

  /** Notes the records of an append. The records of a draft are known already. */
  #witness({ path }: OpenFile, bytes: Uint8Array): void {
    const salt = SALT.exec(path)?.[1];
    if (salt === undefined) return;
    const record = decodeRecord(bytes, 0, Number.parseInt(salt, 16))!;
    this.records[record.sequence - 1] = { payload: Uint8Array.from(record.payload), synced: record.synced };
  }

  #syncSoon(life: Life, file: OpenFile): Promise<void> {
    this.#step(life);
    const { schedule, syncFailed } = this.#parts;
    const { random } = schedule;
    const inode = this.#inode(file);
    const { changes } = inode;
    const { boot } = this;
    const usualMs = this.#spells.has('slow syncs') ? random.below(3_000) : random.below(4);
    const delayMs = this.#spells.has('hanging syncs') ? HANGS_MS : usualMs;
    return new Promise((resolve, reject) => {
      // The operating system continues the sync after the process is gone.
      schedule.after(delayMs, () => {
        if (this.boot !== boot) return;
        const fails = this.#fails('failing syncs');
        if (fails) inode.drop(changes);
        else inode.sync(changes);
        if (!life.isAlive) return;
        if (fails) {
          reject(this.#failure('sync failed'));
          syncFailed(life);
        } else resolve();
      });
    });
  }

  #commit(life: Life): void {
    this.#step(life);
    this.#failIf('history');
  }

  #step(life: Life): void {
    if (this.#isLast(life)) this.#die(life);
  }

  #isLast(life: Life): boolean {
    life.use();
    if (this.#fuse === null) return false;
    this.#fuse -= 1;
    if (this.#fuse > 0) return false;
    this.#fuse = null;
    return true;
  }

  #die(life: Life): never {
    this.#parts.died(life);
    throw new StoreError('the process has ended');
  }

  /** Returns whether a call fails: during a spell, half of the calls of its kind fail. */
  #fails(spell: Spell): boolean {
    return this.#spells.has(spell) && this.#parts.schedule.random.happens(0.5);
  }

  #failIf(spell: Spell): void {
    if (this.#fails(spell)) throw this.#failure(spell);
  }

  #failure(what: string): StoreError {
    this.#failures += 1;
    return new StoreError(`simulated disk: ${what}`);
  }
}
