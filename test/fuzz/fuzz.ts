// The harness of the fuzz targets: inputs from a seed, and a check that throws where something is wrong. `npm test` takes a few inputs from
// a fixed seed. `npm run fuzz` (run.ts) takes as many as fit its time, from a seed of its own, which it prints.

import fc from 'fast-check';
import { it } from 'vitest';

/** The seconds for each target; not set in `npm test`. */
const SECONDS = process.env.FUZZ_SECONDS === undefined ? null : Number(process.env.FUZZ_SECONDS);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** A check that takes longer hangs: no check waits longer than a hundredth of this time. */
const HANG_MS = 30_000;
/** The time to shrink a failing input, and to start and stop the parts that a target needs. */
const SPARE_MS = 60_000;

interface Target<Input> {
  /** The name that `--only` selects. */
  readonly name: string;
  readonly inputs: fc.Arbitrary<Input>;
  /** The number of inputs in `npm test`. */
  readonly runs: number;
  readonly check: (input: Input) => void | Promise<void>;
}

/** Adds a test for a target. A failure prints the smallest input that fails, and the command that repeats it. */
export function fuzz<Input>({ name, inputs, runs, check }: Target<Input>): void {
  const budget = SECONDS === null ? { numRuns: runs } : { numRuns: Number.MAX_SAFE_INTEGER, ...timeLimit(SECONDS) };
  it(
    name,
    async () => {
      const startedAt = performance.now();
      // This is processor time, so that it shows inputs that cost far more than others, but not inputs that wait for the machine.
      let slowestMs = 0;
      const property = fc.asyncProperty(inputs, async input => {
        const before = process.cpuUsage();
        await check(input);
        const { user, system } = process.cpuUsage(before);
        slowestMs = Math.max(slowestMs, Math.round((user + system) / 1_000));
      });
      const details = await fc.check(property, { seed: SEED, timeout: HANG_MS, ...budget });
      if (details.failed) {
        const again = `npm run fuzz -- --only '${name}' --seed ${SEED}`;
        throw new Error(`${await fc.asyncDefaultReportMessage(details)}\nagain: ${again}`, {
          cause: details.errorInstance,
        });
      }
      if (SECONDS !== null) {
        const tookS = Math.round((performance.now() - startedAt) / 1_000);
        console.log(`${name}: ${details.numRuns} inputs in ${tookS} s, the slowest ${slowestMs} ms, --seed ${SEED}`);
      }
    },
    (SECONDS ?? 0) * 1_000 + SPARE_MS,
  );
}

function timeLimit(seconds: number): fc.Parameters<unknown> {
  return { interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false };
}
