// The matching engine against its naive twin: equal answers, events, accounts, holdings and books after every step. Long runs find rare
// cases; fast-check shrinks what it finds.

import fc from 'fast-check';
import { describe, it } from 'vitest';
import { ExchangePair, roll, type StageName, stage } from '../../support/exchange-run.ts';
import { OPERATIONS } from './operations.ts';

/** The number of operations in the long runs. Each operation is slow, because the twin searches, sorts and sums for every answer. */
const OPERATIONS_OF_TWIN = OPERATIONS / 10;
const RUNS: readonly [StageName, seed: number][] = [
  ['usual', 101],
  ['poor', 102],
  ['huge', 103],
  ['usual', 104],
  ['poor', 105],
  ['usual', 106],
];

describe('the matching engine and its naive twin', () => {
  it.each(RUNS)('are the same in a long run (%s, seed %i)', (name, seed) => {
    const pair = new ExchangePair(stage(name));
    roll(seed, OPERATIONS_OF_TWIN / RUNS.length, step => pair.step(step));
  });

  it('are the same in many short runs', () => {
    const anyStage = fc.constantFrom<StageName>('usual', 'poor', 'huge');
    // A step is an opaque number. A smaller number is not a simpler step, so only the number of steps shrinks.
    const anySteps = fc.array(fc.noShrink(fc.nat(0xffff_ffff)), { maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(anyStage, anySteps, (name, steps) => {
        const pair = new ExchangePair(stage(name));
        for (const step of steps) pair.step(step);
      }),
      { numRuns: OPERATIONS / 2_000 },
    );
  });
});
