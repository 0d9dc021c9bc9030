// Runs before every test file. Property tests draw the same values in every run; `PROPERTY_SEED=N npx vitest run PATH` draws others. A
// failure prints the seed and the path to its smallest case. The runner evaluates this file anew for each test file, but evaluates the
// files that this file imports only once.

import fc from 'fast-check';
import { afterAll } from 'vitest';
import { unknownWords } from '../../src/core/metrics/unknown-words.ts';
import { playedTimers } from '../../src/core/runtime/played-clock.ts';
import { collectArenas } from './collect-arenas.ts';
import type { Measured } from './file-times.ts';
import { processorMsSinceLastCall } from './processor-time.ts';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
collectArenas();
// Test files share a process, and with it the count of words that no reader knows.
unknownWords.forget();
if (playedTimers !== null) {
  throw new Error(
    'a file before this has set the clock of a backtest: vitest.config.ts must list that file under `alone`',
  );
}

if (process.env.TEST_TIMES !== undefined) {
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the first parameter which fixtures the hook wants.
  afterAll(({}, { file }) => {
    Object.assign(file.meta, { processorMs: processorMsSinceLastCall() } satisfies Measured);
  });
}
