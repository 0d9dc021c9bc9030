// The two-level bitmap against a sorted list of slots. A walk over torn memory, which a reader may meet during a write, ends.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect, nextAfter, occupy, vacate } from '../../../src/market-data/book/ladder.ts';
import { ladderCapacity, NO_SLOT, summaryWords } from '../../../src/market-data/book/layout.ts';

const BLOCK = 5;
const capacities = fc.constantFrom(1, 2, 5, 10, 100, 500, 2_500).map(ladderCapacity);

describe('a bitmap', () => {
  it('finds the levels of a sorted list', () => {
    const scenario = capacities.chain(capacity =>
      fc.tuple(
        fc.constant(capacity),
        fc.array(fc.nat(capacity - 1), { maxLength: 80 }),
        fc.integer({ min: 1, max: 20 }),
      ),
    );
    fc.assert(
      fc.property(scenario, ([capacity, toggles, count]) => {
        const words = BLOCK + summaryWords(capacity);
        const i32 = new Int32Array(words + capacity / 32);
        const occupied = new Set<number>();
        for (const slot of toggles) {
          const isGone = occupied.delete(slot);
          if (isGone) vacate(i32, BLOCK, words, slot);
          else occupied.add(slot) && occupy(i32, BLOCK, words, slot);
          const sorted = [...occupied].sort((a, b) => a - b);
          const slots = new Int32Array(count);
          const best = sorted[0] ?? NO_SLOT;
          const found = collect(i32, BLOCK, words, capacity, best, slots, count);
          expect([...slots.subarray(0, found)]).toEqual(sorted.slice(0, count));
          for (const from of [slot, 0, slot ^ 1]) {
            expect(nextAfter(i32, BLOCK, words, capacity, from)).toBe(sorted.find(other => other > from) ?? NO_SLOT);
          }
        }
      }),
    );
  });

  it('that is torn still lets its reader come to an end', () => {
    const words = fc.array(fc.constantFrom(0, 0, 1, -1, 1 << 31, 0x00ff_00ff), { minLength: 400, maxLength: 400 });
    fc.assert(
      fc.property(
        capacities,
        words,
        fc.nat(400),
        fc.integer({ min: -1, max: 10_100 }),
        (capacity, memory, from, best) => {
          const i32 = bounded(Int32Array.from(memory), 200_000);
          const slots = new Int32Array(20);
          expect(collect(i32, BLOCK, from, capacity, best, slots, 20)).toBeLessThanOrEqual(20);
          expect(nextAfter(i32, BLOCK, from, capacity, best)).toBeTypeOf('number');
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Returns the same memory with a limit on the number of reads, since a test cannot wait for a loop that never ends. */
function bounded(memory: Int32Array, readsMax: number): Int32Array {
  let reads = 0;
  return new Proxy(memory, {
    get(target, index) {
      reads += 1;
      if (reads > readsMax) throw new Error('reads without end');
      return target[Number(index)];
    },
  });
}
