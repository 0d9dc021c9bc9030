// Books in shared memory against their naive twin: random grids, batches, snapshots, resets, regrids and states. One book alone, and many
// in one region whose ladders are taken and released.

import fc from 'fast-check';
import { describe, it } from 'vitest';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { BookObserver } from '../../support/book-observer.ts';
import { BookPair } from '../../support/book-pair.ts';
import { anyGridStep, bookLife, stepOn } from '../../support/book-steps.ts';

const region = regionOf(createArena(), 'venue_a');

describe('a book in shared memory', () => {
  it('equals its naive twin after each step', () => {
    const lives = anyGridStep.chain(step => fc.tuple(fc.constant(step), bookLife(step, 25)));
    fc.assert(
      fc.property(lives, ([step, life]) => {
        // The writer is new each time, as after a restart: the content of the memory from the last run must not matter.
        const pair = new BookPair(new BookWriter(region, () => {}), new BookObserver(region), step);
        for (const next of life) pair.run(next);
      }),
      { numRuns: 400 },
    );
  });
});

describe('many books in one region', () => {
  const SEATS = 6;
  const event = fc.oneof(
    { weight: 1, arbitrary: anyGridStep.map(step => ({ do: 'reopen' as const, step })) },
    {
      weight: 4,
      arbitrary: anyGridStep.chain(stepOn).map(step => ({ do: 'step' as const, step })),
    },
  );
  const events = fc.array(fc.tuple(fc.nat(SEATS - 1), event), { maxLength: 80 });

  it('never touch each other, though ids and ladders are used again', () => {
    fc.assert(
      fc.property(fc.array(anyGridStep, { minLength: SEATS, maxLength: SEATS }), events, (steps, happenings) => {
        const writer = new BookWriter(region, () => {});
        const observer = new BookObserver(region);
        const pairs = steps.map(step => new BookPair(writer, observer, step));
        for (const [seat, happening] of happenings) {
          if (happening.do === 'step') pairs[seat]!.run(happening.step);
          else {
            writer.releaseBook(pairs[seat]!.book);
            pairs[seat] = new BookPair(writer, observer, happening.step);
          }
        }
        for (const pair of pairs) pair.compare();
      }),
      { numRuns: 60 },
    );
  });
});
