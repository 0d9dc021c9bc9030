// Comparison of names: plain ones take a short path, which gives the result of the long one.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalized, slugOf } from '../../src/catalog/leagues/names.ts';

it.each([
  ['Los Angeles L', 'los angeles l'],
  ['  Félix  Auger-Aliassime ', 'felix auger aliassime'],
  ['St. Louis', 'st louis'],
  ['Brighton & Hove', 'brighton and hove'],
  ['N’Golo Kanté', 'ngolo kante'],
  ['Bodø/Glimt', 'bodo glimt'],
  ['76ers', '76ers'],
  ['', ''],
  ['Динамо', ''],
])('%j is compared as %j', (text, expected) => {
  expect(normalized(text)).toBe(expected);
});

it('a plain name has the same result with a space before it', () => {
  const words = fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,6}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, named => {
      const text = named.join(' ');
      expect(normalized(text)).toBe(normalized(` ${text}`));
    }),
  );
});

it('as a part of an id has no spaces', () => {
  expect(slugOf('Los Angeles L')).toBe('los-angeles-l');
});
