// What venue B says when it refuses (venue-b.md §7): four shapes of bodies, of which all are to be understood, and gateways before
// it that say anything at all. A refusal is believed only if the venue's own words are in it. Pure.

import { isObject, textOf } from '../../../domain/json.ts';
import { limits } from '../../../limits.ts';
import { parseJsonBytes } from '../../venue-json.ts';

export interface VenueWords {
  /** Lower case; empty where the shape has none. */
  readonly code: string;
  readonly details: string;
  /** All that it says, for people; bounded. */
  readonly text: string;
}

/** Null: not in the words of the venue. */
export function venueWordsOf(body: Uint8Array): VenueWords | null {
  const parsed = parseJsonBytes(body);
  if (!isObject(parsed)) return null;
  const { error } = parsed;
  if (isObject(error)) return inWords(error.code, error.message, error.details);
  if (typeof error === 'string' && error !== '') return inWords('', error, undefined);
  if (typeof parsed.code === 'string') return inWords(parsed.code, parsed.message, parsed.details);
  return typeof parsed.msg === 'string' && parsed.msg !== '' ? inWords('', parsed.msg, undefined) : null;
}

/** In ours, of what is not in the venue's. */
export function unreadableAnswer(status: number): string {
  return `venue B answered HTTP ${status} and nothing that can be read`;
}

/** Printable, on one line, no longer than a log line may be. */
export function bounded(words: string): string {
  return words
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, limits.venueWordsMax);
}

function inWords(code: unknown, message: unknown, details: unknown): VenueWords | null {
  const [name, said, more] = [textOf(code), textOf(message), textOf(details)];
  if (name === '' && said === '') return null;
  const isCodeSaid = said === '' || said.toLowerCase().replaceAll(' ', '_') === name.toLowerCase();
  const first = isCodeSaid ? said || name : name === '' ? said : `${name}: ${said}`;
  return {
    code: name.toLowerCase(),
    details: more.toLowerCase(),
    text: bounded(more === '' ? first : `${first} (${more})`),
  };
}
