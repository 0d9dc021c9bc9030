// Loaded into the gateway's process before the program, in every thread: a disk on which every sync takes as many milliseconds longer
// as a file says at that moment.

import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export const DISK_DELAY_FILE = 'disk-delay-ms';

const folder = process.env.FAULTS_FOLDER;

/** None unless the file is there. */
function delayMs(): number {
  try {
    return Number(readFileSync(join(folder!, DISK_DELAY_FILE), 'utf8'));
  } catch {
    return 0;
  }
}

if (folder !== undefined) {
  const { fdatasync, fdatasyncSync, fsyncSync } = fs;
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  const late =
    (sync: (descriptor: number) => void) =>
    (descriptor: number): void => {
      Atomics.wait(asleep, 0, 0, delayMs());
      sync(descriptor);
    };
  fs.fdatasyncSync = late(fdatasyncSync);
  fs.fsyncSync = late(fsyncSync);
  const slow = (descriptor: number, done: fs.NoParamCallback): void =>
    void setTimeout(() => fdatasync(descriptor, done), delayMs());
  fs.fdatasync = Object.assign(slow, { __promisify__: fdatasync.__promisify__ });
  syncBuiltinESMExports();
}
