// Which start of the machine this is. Any thread.

import { readFileSync } from 'node:fs';

/** Changes whenever the machine starts, which is when unsynced writes are lost; null where the system does not tell. */
export function systemBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}
