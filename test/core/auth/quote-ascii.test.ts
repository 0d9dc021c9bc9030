// A caller's bytes in a message of ours: printable, bounded, and recoverable.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoteAscii } from '../../../src/core/auth/check.ts';

it.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['two\nlines\t"quoted" \\', '"two\\nlines\\u0009\\"quoted\\" \\\\"'],
  ['\u007f Ž 🏀 \ud800', '"\\u007f \\u017d \\ud83c\\udfc0 \\ud800"'],
])('%j becomes %s', (text, quoted) => {
  expect(quoteAscii(text, 100)).toBe(quoted);
});

it('a long text is cut between characters, and shows that it is cut', () => {
  expect(quoteAscii('abcdef', 6)).toBe('"abcdef"');
  expect(quoteAscii('abcdefg', 6)).toBe('"abcdef" (the first 6 of 7 characters)');
  expect(quoteAscii('abŽde', 6)).toBe('"ab" (the first 2 of 5 characters)');
});

it('any text is printable ASCII within the bound, and JSON of itself as far as it goes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.integer({ min: 0, max: 200 }),
      (text, charactersMax) => {
        const quoted = quoteAscii(text, charactersMax);
        expect(quoted).toMatch(/^[\x20-\x7e]*$/);
        const end = quoted.lastIndexOf('"') + 1;
        expect(end).toBeLessThanOrEqual(charactersMax + 2);
        const back = JSON.parse(quoted.slice(0, end));
        if (end === quoted.length) expect(back).toBe(text);
        else expect(quoted.slice(end)).toBe(` (the first ${back.length} of ${text.length} characters)`);
        expect(text.startsWith(back)).toBe(true);
      },
    ),
  );
});
