// Words as numbers against plain strings, for any texts and ids in any order. Each word is there once, in the order of its bytes, with its markets.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Vocabulary, wordsOf } from '../../src/catalog/vocabulary.ts';

interface Said {
  readonly texts: readonly string[];
  readonly ids: readonly string[];
}

const letters = fc.constantFrom(
  'a',
  'B',
  'z',
  '7',
  '-',
  ' ',
  '.',
  '_',
  '\n',
  'é',
  'ß',
  'İ',
  'ﬁ',
  '\u{f9ff}',
  '\u{20bb7}',
  '\ud83c',
);
const text = fc.oneof(fc.string({ unit: letters, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 8 }));
const id = fc.string({ unit: fc.constantFrom('K', 'x', '-', ':', '0', 'É'), minLength: 1, maxLength: 6 });
const said: fc.Arbitrary<Said> = fc.record({
  texts: fc.array(text, { maxLength: 4 }),
  ids: fc.array(id, { maxLength: 3 }),
});

/** Returns the words in the order of their bytes. */
function plainIndex(markets: readonly Said[]): readonly (readonly [word: string, markets: readonly number[]])[] {
  const found = new Map<string, Set<number>>();
  for (const [place, { texts, ids }] of markets.entries()) {
    for (const word of [...[...texts, ...ids].flatMap(wordsOf), ...ids.map(it => it.toLowerCase())]) {
      found.set(word, (found.get(word) ?? new Set()).add(place));
    }
  }
  return [...found]
    .map(([word, places]) => [word, [...places]] as const)
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

it('has the words of plain strings, catalog after catalog', () => {
  fc.assert(
    fc.property(fc.array(fc.array(said, { maxLength: 8 }), { maxLength: 4 }), catalogs => {
      const vocabulary = new Vocabulary(catalogs.length);
      const known: { readonly said: Said; readonly list: number }[] = [];
      for (const fresh of catalogs) {
        known.push(...fresh.map(it => ({ said: it, list: vocabulary.listOf(it.texts, it.ids) })));
        // Every second one of the earlier markets is gone.
        const shown = known.filter((_, place) => place % 2 === 0 || place >= known.length - fresh.length);
        const { wordTexts, wordStart, firstPosting, postings } = vocabulary.index(shown.map(({ list }) => list));
        const words = Array.from({ length: wordStart.length - 1 }, (_, word) => [
          Buffer.from(wordTexts.subarray(wordStart[word], wordStart[word + 1])).toString(),
          [...postings.subarray(firstPosting[word], firstPosting[word + 1])],
        ]);
        expect(words).toEqual(plainIndex(shown.map(it => it.said)));
      }
    }),
    { numRuns: 200 },
  );
});

it('knows a word again when there are many', () => {
  const vocabulary = new Vocabulary(0);
  const markets = Array.from({ length: 5_000 }, (_, market) => `word${market} word${market % 50}`);
  const lists = markets.map(it => vocabulary.listOf([it], []));
  const { firstPosting, postings } = vocabulary.index(lists);
  expect([firstPosting.length - 1, postings.length]).toEqual([5_000, 2 * 5_000 - 50]);
});
