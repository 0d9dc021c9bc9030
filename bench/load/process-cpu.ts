// The processor time of another process, read from outside, since a gateway that is started as in production cannot be asked for it.

import { readFileSync } from 'node:fs';

/** The positions of two fields of /proc/PID/stat after the name, which may contain spaces. They are the 12th and 13th field, in ticks of 10 ms. */
const USER_AT = 11;
const SYSTEM_AT = 12;
const MS_PER_TICK = 10;

/** Returns the milliseconds of all threads of the process together. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return MS_PER_TICK * (Number(fields[USER_AT]) + Number(fields[SYSTEM_AT]));
}
