// The boot of the machine: unsynced writes are lost between two of them. Any thread.

import { readFileSync } from 'node:fs';

/** Changes with each boot; null where the system does not say. */
export function systemBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}

