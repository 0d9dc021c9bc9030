// The list and the map that are filled and emptied for each transaction of the history.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ScratchList, ScratchMap } from '../../../src/core/domain/scratch.ts';

/** More items than a list keeps memory for. */
const MANY = 1_100;

it('the list equals an array, however often and however full it is emptied', () => {
  const list = new ScratchList<number>();
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(20), fc.constant(MANY)), { maxLength: 4 }), fills => {
      for (const length of fills) {
        const twin = Array.from({ length }, (_, index) => length * 10_000 + index);
        for (const item of twin) list.push(item);
        expect(list.items.slice(0, list.length)).toEqual(twin);
        list.clear();
        expect([list.length, ...list.items].filter(it => it !== undefined)).toEqual([0]);
      }
    }),
    { numRuns: 50 },
  );
});

it('the map equals a map of JavaScript that is made anew, with few keys and with many', () => {
  const map = new ScratchMap<string, number>();
  // Twelve keys are compared one by one, and sixty have an index.
  const keys = fc.oneof(fc.nat(12), fc.nat(60)).map(it => `key ${it}`);
  fc.assert(
    fc.property(fc.array(fc.array(keys, { maxLength: 100 }), { maxLength: 4 }), works => {
      for (const work of works) {
        const twin = new Map<string, number>();
        for (const [value, key] of work.entries()) {
          expect(map.get(key)).toBe(twin.get(key));
          if (twin.has(key)) continue;
          map.add(key, value);
          twin.set(key, value);
        }
        expect(map.values.slice(0, map.size)).toEqual([...twin.values()]);
        for (const [key, value] of twin) expect(map.get(key)).toBe(value);
        map.clear();
        expect([map.size, ...work.map(key => map.get(key))]).toEqual([0, ...work.map(() => undefined)]);
      }
    }),
  );
});
