// Questions of politics, economics and prices that no other rule knows. Two are one where four things are the same: words, threshold, end, and
// the one source of settlement that each venue states. Pure.

import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { isYesNo } from './game.ts';
import type { Rule } from './outright.ts';

/** The facts that must be equal. */
export interface Question {
  /** The words: `will-cpi-rise-more-than-0.3-percent-in-nov-2026`. */
  readonly asked: string;
  readonly end: string;
  readonly source: string;
}

export const sameQuestion: Rule = (event, market) => {
  const read = readQuestion(event, market);
  if (!read.ok) return null;
  const { asked, end, source } = read.value;
  const subject = { id: `${end}:${source}`, name: `by ${source}, ends ${end}` };
  return { id: asked, name: market.title, competition: null, subject, keepsVenueId: true };
};

/** The error says why both venues could not ask the question. */
export function readQuestion(event: VenueEvent, market: VenueMarket): Result<Question, string> {
  const { title, label, kind, line, source } = market;
  const isOfA = event.venue === 'venue_a';
  if (isOfA && !isYesNo(market)) return fail('its outcomes are not Yes and No');
  // A listing of venue B with a competition belongs to sports.
  if (isOfA ? kind !== '' || line !== null : event.competition !== '') return fail('it is of sports');
  if (source === undefined) return fail('it states no source of settlement, or several');
  // Venue A trades until the resolution: its end date is the stated one.
  const endsAt = isOfA ? market.occursAt : market.closesAt;
  if (endsAt === null) return fail('it states no end');
  const words = wordsOf(title);
  if (words === null) return fail('its title has letters or signs that are not read');
  const asked = words.join('-');
  if (words[0] !== 'will' || asked.length > ID_CHARACTERS_MAX)
    return fail('its title does not begin with Will, or is long');
  const text = words.join(' ');
  if (SUPERLATIVE.test(text) && comparisonOf(text) === null)
    return fail('it could end in a tie, which venues settle differently');
  // Such a label makes another question of it.
  const isSaid = wordsOf(label)?.every(word => word === 'yes' || words.includes(word)) ?? false;
  if (!isSaid) return fail('its label says more than its title');
  if (!isOfA && !agreesWithStrike(market))
    return fail('its strike is not that of its title, or of a kind that is not read');
  return ok({ asked, end: new Date(endsAt).toISOString(), source });
}

const ID_CHARACTERS_MAX = 200;

/** Without a threshold several may be the most or the best: one venue shares the payout, another breaks the tie. The rules are not read. */
const SUPERLATIVE =
  /(?<!\bat )\b(?:most|least)\b|\b(?:best|worst|top|first|last|leading|greatest|fewest|highest|lowest|largest|biggest|smallest|furthest|farthest|longest|shortest|fastest)\b/;

/** Venue B's strike must be the one of the words. Strikes of other kinds are not read. */
function agreesWithStrike({ kind, line, title }: VenueMarket): boolean {
  if (kind === '' || kind === 'custom' || kind === 'structured') return line === null;
  const words = wordsOf(title) ?? [];
  return kind === comparisonOf(words.join(' ')) && line !== null && words.includes(plainNumber(line));
}

/** The comparison in venue B's words; null if there is none, or another. */
function comparisonOf(text: string): 'greater' | 'greater_or_equal' | null {
  if (/\b(below|under|less|lower|fewer|at most|between|exactly|not)\b/.test(text)) return null;
  if (/\bat least\b|\bor (above|more|higher|greater|over)\b/.test(text)) return 'greater_or_equal';
  return /\b(above|over|more than|greater than|higher than|exceeds?)\b/.test(text) ? 'greater' : null;
}

const MONTHS = 'january|february|march|april|june|july|august|september|october|november|december';
const MONTH = new RegExp(`\\b(${MONTHS})\\b`, 'g');
/** Letters of other scripts, and signs that could change the sense. */
const UNREAD = /[^a-z0-9 .,?!'":;()/$%+-]/;

/**
 * Lower-case words without marks, months by three letters, numbers without separators and trailing zeros; `$`, `%`, `+` and a minus are
 * words. Null if the text has letters or signs that are not read.
 */
function wordsOf(text: string): readonly string[] | null {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .toLowerCase();
  if (UNREAD.test(plain)) return null;
  return plain
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/(?<![a-z0-9])-(?=[$.]?\d)/g, ' minus ')
    .replace(/(?<=\d)-(?=[$.]?\d)/g, ' to ')
    .replace(/(?<!\d)\.(?=\d)/g, ' 0.')
    .replace(/\.(?!\d)|'/g, '')
    .replace(/\$/g, ' usd ')
    .replace(/%/g, ' percent ')
    .replace(/\+/g, ' plus ')
    .replace(MONTH, month => month.slice(0, 3))
    .split(/[^a-z0-9.]+/)
    .filter(word => word !== '')
    .map(plainNumber);
}

function plainNumber(word: string): string {
  return /^\d+\.\d+$/.test(word) ? word.replace(/\.?0+$/, '') : word;
}
