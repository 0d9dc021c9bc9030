// What Node's parseArgs says of a mistake, in its first sentence: the advice after it is on positionals that begin with a dash,
// which nothing here takes. Any thread.

import { wordsOf } from '../domain/error-words.ts';

export function optionWords(error: unknown): string {
  const words = wordsOf(error);
  return words.replace(/\. To specify a positional .*$/s, '');
}
