// Questions of politics, economics and prices that no other rule knows. Two are one where all of it is the same: the words, the threshold, the
// time of their end, and the one source of settlement that each states. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { VenueMarket } from '../../venues/discovery.ts';
import type { Outright, Rule } from './outright.ts';

/** Its end date is the stated one; it trades until its resolution. */
export const sameQuestionOfA: Rule = (_, market) =>
  market.kind === '' && market.line === null ? questionOf(market, market.occursAt) : null;

/** With a competition it is of sports. */
export const sameQuestionOfB: Rule = ({ competition }, market) =>
  competition === '' && agreesWithStrike(market) ? questionOf(market, market.closesAt) : null;

function questionOf({ title, label, source }: VenueMarket, endsAt: UnixMillis | null): Outright | null {
  if (source === undefined || endsAt === null) return null;
  const words = wordsOf(title);
  const asked = words?.join('-') ?? '';
  if (words?.[0] !== 'will' || asked.length > ID_CHARACTERS_MAX) return null;
  // A label that says more than the title makes another question of it.
  if (!(wordsOf(label)?.every(word => word === 'yes' || words.includes(word)) ?? false)) return null;
  const end = new Date(endsAt).toISOString();
  return {
    id: asked,
    name: title,
    competition: null,
    subject: { id: `${end}:${source}`, name: `by ${source}, ends ${end}` },
  };
}

const ID_CHARACTERS_MAX = 200;

/** Venue B's strike must be the one of the words. Strikes of other kinds are not read. */
function agreesWithStrike({ kind, line, title }: VenueMarket): boolean {
  if (kind === '' || kind === 'custom' || kind === 'structured') return line === null;
  const words = wordsOf(title) ?? [];
  return kind === comparisonOf(words.join(' ')) && line !== null && words.includes(plainNumber(line));
}

/** In venue B's words; null: none, or another. */
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
 * Lower-case words without marks, months by three letters, numbers without separators and zeros behind; `$`, `%`, `+` and a minus are words.
 * Null: it has letters or signs that are not read.
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
