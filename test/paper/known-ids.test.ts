// Ids that were used, against a plain set.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownIds } from '../../src/paper/known-ids.ts';

describe('known ids', () => {
  it('have the ids that were added, in any form', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 200 }), fc.string(), (ids, other) => {
        const known = new KnownIds(1_000);
        const plain = new Set<string>();
        for (const id of ids) {
          expect(known.has(id)).toBe(plain.has(id));
          known.add(id);
          plain.add(id);
        }
        expect(ids.every(id => known.has(id))).toBe(true);
        expect(known.has(other)).toBe(plain.has(other));
      }),
    );
  });

  it('are distinct from a million others: UUIDs, hashes and numbers', () => {
    const forms = [
      (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
      (number: number) => `0x${number.toString(16).padStart(64, '0')}`,
      (number: number) => String(number),
    ];
    const [added, asked] = [100_000, 300_000];
    for (const idOf of forms) {
      const known = new KnownIds(2 * added + 2);
      for (let number = 0; number < added; number += 1) known.add(idOf(number));
      let found = 0;
      for (let number = 0; number < added; number += 1) found += Number(known.has(idOf(number)));
      for (let number = added; number < asked; number += 1) found += Number(known.has(idOf(number)));
      expect(found).toBe(added);
    }
  });

  it('are kept up to half the bound at least, the oldest forgotten first', () => {
    const known = new KnownIds(1_000);
    for (let number = 0; number < 1_000; number += 1) known.add(String(number));
    expect(['0', '499', '500', '999', 'x'].map(id => known.has(id))).toEqual([false, false, true, true, false]);
  });

  it('that are added again take no room', () => {
    const known = new KnownIds(4);
    known.add('first');
    for (let time = 0; time < 10; time += 1) known.add('second');
    // The second of two makes a generation full: both are the old one now.
    expect(['first', 'second'].map(id => known.has(id))).toEqual([true, true]);
  });
});
