// Files that hold a secret: readable by their owner only from the first byte on, complete or not there at all, and never
// in place of another.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a new file of mode 0600 and returns once it is on disk. False if there is something of that name, which stays as
 * it is. Throws what node:fs throws; a crash may leave a draft of another name behind.
 */
export function writePrivateFile(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, text);
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
