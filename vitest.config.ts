// The test runner's settings: files run in child processes (native addons and worker threads dislike vitest's own worker
// threads), in an order that does not matter.
import { defineConfig } from 'vitest/config';
import { START_FLAGS } from './test/support/child-process.ts';
import { nameMissingPackages } from './test/support/debian-packages.ts';
import { PATIENCE_MS } from './test/support/eventually.ts';

/**
 * Files that start threads and processes and kill them, whose hot loops are to be compiled for themselves, or that make many arenas, have a
 * process each: to free arenas means to go through the whole heap.
 */
const alone = [
  'test/{faults,sim,stress}/**/*.test.ts',
  'test/cli/{backup,crossbook,paper,stop,store}.test.ts',
  'test/checks/{check-pool,hanging-check-worker}.test.ts',
  'test/{guard/guard,history/history-link,runtime/lasting-thread,trading/{trading,replicated}}.test.ts',
  'test/bench/smoke.test.ts',
  'test/deploy/{metrics,service}.test.ts',
  'test/docs/readme.test.ts',
  'test/{doctor,first-start,installed}.test.ts',
  'test/fuzz/{captures,gateway}.test.ts',
  'test/page/{browser,link}.test.ts',
  'test/paper/engine/properties*.test.ts',
  'test/regression/0122-*.test.ts',
  'test/regression/013[2345]-*.test.ts',
  'test/regression/015[12]-*.test.ts',
  'test/regression/30{19,21}-*.test.ts',
  'test/journal/replicated-log.test.ts',
  'test/soak/{soak,take-over}.test.ts',
  'test/rehearsal/*.test.ts',
];

/** Files that start a gateway in their process. */
const gateways = ['test/e2e/**/*.test.ts'];

nameMissingPackages();

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than CI has cores: gateways wait for time-outs and recordings, during which another file gets on.
    maxWorkers: 3,
    // As `npm start` runs them: nothing is transformed before it can be imported, hot loops are as fast as they are, and every file
    // and thread that a test starts finds the types of its sources stripped.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: START_FLAGS,
    testTimeout: 2 * PATIENCE_MS,
    hookTimeout: 2 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    setupFiles: ['test/support/before-each-file.ts'],
    // Snapshots are not used.
    passWithNoTests: false,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // To start a process and to import and compile the same modules again takes longer than most of the other files' tests.
      { extends: true, test: { name: 'gateways', include: gateways, isolate: false } },
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...alone, ...gateways], isolate: false },
      },
    ],
  },
});
