// Prepares the two files of an LMDB folder before LMDB opens them. LMDB trusts their content, and bad content ends the process. A failed
// open also ends the process, since the package deletes the same object twice. So all faults except lack of memory are found here and
// thrown.

import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { addressSpaceLeft, inKib } from '../runtime/address-space.ts';
import { makePrivateFolder, writePrivateFile } from '../runtime/private-file.ts';
import { StoreError } from './store-error.ts';

/** The layout, in bytes, of the first two pages of a data file (MDB_page, MDB_meta and MDB_db of LMDB's format 2). */
const META = {
  bytes: 160,
  pageNumberAt: 0,
  pageFlagsAt: 18,
  /** The flag P_META of LMDB, which marks a meta page. */
  pageFlags: 8,
  markAt: 24,
  /** MDB_MAGIC and the version of the format. The upper half of the version is ignored. */
  mark: Buffer.from('dec0efbe0200', 'hex'),
  addressSpaceAt: 40,
  pageBytesAt: 48,
  keyFlagsAt: 52,
  /** The flag MDB_INTEGERKEY of the table of free pages. */
  keyFlags: 8,
  /** The places of the roots of two tables: free pages and keys. */
  rootsAt: [88, 136],
  noRoot: 0xffff_ffff_ffff_ffffn,
  lastPageAt: 144,
  transactionAt: 152,
} as const;
export const DATA_NAME = 'data.mdb';
const LOCK_NAME = 'lock.mdb';
/** The place in the lock file of the number of the last commit (MDB_txbody of LMDB). */
const LAST_COMMIT_AT = 8;
/** The page size of the LMDB files that we create, and of the system's cache. */
export const PAGE_BYTES = 4_096;
const LARGEST_PAGE_BYTES = 65_536;
/** The most room beyond the used pages: twice the growth of the file by the transactions between two checks. */
const ROOM_BYTES = 4 * 1024 * 1024;
/** The least room that the committing thread adds at once: 64 pages at some 3 µs each. */
const ROOM_STEP_BYTES = 256 * 1024;
const isRoot = process.getuid?.() === 0;
const EMPTY_PAGE = new Uint8Array(PAGE_BYTES);

/** The size of a new lock file: three pages. LMDB uses 8 272 bytes for its maximum of 126 readers. */
const LOCK_BYTES = 12_288;

/** The number of file descriptors that must be free. LMDB opens three files; the others allow for other threads at the same moment. */
const DESCRIPTORS = 8;

/**
 * Prepares a folder that LMDB can open, with an empty store if the folder has no store. The files are private from their first byte,
 * independent of the umask. LMDB writes the lock file through a memory map: the bytes of the file must exist, or a full disk would end the
 * process.
 */
export function prepareLmdbFolder(folder: string, addressSpaceBytes: number): void {
  makePrivateFolder(folder);
  chmodSync(folder, 0o700);
  const data = join(folder, DATA_NAME);
  preparePrivateFile(data, () => emptyDataFile(addressSpaceBytes));
  preparePrivateFile(join(folder, LOCK_NAME), () => new Uint8Array(LOCK_BYTES));
  refuseForeignFile(data);
  assertDescriptors(folder);
  assertAddressSpace(folder, addressSpaceBytes);
}

function assertAddressSpace(folder: string, bytes: number): void {
  const left = addressSpaceLeft();
  if (bytes <= left) return;
  const limit = `the limit of address space (ulimit -v) leaves ${inKib(left)}`;
  throw new StoreError(`store ${folder}: ${limit}, and its map takes ${inKib(bytes)} of it, though no memory`);
}

/**
 * Throws if too few file descriptors are free. Opens the folder for this: closing one of the files would drop this process's locks on it
 * for other threads.
 */
function assertDescriptors(folder: string): void {
  const free: number[] = [];
  try {
    while (free.length < DESCRIPTORS) free.push(openSync(folder, 'r'));
  } finally {
    for (const descriptor of free) closeSync(descriptor);
  }
}

/**
 * Makes the file if it does not exist, and makes it private. An existing file is not opened, since closing it would drop this process's
 * locks on it for other threads.
 */
function preparePrivateFile(path: string, content: () => Uint8Array): void {
  if (!existsSync(path)) writePrivateFile(path, content());
  chmodSync(path, 0o600);
}

/** Returns the data file that LMDB itself would write: two equal pages. */
function emptyDataFile(addressSpaceBytes: number): Uint8Array {
  const file = Buffer.alloc(2 * PAGE_BYTES);
  for (const number of [0, 1]) {
    const page = file.subarray(number * PAGE_BYTES);
    page.writeBigUInt64LE(BigInt(number), META.pageNumberAt);
    page.writeUInt16LE(META.pageFlags, META.pageFlagsAt);
    page.set(META.mark, META.markAt);
    page.writeBigUInt64LE(BigInt(addressSpaceBytes), META.addressSpaceAt);
    page.writeUInt32LE(PAGE_BYTES, META.pageBytesAt);
    page.writeUInt16LE(META.keyFlags, META.keyFlagsAt);
    for (const rootAt of META.rootsAt) page.writeBigUInt64LE(META.noRoot, rootAt);
    page.writeBigUInt64LE(1n, META.lastPageAt);
  }
  return file;
}

/** Throws if the file is not LMDB's. An empty file is a file that LMDB created but has not written yet. */
function refuseForeignFile(path: string): void {
  const { head, length } = headOf(path);
  if (length > 0 && pageBytesOf(head) === null) throw new StoreError(`store file ${path}: is not an LMDB data file`);
}

/**
 * Whether a file begins like LMDB's and has all of its pages: reading a missing page would end the process. A file that lacks only unused
 * pages at its end also counts as incomplete; `keepRoom` prevents this.
 */
export function isWholeDataFile(path: string): boolean {
  const extent = extentOf(path);
  return extent !== null && extent.length >= extent.used;
}

/**
 * Returns the bytes of the pages that LMDB has used so far in a folder's data file, free pages included. Returns 0 if the file is not
 * LMDB's.
 */
export function usedBytes(folder: string): number {
  return extentOf(join(folder, DATA_NAME))?.used ?? 0;
}

/**
 * Extends a folder's data file beyond its used pages. LMDB never writes a page that a transaction takes and gives back. If such a page is
 * the last, the file ends before it, as if it were truncated. Returns how many bytes may be used until the next call. Call only with the
 * write lock. Never throws: without the room the next start may only take longer.
 */
export function keepRoom(folder: string): number {
  const data = join(folder, DATA_NAME);
  try {
    const extent = extentOf(data, 2 * PAGE_BYTES);
    if (extent === null) return 0;
    // The room of a small file is small, because such a file is rebuilt quickly.
    const room = Math.min(ROOM_BYTES, extent.used);
    const missing = extent.used + room - extent.length;
    if (missing >= Math.min(room / 2, ROOM_STEP_BYTES)) lengthen(data, extent.length, extent.used + room);
    return room / 2;
  } catch {
    // The process may be out of descriptors, for example. The next check tries again.
    return 0;
  }
}

/**
 * Lengthens the file page by page. The kernel caches a large write in one piece, and each later write of a page in this piece walks the
 * whole piece (ADR 0019). On a full disk the pages exist without space on disk.
 */
function lengthen(path: string, from: number, to: number): void {
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file, to);
    const first = Math.ceil(from / PAGE_BYTES) * PAGE_BYTES;
    for (let at = first; at < to; at += PAGE_BYTES) writeSync(file, EMPTY_PAGE, 0, PAGE_BYTES, at);
  } finally {
    closeSync(file);
  }
}

interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Returns the identity of the data file, or null if the file does not exist or the system does not say. The file is not opened, because
 * closing it would drop LMDB's locks on it.
 */
export function dataFileIn(folder: string): FileIdentity | null {
  try {
    return statSync(join(folder, DATA_NAME), { bigint: true });
  } catch {
    return null;
  }
}

export function isSameFile(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && one.dev === other?.dev && one.ino === other.ino;
}

/** Returns the free bytes of the folder's disk, or infinity if the system does not say. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bfree, bsize } = statfsSync(folder);
    return (isRoot ? bfree : bavail) * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

interface Head {
  readonly head: Buffer;
  readonly length: number;
}

/** The sizes of a data file, in bytes. */
interface Extent {
  readonly used: number;
  readonly length: number;
}

/** Returns null if the examined part of the file is not LMDB's. */
function extentOf(path: string, headBytes = 2 * LARGEST_PAGE_BYTES): Extent | null {
  const { head, length } = headOf(path, headBytes);
  const pageBytes = pageBytesOf(head);
  if (pageBytes === null) return null;
  const { place } = lastCommitIn(head, pageBytes);
  return { used: (Number(head.readBigUInt64LE(place + META.lastPageAt)) + 1) * pageBytes, length };
}

/** Returns the number of the last commit, and the place at which the page of this commit begins. */
function lastCommitIn(head: Buffer, pageBytes: number): { readonly last: bigint; readonly place: number } {
  const [one, other] = [0, pageBytes].map(place => ({ last: head.readBigUInt64LE(place + META.transactionAt), place }));
  return other!.last > one!.last ? other! : one!;
}

/** Opens the data file for `showLastCommit`, which must not need a free descriptor. */
export function openDataFile(folder: string): number {
  return openSync(join(folder, DATA_NAME), 'r');
}

/**
 * Makes LMDB see the last commit of the data file; returns false if LMDB sees it already. `begun` is the number of the transaction that has
 * begun. A process that opens the folder writes the number of the last commit that it has found to the lock file, without the write lock. A
 * commit that is made meanwhile would be unseen by readers, and the next transaction would replace it. Call this only with the write lock,
 * and begin the transaction anew after it.
 */
export function showLastCommit(folder: string, dataFile: number, begun: number): boolean {
  const { head } = headIn(dataFile, 2 * PAGE_BYTES);
  const pageBytes = pageBytesOf(head);
  if (pageBytes === null) return false;
  const { last } = lastCommitIn(head, pageBytes);
  if (last < BigInt(begun)) return false;
  const bytes = new BigUint64Array([last]);
  // The lock file is never closed: closing it would drop this process's locks on the file.
  const lockFile = openSync(join(folder, LOCK_NAME), 'r+');
  writeSync(lockFile, bytes, 0, bytes.byteLength, LAST_COMMIT_AT);
  return true;
}

/** Returns two pages of LMDB's largest default size, and the file's length. For an empty file, returns no bytes and 0. */
function headOf(path: string, bytes = 2 * LARGEST_PAGE_BYTES): Head {
  const file = openSync(path, 'r');
  try {
    return headIn(file, bytes);
  } finally {
    closeSync(file);
  }
}

function headIn(file: number, bytes: number): Head {
  const head = Buffer.alloc(bytes);
  return { head: head.subarray(0, readSync(file, head, 0, bytes, 0)), length: fstatSync(file).size };
}

/** Returns the page size, or null if the first two pages are not LMDB's. */
function pageBytesOf(head: Buffer): number | null {
  if (!hasMark(head, 0) || head.length < META.bytes) return null;
  const pageBytes = head.readUInt32LE(META.pageBytesAt);
  const isFitting = pageBytes >= META.bytes && pageBytes + META.bytes <= head.length;
  return isFitting && hasMark(head, pageBytes) ? pageBytes : null;
}

function hasMark(head: Buffer, page: number): boolean {
  return head.subarray(page + META.markAt, page + META.markAt + META.mark.length).equals(META.mark);
}
