// Files that only their owner may see. A written file is private from its first byte, is complete or absent, and never replaces another
// file. A file that others may read or change is refused: with a key from it they could trade. Any thread.

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

/** The reason why a file is not used. `words` follow the path of the file, and show nothing of its content. */
interface PrivateFileFault {
  readonly isMissing: boolean;
  readonly words: string;
}

/** The permission bits of all users but the owner. */
const OTHERS = 0o077;

/** Returns the text of a private file of at most `bytesMax` bytes. */
export function readPrivateFile(path: string, bytesMax: number): Result<string, PrivateFileFault> {
  let file: number | null = null;
  try {
    // Without O_NONBLOCK, a pipe without a writer would block forever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    // The stats of the open file are read, so that the file cannot be replaced between check and read.
    const stats = fstatSync(file);
    if (stats.isDirectory()) return faultOfFile('is a folder');
    if (!stats.isFile()) return faultOfFile('is not a regular file');
    const { mode, size } = stats;
    // Windows has no such permission bits.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      return faultOfFile(`is open to others than its owner (mode ${(mode & 0o777).toString(8)}); chmod 600 it`);
    }
    return size > bytesMax ? faultOfFile(`is longer than ${bytesMax} bytes`) : ok(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail({ isMissing: code === 'ENOENT', words: `cannot be read (${code})` });
  } finally {
    if (file !== null) closeSync(file);
  }
}

function faultOfFile(words: string): Result<never, PrivateFileFault> {
  return fail({ isMissing: false, words });
}

/**
 * Writes a new file of mode 0600 and returns once the file is on disk. Returns false if the name exists; the file of this name stays
 * unchanged. Throws errors of node:fs. A crash may leave a draft under another name.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
    // Unlike a rename, a link never replaces an existing file.
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
 * Makes a folder of mode 0700 and its missing parents, and returns once they are on disk; otherwise their files could be lost with them. An
 * existing folder stays unchanged. Throws errors of node:fs. Node's own recursive mkdir is not used: it never returns under a folder that
 * takes no entry, such as /proc.
 */
export function makePrivateFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const above = dirname(folder);
  makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has made the folder first.
    if (!isFolder(folder)) throw error;
  }
  flushFolder(above);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Writes the names in a folder to disk: a new name is on disk only once its folder is. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
