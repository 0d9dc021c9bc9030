// Forms of one name: fewer words, another order, initials. Alone they prove nothing; pair-variants.ts says what else must hold. Pure.

import type { Competition } from '../leagues/competition.ts';
import type { Opponent } from './game.ts';

/** Marks of another squad of the same organisation, or of women: such a name is never a form of the one without. */
const MARKS = new Set(
  'academy youth junior juniors u19 u20 u21 u23 female fe gc women womens w ii iii 2 b challengers blue black white'.split(
    ' ',
  ),
);
/** Words that say nothing about who it is. */
const COMMON = new Set('team esports esport gaming club the'.split(' '));

/** Whether nothing of it is left out: a player has two words at least, and no initial. */
export function isWholeName({ otherNames }: Competition, { id, isFull }: Opponent): boolean {
  const words = id.split('-');
  return isFull && (otherNames !== undefined || (words.length > 1 && words.every(word => word.length > 1)));
}

/** Whether one is the other with fewer words, in any order, or with initials for words. */
export function isVariant(one: Opponent, another: Opponent): boolean {
  if (!one.isFull || !another.isFull || one.id === another.id) return false;
  const [short, long] = [one.id.split('-'), another.id.split('-')].sort((some, more) => some.length - more.length);
  const rest = [...long!];
  let isShared = false;
  for (const word of short!) {
    const at = rest.findIndex(it => it === word || isInitial(word, it) || isInitial(it, word));
    if (at < 0) return false;
    isShared ||= rest[at] === word && word.length > 2 && !COMMON.has(word);
    rest.splice(at, 1);
  }
  return isShared && rest.every(word => !MARKS.has(word));
}

function isInitial(letter: string, word: string): boolean {
  return letter.length === 1 && word.startsWith(letter);
}
