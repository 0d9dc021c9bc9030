// A file's lock that the kernel keeps for as long as this process lives. It holds between containers of one machine, which do not see each
// other's processes. Node takes no locks, so SQLite takes this one, and stores nothing here. Blocks; at start and end only.

import { existsSync } from 'node:fs';
import { wordsOf } from '../domain/error-words.ts';
import { writePrivateFile } from '../runtime/private-file.ts';
import { StoreError } from './store-error.ts';

const BUSY = 5;

/** Returns the function that releases it, also a second time; null: another has it. Throws a StoreError that names the file. */
export function takeKernelLock(path: string): (() => void) | null {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  try {
    if (!existsSync(path)) writePrivateFile(path, '');
    const file = new DatabaseSync(path);
    try {
      // The lock is that of a transaction, which makes no other file.
      file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
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
