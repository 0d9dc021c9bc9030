// Runs one suite in a fresh process, so that its heap and compiled code are its own, and sends the rows as one message.
// run.ts starts it.

import '../src/core/runtime/v8-flags.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

/** The request of run.ts: a suite's file, and whether to run it tiny. */
export interface SuiteRequest {
  readonly file: string;
  readonly smoke: boolean;
  readonly isLong: boolean;
  /** Run only if the suite can hold rows with this prefix. */
  readonly only: string;
  /** The number of fresh processes that were requested. */
  readonly runs: number;
}

export interface SuiteAnswer {
  readonly rows: readonly BenchRow[];
  /** The number of fresh processes that the suite is worth, including this process. */
  readonly runs: number;
}

// The processes of a suite end with the suite, and the suite ends with its runner, even if the runner is interrupted.
for (const end of ['disconnect', 'SIGTERM', 'SIGINT'] as const) process.once(end, () => process.exit(1));

process.once('message', async (request: SuiteRequest) => {
  const { suite } = (await import(request.file)) as { suite: BenchSuite };
  const names = suite.rowNames ?? [suite.name];
  const isWanted = names.some(name => name.startsWith(request.only) || request.only.startsWith(name));
  const rows: BenchRow[] = isWanted ? await suite.run({ smoke: request.smoke, isLong: request.isLong }) : [];
  const answer: SuiteAnswer = {
    rows: rows.filter(row => row.name.startsWith(request.only)),
    runs: isWanted ? Math.min(request.runs, suite.runsMax ?? request.runs) : 1,
  };
  process.send?.(answer, () => process.exit(0));
});
