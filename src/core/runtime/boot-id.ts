// Identifies the current boot of the machine. Any thread.

import { readFileSync } from 'node:fs';

/** Changes with each boot, when unsynced writes are lost; null if the system does not say. */
export function systemBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}
