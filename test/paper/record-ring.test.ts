// What an exchange remembers of its past: the end of a list.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecordRing } from '../../src/paper/record-ring.ts';

it('is the end of a list, backwards', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer(), { maxLength: 40 }), (max, items) => {
      const ring = new RecordRing<number>(max);
      const gone = items.map(item => ring.push(item)).filter(item => item !== undefined);
      expect([...ring.newestFirst()]).toEqual(items.slice(-max).reverse());
      expect(gone).toEqual(items.slice(0, Math.max(items.length - max, 0)));
    }),
  );
});
