// The collections for entries that come and go equal Map and Set, and keep nothing of what was deleted.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChurningMap, ChurningSet } from '../../../src/core/domain/churn.ts';

const step = fc.record({ key: fc.integer({ min: 0, max: 40 }), isDelete: fc.boolean() });
/** Enough deletions that the inner Map is replaced several times. */
const steps = fc.array(step, { minLength: 600, maxLength: 1_200 });

it('the map equals a Map, also in the order of its entries', () => {
  fc.assert(
    fc.property(steps, all => {
      const [map, twin] = [new ChurningMap<number, number>(), new Map<number, number>()];
      for (const [value, { key, isDelete }] of all.entries()) {
        if (isDelete) expect(map.delete(key)).toBe(twin.delete(key));
        else {
          map.set(key, value);
          twin.set(key, value);
        }
        expect([map.size, map.get(key)]).toEqual([twin.size, twin.get(key)]);
      }
      expect([[...map], [...map.values()]]).toEqual([[...twin], [...twin.values()]]);
      map.clear();
      expect([map.size, [...map]]).toEqual([0, []]);
    }),
    { numRuns: 30 },
  );
});

it('the set equals a Set, also in the order of its items', () => {
  fc.assert(
    fc.property(steps, all => {
      const [set, twin] = [new ChurningSet<number>(), new Set<number>()];
      for (const { key, isDelete } of all) {
        if (isDelete) expect(set.delete(key)).toBe(twin.delete(key));
        else {
          set.add(key);
          twin.add(key);
        }
        expect(set.size).toBe(twin.size);
      }
      expect([...set]).toEqual([...twin]);
    }),
    { numRuns: 30 },
  );
});

const IN_FLIGHT = 32;
const ENTRIES = 20_000;
const ENTRY_BYTES = 1_000;

interface Entries {
  set(key: number, value: object): unknown;
  delete(key: number): boolean;
}

/** Returns the bytes that remain after collections of young garbage, when so many entries have come and gone. */
function bytesLeft(entries: Entries): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
  // Earlier garbage must not be collected within this measurement.
  collect();
  const makeEntry = (): object => ({ words: new Array(ENTRY_BYTES / 8).fill(0) });
  for (let key = 0; key < IN_FLIGHT; key++) entries.set(key, makeEntry());
  // Two collections move the table to the old generation.
  for (let round = 0; round < 3; round++) collect({ type: 'minor' });
  const before = getHeapStatistics().used_heap_size;
  for (let key = IN_FLIGHT; key < ENTRIES; key++) {
    entries.set(key, makeEntry());
    entries.delete(key - IN_FLIGHT);
    if (key % 5_000 === 0) collect({ type: 'minor' });
  }
  for (let round = 0; round < 3; round++) collect({ type: 'minor' });
  return getHeapStatistics().used_heap_size - before;
}

it('deleted entries are young garbage, which those of a Map are not', () => {
  expect(bytesLeft(new ChurningMap())).toBeLessThan((ENTRIES * ENTRY_BYTES) / 10);
  const set = new ChurningSet<object>();
  const items: object[] = [];
  const left = bytesLeft({
    set: (key, value) => {
      items[key % (2 * IN_FLIGHT)] = value;
      set.add(value);
    },
    delete: key => set.delete(items[key % (2 * IN_FLIGHT)]!),
  });
  expect(left).toBeLessThan((ENTRIES * ENTRY_BYTES) / 10);
  // The Map comes last: V8 then allocates such entries in the old generation from the start, because so many have survived.
  expect(bytesLeft(new Map())).toBeGreaterThan((ENTRIES * ENTRY_BYTES) / 2);
});
