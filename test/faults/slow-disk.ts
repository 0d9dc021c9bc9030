// A slow disk, loaded into the gateway's process before the program, in every thread. A file says how many milliseconds longer every sync
// takes at that moment.

import fs, { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export const DISK_DELAY_FILE = 'disk-delay-ms';
/** A character for each sync that came late. */
export const LATE_SYNCS_FILE = 'late-syncs';

const folder = process.env.FAULTS_FOLDER;

/** The delay of the next sync; 0 unless the file is there. */
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
