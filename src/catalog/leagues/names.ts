// Names in the form in which they are compared: `Félix Auger-Aliassime` and `Felix Auger Aliassime` are equal. Pure.

/** Letters that are not a base letter with a mark. */
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

const OTHER_LETTER = /[^a-z0-9 ]/;
/** Most names need only lower case; this check saves 95 % of the time. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/**
 * Lower-case ASCII words with single spaces. Empty for a text without words, or with letters of another script: the rest of it may be
 * another name.
 */
export function normalized(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[øłđðþßæœı]/g, letter => LETTERS[letter]!)
    .replace(/&/g, ' and ')
    .replace(/[\p{M}'’.]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return OTHER_LETTER.test(plain) ? '' : plain;
}

/** As a part of an id. */
export function slugOf(text: string): string {
  return normalized(text).replaceAll(' ', '-');
}
