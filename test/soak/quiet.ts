// Waiting for what comes true by itself, without saying when.

import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 250;

/** Looks until there is no complaint, or time is up; the last complaints. */
export async function untilQuiet(
  patienceMs: number,
  complaints: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const found = await complaints();
    if (found.length === 0 || Date.now() > until) return found;
    await pause(LOOK_MS);
  }
}
