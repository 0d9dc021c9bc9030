// Simulates a disk that neither takes writes nor refuses them, for the journal of a gateway in this process. The journal's open segment
// becomes a pipe that is full, so that a write waits until the pipe is read. The records that were written to the pipe are lost then: no
// gateway can start again on the data directory.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { replaceSegment } from './fail-journal.ts';

const CHUNK = Buffer.alloc(4_096);

/** Blocks the writes of a journal. `folder` is the folder of orders in a data directory. Returns a function that lets the writes go on. */
export function blockJournalOf(folder: string): () => void {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const ours = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  while (isDone(() => writeSync(ours, CHUNK)));
  replaceSegment(folder, pipe);
  return () => {
    while (isDone(() => readSync(ours, CHUNK)));
    closeSync(ours);
  };
}

/** Returns false if the work would have had to wait. */
function isDone(work: () => number): boolean {
  try {
    return work() > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return false;
  }
}
