// Words for the search: runs of letters and digits, lower case, without accents. `Bodø` is `bodo`. Queries and markets use the same words. Pure.

const SEPARATORS = /[^\p{L}\p{N}]+/u;
const ACCENTS = /\p{M}+/gu;
/** Letters that are not a base letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};
const ASCII = /^[\x20-\x7e]*$/;

/** One part of a query between spaces. */
export interface SearchTerm {
  /** The term as a whole, which may begin an id: an id is a word with hyphens. */
  readonly whole: string;
  /** The words of the term, if it begins no id. */
  readonly words: readonly string[];
}

export function wordsOf(text: string): readonly string[] {
  return plain(text)
    .split(SEPARATORS)
    .filter(word => word !== '');
}

/** Parts with at least one word. */
export function termsOf(text: string): readonly SearchTerm[] {
  const terms = plain(text)
    .split(/\s+/)
    .map(whole => ({ whole, words: wordsOf(whole) }));
  return terms.filter(({ words }) => words.length > 0);
}

/** `text` is in lower case. */
export function withBaseLetters(text: string): string {
  return text.replace(/[øłđðþßæœı]/g, letter => LETTERS[letter]!);
}

function plain(text: string): string {
  // Most texts are plain ASCII, and take a tenth of the time.
  if (ASCII.test(text)) return text.toLowerCase();
  return withBaseLetters(text.normalize('NFKD').replace(ACCENTS, '').toLowerCase());
}
