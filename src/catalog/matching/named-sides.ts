// Finds which two sides a game's listings at venue B name, in a competition without a complete list of teams. Titles may give a player's
// surname only; squads and fighters are known by their whole names. Pure.

import type { Competition } from '../leagues/competition.ts';
import { normalized } from '../leagues/names.ts';
import { namedOpponent, type Opponent, opponentsOf } from './game.ts';
import type { TitledPair } from './game-title.ts';
import type { NamedTeams } from './named-teams.ts';

/** `labels`: whole names of those who may win. Text: the reason why the players are unknown. */
export function playersNamed(
  competition: Competition,
  titles: readonly TitledPair[],
  labels: readonly string[],
): NamedTeams | string {
  const known = labels.map(label => namedOpponent(competition, label, true));
  const hasName = ({ id }: Opponent, name: string): boolean => {
    const short = namedOpponent(competition, name, false).id;
    return id === short || id.endsWith(`-${short}`);
  };
  const isCalled = (name: string): boolean => known.some(it => hasName(it, name));
  /** The full name for a surname, if known. */
  const wholeName = (name: string): Opponent => {
    const [first, ...more] = known.filter(it => hasName(it, name));
    const isOne = first !== undefined && more.every(({ id }) => id === first.id);
    return isOne ? first : namedOpponent(competition, name, false);
  };
  // No market has the name of a title part that is no name.
  const names = titles.find(({ first, second }) => isCalled(first) && isCalled(second)) ?? titles[0];
  if (names === undefined) return 'no title names two players';
  return sidesBetween(wholeName(names.first), wholeName(names.second));
}

/** `winners`: names of the two who may win. A title has the same two, each by the whole name or by a part of it. */
export function sidesByWholeNames(
  competition: Competition,
  titles: readonly TitledPair[],
  winners: readonly (readonly [string, string])[],
): NamedTeams | string {
  const [names, ...more] = winners;
  if (names === undefined || more.length > 0) return 'no two markets name the two sides';
  const [one, another] = names;
  const isOf = (title: string, name: string): boolean =>
    namedOpponent(competition, title, true).id === namedOpponent(competition, name, true).id ||
    wordsOf(title).every(word => wordsOf(name).includes(word));
  const isTitled = titles.some(
    ({ first, second }) => (isOf(first, one) && isOf(second, another)) || (isOf(first, another) && isOf(second, one)),
  );
  if (!isTitled) return `no title names ${one} and ${another}`;
  return sidesBetween(namedOpponent(competition, one, true), namedOpponent(competition, another, true));
}

function wordsOf(name: string): readonly string[] {
  return normalized(name).split(' ');
}

function sidesBetween(first: Opponent, second: Opponent): NamedTeams | string {
  const opponents = opponentsOf(first, second);
  return opponents === null
    ? `${first.name} and ${second.name} are no two names that can be compared`
    : { opponents, home: null, isHomeContradicted: false };
}
