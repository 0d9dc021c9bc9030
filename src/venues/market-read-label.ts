// Titles and names. Venues could make them arbitrarily long, and we keep them for a while, so they are bounded. Pure.

import { textOf } from '../domain/json.ts';
import { plainText } from '../domain/plain-text.ts';
import { limits } from '../limits.ts';

/** Plain text, cut to its bound; empty if it is not plain text. */
export function labelOf(value: unknown): string {
  return plainText(textOf(value), limits.marketTextCharactersMax);
}
