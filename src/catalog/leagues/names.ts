// Names as they are compared: `Félix Auger-Aliassime` and `Felix Auger Aliassime` are one. Pure.

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
/** As most names are: nothing is to be done but for the case, which takes a twentieth of the time. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/**
 * Lower-case ASCII words with a single space between them; empty of a text without any, or with letters of another script: what is left
 * without those may be another name.
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
