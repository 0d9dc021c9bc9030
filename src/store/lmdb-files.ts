// The two files of an LMDB folder, as they must be before LMDB may open them. What it trusts without a look would end the process, and so
// would an opening that fails: the package deletes the same object twice. Whatever can go wrong is found out here, and thrown, but for
// want of memory.

import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { addressSpaceLeft, inKib } from '../runtime/address-space.ts';
import { makePrivateFolder, writePrivateFile } from '../runtime/private-file.ts';
import { StoreError } from './store-error.ts';

/** Where things are on each of the first two pages of a data file (MDB_page, MDB_meta and MDB_db of LMDB's format 2), in bytes. */
const META = {
  bytes: 160,
  pageNumberAt: 0,
  pageFlagsAt: 18,
  /** P_META. */
  pageFlags: 8,
  markAt: 24,
  /** MDB_MAGIC and the version of the format, of which the upper half is not looked at. */
  mark: Buffer.from('dec0efbe0200', 'hex'),
  addressSpaceAt: 40,
  pageBytesAt: 48,
  keyFlagsAt: 52,
  /** MDB_INTEGERKEY, of the table of free pages. */
  keyFlags: 8,
  /** Of the table of free pages and of the keys. */
  rootsAt: [88, 136],
  noRoot: 0xffff_ffff_ffff_ffffn,
  lastPageAt: 144,
  transactionAt: 152,
} as const;
export const DATA_NAME = 'data.mdb';
/** Of LMDB's files as we make them, and of what the system caches. */
export const PAGE_BYTES = 4_096;
const LARGEST_PAGE_BYTES = 65_536;
/** Twice what the transactions between two looks at it may add to the file. */
const ROOM_BYTES = 4 * 1024 * 1024;
/** At once, by whoever commits: 64 pages, of some 3 µs each. */
const ROOM_STEP_BYTES = 256 * 1024;
const isRoot = process.getuid?.() === 0;
const EMPTY_PAGE = new Uint8Array(PAGE_BYTES);

/** Three pages, of which LMDB uses 8 272 bytes for the 126 readers that it has room for. */
const LOCK_BYTES = 12_288;

/** LMDB opens three files; the rest is for what other threads open in the same moment. */
const DESCRIPTORS = 8;

/**
 * A folder that LMDB can open, and an empty store in it if there is none. The files are private from their first byte on, whatever the
 * umask. LMDB writes the lock file through a map: were its bytes not there, the first of them that a full disk has no room for would end
 * the process.
 */
export function prepareLmdbFolder(folder: string, addressSpaceBytes: number): void {
  makePrivateFolder(folder);
  chmodSync(folder, 0o700);
  const data = join(folder, DATA_NAME);
  preparePrivateFile(data, () => emptyDataFile(addressSpaceBytes));
  preparePrivateFile(join(folder, 'lock.mdb'), () => new Uint8Array(LOCK_BYTES));
  refuseForeignFile(data);
  needDescriptors(folder);
  needAddressSpace(folder, addressSpaceBytes);
}

function needAddressSpace(folder: string, bytes: number): void {
  const left = addressSpaceLeft();
  if (bytes <= left) return;
  const limit = `the limit of address space (ulimit -v) leaves ${inKib(left)}`;
  throw new StoreError(`store ${folder}: ${limit}, and its map takes ${inKib(bytes)} of it, though no memory`);
}

/** On the folder: closing the files themselves would take this process's locks on them from whoever else has them open. */
function needDescriptors(folder: string): void {
  const free: number[] = [];
  try {
    while (free.length < DESCRIPTORS) free.push(openSync(folder, 'r'));
  } finally {
    for (const descriptor of free) closeSync(descriptor);
  }
}

/** An existing file is not opened: closing it would take this process's locks on it from whoever else has it open. */
function preparePrivateFile(path: string, content: () => Uint8Array): void {
  if (!existsSync(path)) writePrivateFile(path, content());
  chmodSync(path, 0o600);
}

/** What LMDB itself would write: two pages that say the same. */
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

/** An empty file is one that LMDB has begun and not written yet. */
function refuseForeignFile(path: string): void {
  const { head, length } = headOf(path);
  if (length > 0 && pageBytesOf(head) === null) throw new StoreError(`store file ${path}: is not an LMDB data file`);
}

/**
 * Whether a file begins as LMDB's do and has all of its pages: reading a missing one would end the process. A file that
 * lacks only pages at its end that were never used is called not whole, too; `keepRoom` sees to it that none does.
 */
export function isWholeDataFile(path: string): boolean {
  const extent = extentOf(path);
  return extent !== null && extent.length >= extent.used;
}

/** Bytes of the pages that LMDB has given a use so far in the data file of a folder, free ones included. 0 of a file that is not LMDB's. */
export function usedBytes(folder: string): number {
  return extentOf(join(folder, DATA_NAME))?.used ?? 0;
}

/**
 * Makes the data file of a folder longer than it says that it is. LMDB never writes a page that a transaction takes and gives back, so
 * that one at the end would be missing, and nobody could tell it from one that was cut off. Only for who holds the write lock. Never
 * throws: without it the next start may take longer, which is no reason to refuse a transaction.
 */
export function keepRoom(folder: string): void {
  const data = join(folder, DATA_NAME);
  try {
    const extent = extentOf(data, 2 * PAGE_BYTES);
    if (extent === null) return;
    // What is small is soon built anew.
    const room = Math.min(ROOM_BYTES, extent.used);
    const missing = extent.used + room - extent.length;
    if (missing >= Math.min(room / 2, ROOM_STEP_BYTES)) lengthen(data, extent.length, extent.used + room);
  } catch {
    // No descriptor is left, say: the next look finds one.
  }
}

/**
 * Page by page, since what is written at once is cached in one piece, of which each page that is written later costs a walk through the
 * whole (ADR 0009). On a full disk the room is there all the same, without a place on disk.
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

/** Of the disk that the folder is on. Infinite where the system does not tell. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bfree, bsize } = statfsSync(folder);
    return (isRoot ? bfree : bavail) * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Bytes. */
interface Extent {
  readonly used: number;
  readonly length: number;
}

/** Null if the file does not begin as LMDB's do, as far as it is looked at. */
function extentOf(path: string, headBytes = 2 * LARGEST_PAGE_BYTES): Extent | null {
  const { head, length } = headOf(path, headBytes);
  const pageBytes = pageBytesOf(head);
  if (pageBytes === null) return null;
  const transaction = (page: number) => head.readBigUInt64LE(page + META.transactionAt);
  const latest = transaction(pageBytes) > transaction(0) ? pageBytes : 0;
  return { used: (Number(head.readBigUInt64LE(latest + META.lastPageAt)) + 1) * pageBytes, length };
}

/** Two of the largest pages that LMDB makes by default, and the length of the file. Empty and 0 for an empty file. */
function headOf(path: string, bytes = 2 * LARGEST_PAGE_BYTES): { readonly head: Buffer; readonly length: number } {
  const head = Buffer.alloc(bytes);
  const file = openSync(path, 'r');
  try {
    return { head: head.subarray(0, readSync(file, head)), length: fstatSync(file).size };
  } finally {
    closeSync(file);
  }
}

/** Null if the first two pages are not LMDB's. */
function pageBytesOf(head: Buffer): number | null {
  if (!hasMark(head, 0) || head.length < META.bytes) return null;
  const pageBytes = head.readUInt32LE(META.pageBytesAt);
  const isFitting = pageBytes >= META.bytes && pageBytes + META.bytes <= head.length;
  return isFitting && hasMark(head, pageBytes) ? pageBytes : null;
}

function hasMark(head: Buffer, page: number): boolean {
  return head.subarray(page + META.markAt, page + META.markAt + META.mark.length).equals(META.mark);
}
