// Text that people read, without what a terminal or a page obeys instead of showing. One rule: in names that callers give it
// is refused, in what venues write it becomes a space. Pure.

/** Controls, half surrogate pairs, line breaks, and marks of direction. Only classes that no later Unicode changes. */
const CLASSES = '\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const PLAIN = new RegExp(`^[^${CLASSES}]*$`, 'u');
const RUNS = new RegExp(`[${CLASSES}\\s]+`, 'gu');
/** Every character that is not plain. */
export const NOT_PLAIN = new RegExp(`[${CLASSES}]`, 'gu');
const HALF_PAIR_AT_END = /[\ud800-\udbff]$/;

export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** On one line, with single spaces, and at most `charactersMax` long. */
export function plainText(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const plain = text.replace(RUNS, ' ').trim();
  return plain.length <= charactersMax ? plain : plain.slice(0, charactersMax).replace(HALF_PAIR_AT_END, '');
}
