// Venue B's words in refusals (venue-b.md §7): four documented shapes of bodies, and arbitrary ones from gateways before it. A
// refusal counts only if it contains the venue's own words. Pure.

import { isObject, textOf } from '../../../domain/json.ts';
import { plainText } from '../../../domain/plain-text.ts';
import { limits } from '../../../limits.ts';
import type { OutboundAnswer } from '../../../net/outbound.ts';
import { parseJsonBytes } from '../../venue-json.ts';

export interface VenueWords {
  /** Lower case; empty if the shape has none. */
  readonly code: string;
  readonly details: string;
  /** Its whole text, for people; bounded. */
  readonly text: string;
}

/** Null: not in the venue's words. */
export function venueWordsOf(body: Uint8Array): VenueWords | null {
  return wordsIn(parseJsonBytes(body));
}

/** As `venueWordsOf`, for a body or an item of one. */
export function wordsIn(parsed: unknown): VenueWords | null {
  if (!isObject(parsed)) return null;
  const { error } = parsed;
  if (isObject(error)) return inWords(error.code, error.message, error.details);
  if (typeof error === 'string' && error !== '') return inWords('', error, undefined);
  if (typeof parsed.code === 'string') return inWords(parsed.code, parsed.message, parsed.details);
  return typeof parsed.msg === 'string' && parsed.msg !== '' ? inWords('', parsed.msg, undefined) : null;
}

/** For an answer without an outcome: a status of success may come with an error, and the venue's words are kept. */
export function unreadableAnswer({ status, body }: Pick<OutboundAnswer, 'status' | 'body'>): string {
  const words = venueWordsOf(body);
  return words === null
    ? `venue B answered HTTP ${status} and nothing that can be read`
    : bounded(`venue B answered HTTP ${status} with an error: ${words.text}`);
}

/** Printable, on one line, no longer than a log line may be. */
export function bounded(words: string): string {
  return plainText(words, limits.venueWordsMax);
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
