// Processor time of another process, from outside: a gateway started as in production answers no such question.

import { readFileSync } from 'node:fs';

/** Fields of /proc/PID/stat after the name, which may contain spaces: 12th and 13th, in ticks of 10 ms. */
const USER_AT = 11;
const SYSTEM_AT = 12;
const MS_PER_TICK = 10;

/** Milliseconds over all its threads. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return MS_PER_TICK * (Number(fields[USER_AT]) + Number(fields[SYSTEM_AT]));
}
