// How a test waits for what happens in its own time: by asking again until it is so. The patience is one for all tests and
// generous, as it must only end a test that would never end: how long something takes is for bench/ to say. (`expect.poll`,
// for a single value, has the same patience from vitest.config.ts.)

import { vi } from 'vitest';

export const PATIENCE_MS = 60_000;

const ASK_AGAIN_MS = 20;

/** What `check` returns once it no longer throws; what it throws if it still does after `PATIENCE_MS`. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: ASK_AGAIN_MS });
}
