// A disk that takes no writes and refuses none, for the journal of a gateway in this process. The journal's open segment becomes a pipe
// that is full, so that a write waits until the pipe is read. What was written to it is lost then: the data directory is good for no
// restart.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { replaceSegment } from './fail-journal.ts';

const CHUNK = Buffer.alloc(4_096);

/** `folder`: of orders, in a data directory. Returns what has the writes go on. */
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

/** False where it would have had to wait. */
function isDone(work: () => number): boolean {
  try {
    return work() > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return false;
  }
}
