// The map behind every table of the engine that a venue fills: it holds the newest entries, up to its bound.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedMap } from '../../../src/core/domain/bounded-map.ts';
import { limits } from '../../../src/limits.ts';

const ENTRIES_MAX = 4;

it('the map forgets its oldest entry rather than grow beyond its bound', () => {
  const map = new BoundedMap<string, number>(3);
  for (const [number, key] of ['a', 'b', 'c', 'a', 'd'].entries()) map.set(key, number);
  // The key `a` was written again and kept its age.
  expect([...'abcd'].map(key => map.get(key))).toEqual([undefined, 1, 2, 4]);
  expect(map.size).toBe(3);
});

it.each(['orphanFillsMax', 'earlySettlementsMax', 'strangeOrdersMax'] as const)('the map holds %s entries', name => {
  const map = new BoundedMap<number, true>(limits[name]);
  for (let key = 0; key <= limits[name]; key++) map.set(key, true);
  expect([map.size, map.get(0), map.get(1)]).toEqual([limits[name], undefined, true]);
});

it('the map equals a list of entries of which the first is dropped', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 7 }), isDelete: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const map = new BoundedMap<number, number>(ENTRIES_MAX);
      let twin: { readonly key: number; value: number }[] = [];
      for (const [value, { key, isDelete }] of steps.entries()) {
        const known = twin.find(it => it.key === key);
        if (isDelete) {
          expect(map.delete(key)).toBe(known !== undefined);
          twin = twin.filter(it => it !== known);
        } else {
          map.set(key, value);
          if (known === undefined) twin = [...twin, { key, value }].slice(-ENTRIES_MAX);
          else known.value = value;
        }
        expect([...map.values()]).toEqual(twin.map(it => it.value));
      }
    }),
  );
});
