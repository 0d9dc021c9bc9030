// Words of a text as the search has them: runs of letters and digits, lower case, without accents. The same of what is searched for
// and of what is found. Pure.

const SEPARATORS = /[^\p{L}\p{N}]+/u;
const ACCENTS = /\p{M}+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/** A part of a search between blanks. */
export interface SearchTerm {
  /** It may be the beginning of an id, which is a word with hyphens in it. */
  readonly whole: string;
  /** What it is looked up by if it is none. */
  readonly words: readonly string[];
}

export function wordsOf(text: string): readonly string[] {
  return plain(text)
    .split(SEPARATORS)
    .filter(word => word !== '');
}

/** Those with a word. */
export function termsOf(text: string): readonly SearchTerm[] {
  const terms = plain(text)
    .split(/\s+/)
    .map(whole => ({ whole, words: wordsOf(whole) }));
  return terms.filter(({ words }) => words.length > 0);
}

function plain(text: string): string {
  // Most texts are plain already, and need a tenth of the time.
  return (ASCII.test(text) ? text : text.normalize('NFKD').replace(ACCENTS, '')).toLowerCase();
}
