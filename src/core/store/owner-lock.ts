// A store has one owner at a time: only this process may recover, mark and delete. The kernel keeps the owner's lock. A lock file also
// names the process by id, boot and start time, for commands and for other releases. So the lock of a killed process is void even before
// its parent reaps the process. Blocks; at start and end only.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../domain/error-words.ts';
import { writePrivateFile } from '../runtime/private-file.ts';
import { type Files, nodeFiles, readText } from './files.ts';
import { StoreError } from './store-error.ts';

/** The name of the lock file. While a dead owner's lock is removed, a second file with the suffix `.next` exists. */
const OWNER_NAME = 'owner';
const LOCK_NAME = 'lock';

const LOCK_BYTES_MAX = 256;
/** The number of attempts, larger than the number of processes that ever contend at once. */
const ATTEMPTS_MAX = 32;
const LOCK = /^(\d{1,15}) (\S{1,64}) (\S{1,32})\n$/;
const UNKNOWN = '-';
/** The state letters of a zombie and of a dead process. */
const ENDED = new Set(['Z', 'X']);

/**
 * Takes the store for this process. Returns the function that releases the store. Throws a StoreError that names the current owner if the
 * store has one.
 */
export function takeOwnership(folder: string): () => void {
  const path = join(folder, OWNER_NAME);
  const unlock = takeKernelLock(join(folder, LOCK_NAME));
  if (unlock === null) throw inUseError(folder, path);
  try {
    const giveUp = take(folder, path);
    return () => {
      giveUp();
      unlock();
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Returns the error for a store that is open elsewhere. An owner in another container may have an id that is free here, or that is another
 * process's.
 */
function inUseError(folder: string, path: string): StoreError {
  const found = readText(nodeFiles, path, LOCK_BYTES_MAX);
  const who = found !== null && isAlive(found) ? `process ${found.split(' ')[0]}` : 'another process or container';
  return new StoreError(`store ${folder}: is open in ${who} (lock file ${path})`);
}

export function isOwned(files: Files, folder: string): boolean {
  const text = readText(files, join(folder, OWNER_NAME), LOCK_BYTES_MAX);
  return text !== null && isAlive(text);
}

function take(folder: string, path: string): () => void {
  const own = `${process.pid} ${systemBootId() ?? UNKNOWN} ${statOf(process.pid)?.start ?? UNKNOWN}\n`;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (write(path, own)) return () => nodeFiles.remove(path);
    const found = readText(nodeFiles, path, LOCK_BYTES_MAX);
    if (found !== null && isAlive(found)) throw inUseError(folder, path);
    if (found !== null) removeDead(folder, path);
  }
  throw new StoreError(`store file ${path}: keeps changing owners`);
}

/** Writes the lock file. Returns false if another process has the lock file. */
function write(path: string, own: string): boolean {
  try {
    return writePrivateFile(path, own);
  } catch (error) {
    throw new StoreError(`store file ${path}: ${wordsOf(error)}`);
  }
}

/**
 * Removes the lock file of a dead owner. Two processes may find the same dead owner, and one could remove the other's new lock. So the
 * removal itself needs a lock, with the same rule, and checks the owner again.
 */
function removeDead(folder: string, path: string): void {
  const giveUp = take(folder, `${path}.next`);
  try {
    const found = readText(nodeFiles, path, LOCK_BYTES_MAX);
    if (found !== null && !isAlive(found)) nodeFiles.remove(path);
  } finally {
    giveUp();
  }
}

function isAlive(text: string): boolean {
  const [, pid, bootId, start] = LOCK.exec(text) ?? [];
  if (bootId !== (systemBootId() ?? UNKNOWN)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = statOf(Number(pid));
  // A process id may be reused by another process, which has another start time.
  return start === (found?.start ?? UNKNOWN) && found?.hasEnded !== true;
}

interface ProcessStat {
  /** The start time of the process, in ticks since the boot. */
  readonly start: string;
  /** Whether the process has ended, and only its entry of the process table is left until the parent reaps it. */
  readonly hasEnded: boolean;
}

/** Returns null if the system does not say, or denies access. */
function statOf(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, a name in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', threads, start] = [fields[0], fields[17], fields[19]];
    // The first thread may end before the others, each of which may still write.
    return start === undefined ? null : { start, hasEnded: ENDED.has(state) && Number(threads) <= 1 };
  } catch {
    return null;
  }
}

// A lock on a file that the kernel keeps for as long as this process lives. The lock holds between containers of one machine, which do not
// see each other's processes. Node takes no file locks, so SQLite takes the lock, and stores nothing in the file.

const BUSY = 5;

/**
 * Takes the lock, and returns the function that releases it, which may be called twice. Returns null if another process has the lock.
 * Throws a StoreError that names the file.
 */
export function takeKernelLock(path: string): (() => void) | null {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  try {
    if (!existsSync(path)) writePrivateFile(path, '');
    const file = new DatabaseSync(path);
    try {
      // IMMEDIATE takes one lock and makes no other file. An exclusive transaction takes two locks, so that two processes could refuse each
      // other.
      file.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    } catch (error) {
      file.close();
      if ((error as { readonly errcode?: number }).errcode === BUSY) return null;
      throw error;
    }
    return () => {
      if (file.isOpen) file.close();
    };
  } catch (error) {
    throw new StoreError(`store file ${path}: ${wordsOf(error)}`);
  }
}

/**
 * Returns the id of the machine's current boot, or null if the system does not say. Each boot has another id; writes that were not synced
 * are lost then.
 */
export function systemBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}

// The mark with the id of the boot under which the ledger was last opened. After another boot (power cut), events that clients got may be
// lost, and cursors skip ahead.

export const OPEN_BOOT_MARK = 'open-boot';
/** The mark of a copy, and of a ledger that may have lost its end: it equals no boot id. */
export const UNKNOWN_BOOT = 'copy';
/** The mark of a ledger that is on disk as a whole. */
export const CLOSED_CLEAN = '';
