// How a test waits for something that takes its own time: the test repeats its check until the check passes. All tests have the same
// generous time limit, because the limit must only end a test that would never end, on a busy machine, too. bench/ measures how long things
// take. (`expect.poll`, for a single value, has the same time limit from vitest.config.ts.)

import { setTimeout as pause } from 'node:timers/promises';

export const PATIENCE_MS = 120_000;

/**
 * The pauses between checks, which grow, because a check of a gateway takes processor time from the gateway and from every program that
 * waits.
 */
const PAUSE_MS = { first: 5, growth: 1.25, max: 250 };

/** Resolves to the result of `check` once it no longer throws; rejects with its error if it still throws after `PATIENCE_MS`. */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * PAUSE_MS.growth, PAUSE_MS.max)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
    }
    await pause(pauseMs);
  }
}
