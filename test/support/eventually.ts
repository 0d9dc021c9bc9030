// How a test waits for something that takes its own time: it repeats its check until it passes. The patience is one for all tests and
// generous: it must only end a test that would never end, on a busy machine, too. bench/ measures how long things take. (`expect.poll`, for
// a single value, has the same patience from vitest.config.ts.)

import { vi } from 'vitest';

export const PATIENCE_MS = 60_000;

const ASK_AGAIN_MS = 20;

/** What `check` returns once it no longer throws; what it throws if it still does after `PATIENCE_MS`. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: ASK_AGAIN_MS });
}
