// A doubled key is found at any depth, and nothing else is taken for one.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { doubledKey } from '../../src/wire/json-text.ts';

const values = fc.constantFrom('1', '"a:{\\""', '[]', '{"a":1,"b":[{"a":1}]}', '[":",{"a":1},{"a":1}]', 'null');
const entries = fc.array(
  fc.tuple(fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', '"', '\\', 'é') }), values),
);

it('is the first that an object has had before', () => {
  fc.assert(
    fc.property(entries, fc.boolean(), (all, isInner) => {
      const object = `{ ${all.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join(', ')} }`;
      const keys = all.map(([key]) => key);
      const expected = keys.find((key, index) => keys.indexOf(key) < index) ?? null;
      expect(doubledKey(isInner ? `[{"a":${object}}]` : object)).toBe(expected);
    }),
  );
});

it('is looked for however deep the text is', () => {
  const deep = 30_000;
  expect(doubledKey(`${'['.repeat(deep)}${']'.repeat(deep)}`)).toBeNull();
  expect(doubledKey(`${'{"a":'.repeat(deep)}{"b":1,"b":2}${'}'.repeat(deep)}`)).toBe('b');
});
