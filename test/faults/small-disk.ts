// A file system of a few megabytes, to be filled to the last byte and freed again. It is a tmpfs, and mounting it requires root.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILLER = 'filler';

/** Returns whether `mountDisk` can work. */
export function canMount(): boolean {
  return process.getuid?.() === 0;
}

/** Mounts the disk on an empty folder. Returns a function that unmounts it. */
export function mountDisk(folder: string, bytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'crossbook-faults', folder]);
  // The unmount is lazy, since a killed process may hold a file of the disk for another moment.
  return () => void execFileSync('umount', ['-l', folder]);
}

/** Fills the disk of the folder to the last byte. */
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
