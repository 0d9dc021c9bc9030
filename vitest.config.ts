// The test runner's settings: files run in child processes (native addons and worker threads dislike vitest's own
// worker threads), two at a time, in an order that does not matter.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Fuzz and property tests print their seed on failure; snapshots are not used.
    passWithNoTests: false,
  },
});
