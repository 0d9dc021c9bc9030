// Titles and names, which a venue could make as long as it likes and which are kept for a while. Pure.

import { textOf } from '../domain/json.ts';
import { plainText } from '../domain/plain-text.ts';
import { limits } from '../limits.ts';

/** Plain text; empty if it is none; what is too long is cut off. */
export function labelOf(value: unknown): string {
  return plainText(textOf(value), limits.marketTextCharactersMax);
}
