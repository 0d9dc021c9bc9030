// Files that nobody else may see. Written, they are their owner's from the first byte on, complete or not there at all, and never in
// place of another. Read, they are refused if others may read or change them: whoever can read a key can trade. Any thread.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '../domain/result.ts';

/** Why a file is not used. `words` go on after its path, and hold nothing of what is in it. */
interface PrivateFileFault {
  readonly isMissing: boolean;
  readonly words: string;
}

/** Permissions of everybody but the owner. */
const OTHERS = 0o077;

/** The text of a file of at most `bytesMax` bytes that is its owner's only. */
export function readPrivateFile(path: string, bytesMax: number): Result<string, PrivateFileFault> {
  let file: number | null = null;
  try {
    // A pipe that nobody writes to would keep us waiting for good.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    // Of the open file, so that nobody can put another one in its place between the look and the reading.
    const stats = fstatSync(file);
    if (stats.isDirectory()) return unfit('is a folder');
    if (!stats.isFile()) return unfit('is no regular file');
    const { mode, size } = stats;
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      return unfit(`is open to others than its owner (mode ${(mode & 0o777).toString(8)}); chmod 600 it`);
    }
    return size > bytesMax ? unfit(`is longer than ${bytesMax} bytes`) : ok(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail({ isMissing: code === 'ENOENT', words: `cannot be read (${code})` });
  } finally {
    if (file !== null) closeSync(file);
  }
}

function unfit(words: string): Result<never, PrivateFileFault> {
  return fail({ isMissing: false, words });
}

/**
 * Writes a new file of mode 0600 and returns once it is on disk. False if there is something of that name, which stays as
 * it is. Throws what node:fs throws; a crash may leave a draft of another name behind.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
    // Unlike a rename, a link never replaces what is there.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    closeSync(file);
    unlinkSync(draft);
  }
  flushFolder(dirname(path));
  return true;
}

/**
 * A folder of mode 0700, and those above it that are missing; returns once they are on disk, or what is put there could be lost with
 * them. One that is there stays as it is. Throws what node:fs throws, but for its own way to make folders: that one never returns where
 * the folder above is there and has no room for others, as /proc.
 */
export function makePrivateFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const above = dirname(folder);
  makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Somebody else was quicker.
    if (!isFolder(folder)) throw error;
  }
  flushFolder(above);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A new name is on disk only when its folder is. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
