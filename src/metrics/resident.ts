// The memory of one process as Linux counts it. Any thread.

import { readFileSync } from 'node:fs';

export interface Resident {
  /** Heaps, buffers and stacks that the process has touched. */
  readonly anonymousBytes: number;
  /** Code, and resident pages of the stores. They grow with the stores, and the system reclaims them. */
  readonly fileBytes: number;
  /** Books and counters that threads share. */
  readonly sharedBytes: number;
}

/** Throws if /proc cannot be read. */
export function residentOf(pid: number | 'self'): Resident {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (name: string): number => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
    if (match === null) throw new Error(`/proc/${pid}/status has no ${name}`);
    return 1_024 * Number(match[1]);
  };
  return { anonymousBytes: bytes('RssAnon'), fileBytes: bytes('RssFile'), sharedBytes: bytes('RssShmem') };
}
