// The part of a game that a market is about, by its words. Pure.

import type { Period } from './game.ts';

const FIRST_HALF = '1h|h1|(?:1st|first)[ -]half|half[ -](?:1|one)';
const IS_FIRST_HALF = new RegExp(`^(?:${FIRST_HALF})$`, 'i');
const HAS_FIRST_HALF = new RegExp(`\\b(?:${FIRST_HALF})\\b`, 'i');
/** Matches any part of a game, also a part that is not read. */
const HAS_PART =
  /\b(?:\d(?:st|nd|rd|th)?[hqp]|[hqp]\d|f\d|halves|half(?:time)?|quarters?|periods?|innings?|(?:set|map|round) \d|(?:1st|first) (?:set|map|round)|ot|overtime|extra time|regulation)\b/i;

/** The part if the words name nothing but a part of the game, or the game. Null for another part, or other words. */
export function periodNamed(words: string): Period | null {
  if (/^(?:game|match)$/i.test(words)) return 'game';
  return IS_FIRST_HALF.test(words) ? 'first-half' : null;
}

/** The part that the text mentions; without such a mention the whole game. Null for another part. */
export function periodMentioned(text: string): Period | null {
  const rest = text.replace(HAS_FIRST_HALF, '');
  if (HAS_PART.test(rest)) return null;
  return rest === text ? 'game' : 'first-half';
}
