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

/** Lower-case ASCII words with a single space between them; empty of a text that has none. */
export function normalized(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[øłđðþßæœı]/g, letter => LETTERS[letter]!)
    .replace(/&/g, ' and ')
    .replace(/[\p{M}'’.]/gu, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** As a part of an id. */
export function slugOf(text: string): string {
  return normalized(text).replaceAll(' ', '-');
}
