// Why a game that one venue lists has no twin. Names the other venue's similar games, each with the evidence against it, and the listings
// that may be the game and could not be read. For operators; the matching itself is in pair-games.ts. Pure.

import { normalized } from '../leagues/names.ts';
import { type Game, sideNamed, type UnreadGame } from './game.ts';
import { daysApart, objectionTo } from './pair-evidence.ts';

export interface NearMiss {
  /** Name of the game or listing at its venue. */
  readonly key: string;
  readonly what: string;
  readonly why: string;
}

/** A game that was moved further is another one to any reader. */
const DAYS_APART_MAX = 7;

/**
 * `twinOf`: the id of the event that a game of the other venue belongs to with a twin of its own; null: it has none. Nearest first.
 */
export function nearMisses(
  game: Game,
  others: readonly Game[],
  unread: readonly UnreadGame[],
  twinOf: (game: Game) => string | null,
): readonly NearMiss[] {
  const similar = others.filter(other => isSimilar(game, other));
  const inOrder = similar.toSorted((one, another) => daysApart(game, one) - daysApart(game, another));
  return [
    ...inOrder.map(other => ({ key: other.key, what: wordsOf(other), why: whyNot(game, other, similar, twinOf) })),
    ...unread
      .filter(it => mayBe(game, it))
      .map(({ events, why }) => {
        const [{ venue, eventId, title }] = events as [UnreadGame['events'][number]];
        return { key: `${venue} ${eventId}`, what: title, why: `could not be read: ${why}` };
      }),
  ];
}

/** Games are similar with both opponents within a week, or one of them on the same day. */
function isSimilar(game: Game, other: Game): boolean {
  if (game.competition.sport.id !== other.competition.sport.id) return false;
  const shared = other.opponents.filter(({ name }) => sideNamed(game, name) !== null).length;
  const days = daysApart(game, other);
  return shared === 2 ? days <= DAYS_APART_MAX : shared === 1 && days === 0;
}

function whyNot(game: Game, other: Game, similar: readonly Game[], twinOf: (game: Game) => string | null): string {
  if (other.competition !== game.competition) return `is in ${other.competition.id}, not in ${game.competition.id}`;
  const strangers = other.opponents.filter(({ name }) => sideNamed(game, name) === null);
  if (strangers.length > 0) return `${strangers.map(({ name }) => name).join(' and ')} does not play in this game`;
  const isAnotherDay = other.date !== game.date && !game.competition.daysMayDiffer;
  if (isAnotherDay) return `is listed for ${other.date}, not for ${game.date}`;
  const [a, b] = game.key.startsWith('venue_a') ? [game, other] : [other, game];
  const objection = objectionTo(a, b);
  if (objection !== null) return objection;
  const twin = twinOf(other);
  if (twin !== null) return `is one with another listing already, as ${twin}`;
  const days = [game.date, other.date];
  const rivals = similar.filter(it => it !== other && days.includes(it.date) && it.competition === game.competition);
  return rivals.length > 0
    ? 'could be meant, and so could another game of that day'
    : 'has another twin in the stored ids';
}

/** Listings of that day that name an opponent. */
function mayBe({ date, opponents }: Game, { date: listed, events }: UnreadGame): boolean {
  if (date !== listed) return false;
  const texts = events.map(({ title, subTitle }) => normalized(`${title} ${subTitle}`));
  return opponents.some(({ name }) => {
    const word = normalized(name).split(' ').at(-1) ?? '';
    return word !== '' && texts.some(text => text.split(' ').includes(word));
  });
}

function wordsOf({ opponents, date, competition }: Game): string {
  return `${opponents.map(({ name }) => name).join(' and ')}, ${competition.id}, ${date}`;
}
