// A file system of a few megabytes, to be filled to the last byte and freed again: a tmpfs, which takes root to mount.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILLER = 'filler';

/** Whether `mountDisk` may be asked. */
export function canMount(): boolean {
  return process.getuid?.() === 0;
}

/** Mounted on an empty folder; the returned function unmounts it. */
export function mountDisk(folder: string, bytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'crossbook-faults', folder]);
  // Lazily: a process that was killed may hold a file of it for a moment yet.
  return () => void execFileSync('umount', ['-l', folder]);
}

/** Takes what is left of the disk that the folder is on, to the last byte. */
export function fillDisk(folder: string): void {
  const file = openSync(join(folder, FILLER), 'a', 0o600);
  try {
    for (let bytes = 1024 * 1024; bytes >= 1; ) {
      try {
        if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes >>= 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes >>= 1;
      }
    }
  } finally {
    closeSync(file);
  }
}

export function freeDisk(folder: string): void {
  rmSync(join(folder, FILLER), { force: true });
}
