// A slow disk, loaded into the gateway's process before the program, in every thread. A file has the current extra milliseconds of every sync.

import fs, { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export const DISK_DELAY_FILE = 'disk-delay-ms';
/** The file with one character for each late sync. */
export const LATE_SYNCS_FILE = 'late-syncs';

const folder = process.env.FAULTS_FOLDER;

/** Returns the delay of the next sync; 0 if the file is absent. */
function delayMs(): number {
  let ms = 0;
  try {
    ms = Number(readFileSync(join(folder!, DISK_DELAY_FILE), 'utf8'));
  } catch {}
  if (ms > 0) appendFileSync(join(folder!, LATE_SYNCS_FILE), '.');
  return ms;
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
