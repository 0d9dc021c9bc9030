// Text for people, without characters that a terminal or a page would interpret. Names from callers with such characters are refused; in
// text from venues, a space replaces each such character. Pure.

/**
 * The characters that are not plain: controls, half surrogate pairs, line breaks and direction marks. No later Unicode version changes
 * these classes.
 */
const CLASSES = '\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const PLAIN = new RegExp(`^[^${CLASSES}]*$`, 'u');
const RUNS = new RegExp(`[${CLASSES}\\s]+`, 'gu');
/** Every character that is not plain. */
export const NOT_PLAIN = new RegExp(`[${CLASSES}]`, 'gu');
const HALF_PAIR_AT_END = /[\ud800-\udbff]$/;

export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** Returns the text as one line with single spaces, at most `charactersMax` long. */
export function plainText(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const plain = text.replace(RUNS, ' ').trim();
  return plain.length <= charactersMax ? plain : plain.slice(0, charactersMax).replace(HALF_PAIR_AT_END, '');
}
