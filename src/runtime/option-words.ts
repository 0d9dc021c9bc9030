// The first sentence of a parseArgs error. Node's advice after it concerns positionals that begin with a dash, which no command
// here takes. Any thread.

import { wordsOf } from '../domain/error-words.ts';

export function optionWords(error: unknown): string {
  const words = wordsOf(error);
  return words.replace(/\. To specify a positional .*$/s, '');
}
