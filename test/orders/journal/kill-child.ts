// A process that appends to one journal until it is killed, and reports each record once the record is appended. `node kill-child.ts
// FOLDER`.

import { writeSync } from 'node:fs';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';

const options = {
  folder: process.argv[2]!,
  files: nodeFiles,
  timers: wallTimers,
  segmentBytes: 20_000,
  syncDelayMs: 4,
};
const journal = Journal.open(options, 1, () => {});

/** Writes a line. Tries again while the pipe is full, because Node's pipes do not wait. */
function say(line: string): void {
  for (;;) {
    try {
      return void writeSync(1, line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

for (let round = 0; ; round++) {
  for (let record = 0; record < 20; record++) {
    journal.append(Buffer.from(String(journal.next).padEnd(journal.next % 700)));
    say(`${journal.sequence}\n`);
  }
  // When the process is killed, syncs and ends of segments are under way.
  await (round % 7 === 0 ? journal.durable() : new Promise(resolve => setImmediate(resolve)));
}
