// A disk that stops to take writes without a word, until it is let go on. It is a small ext4 in a file, frozen as a snapshot of a volume
// freezes it. Takes root, a loop device and mkfs.ext4. A writer waits meanwhile and cannot be killed: thaw it in any case.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BYTES = 256 * 1024 * 1024;

export class FreezableDisk {
  /** Empty at the beginning. */
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

  /** Null, and a word about it, where there cannot be one. */
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
