// Waits for conditions that become true by themselves, without an event.

import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 250;

/** Repeats the check until it has no complaint or the time is up. Returns the last complaints. */
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
