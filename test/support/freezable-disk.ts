// A disk that silently stops taking writes until the test lets it go on. The disk is a small ext4 file system in a file, frozen as a
// snapshot of a volume freezes it. The disk needs root, a loop device and mkfs.ext4. A program that writes to the frozen disk waits and
// cannot be killed: the test must thaw the disk in any case.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BYTES = 256 * 1024 * 1024;

export class FreezableDisk {
  /** The folder of the disk, empty at the beginning. */
  readonly folder: string;
  readonly #parent: string;

  private constructor(parent: string) {
    this.#parent = parent;
    this.folder = join(parent, 'disk');
    const image = join(parent, 'image');
    mkdirSync(this.folder);
    writeFileSync(image, '');
    truncateSync(image, BYTES);
    run('mkfs.ext4', '-q', image);
    run('mount', '-o', 'loop', image, this.folder);
  }

  /** Mounts the disk. Returns null, and prints the reason, if this machine cannot mount the disk. */
  static mount(): FreezableDisk | null {
    const parent = mkdtempSync(join(tmpdir(), 'crossbook-frozen-'));
    try {
      return new FreezableDisk(parent);
    } catch (error) {
      rmSync(parent, { recursive: true });
      console.warn(`SKIPPED: a frozen disk (it takes root, a loop device and mkfs.ext4): ${error}`);
      return null;
    }
  }

  freeze(): void {
    run('fsfreeze', '--freeze', this.folder);
  }

  thaw(): void {
    run('fsfreeze', '--unfreeze', this.folder);
  }

  unmount(): void {
    run('umount', this.folder);
    rmSync(this.#parent, { recursive: true });
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'pipe' });
}
