// Titles and names, which a venue could make as long as it likes and which are kept for a while. Pure.

import { textOf } from '../domain/json.ts';
import { limits } from '../limits.ts';

/** Empty if it is no text; what is too long is cut off. */
export function labelOf(value: unknown): string {
  return textOf(value).slice(0, limits.marketTextCharactersMax);
}
