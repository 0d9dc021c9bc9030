// The processor time that a test file takes. The sum counts all threads of the process that runs the file, and the child processes that
// have ended.

import { existsSync, readFileSync } from 'node:fs';

/** Linux counts the time of a process and of its children in ticks of 10 ms. */
const MS_PER_TICK = 10;
/** Fields 14 to 17 of proc(5), `utime` to `cstime`, counted from the end of the program's name. */
const TIMES = { first: 11, behind: 15 };
const STATISTICS = '/proc/self/stat';

/** The time that earlier files of this process have taken. A process that runs a single file counts from the start of the process. */
let countedMs = 0;

/** The processor time since the last call in this process. */
export function processorMsSinceLastCall(): number {
  const ms = processorMs();
  const since = ms - countedMs;
  countedMs = ms;
  return since;
}

function processorMs(): number {
  if (!existsSync(STATISTICS)) {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1_000);
  }
  const text = readFileSync(STATISTICS, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(TIMES.first, TIMES.behind).reduce((sum, field) => sum + Number(field), 0);
  return ticks * MS_PER_TICK;
}
