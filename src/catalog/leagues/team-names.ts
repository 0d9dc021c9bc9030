// Equal forms of a team's name: `Michigan St.` and `Michigan State`, `N. Iowa` and `Northern Iowa`, `LA Kings` and `Los Angeles Kings`, `FC
// Barcelona` and `Barcelona`. Pure.

import { normalized } from './names.ts';

/** For the first word. */
const FIRST_WORDS: Readonly<Record<string, string>> = {
  la: 'los angeles',
  ny: 'new york',
  north: 'n',
  northern: 'n',
  south: 's',
  southern: 's',
  east: 'e',
  eastern: 'e',
  west: 'w',
  western: 'w',
  central: 'c',
  the: '',
};

/** For any word. */
const WORDS: Readonly<Record<string, string>> = {
  saint: 'st',
  state: 'st',
  university: 'u',
  univ: 'u',
  northwestern: 'nw',
  southeastern: 'se',
  southeast: 'se',
  intl: 'international',
  utd: 'united',
};

/** Words that mean only "club". */
const CLUB_WORDS = new Set('fc afc cf sc ac as cd ud sd rcd rc ssc fk sk sv ca'.split(' '));

/** Equal for two forms of one name. Empty for a name without comparable letters. */
export function comparedName(name: string): string {
  const words = normalized(name).split(' ');
  const [first = '', ...rest] = words.map(word => WORDS[word] ?? word);
  const start = rest.length > 0 ? (FIRST_WORDS[first] ?? first) : first;
  return [start, ...rest]
    .join(' ')
    .trim()
    .replace(/\ba and ([mt])\b/g, 'a$1');
}

/** Likewise without `FC` and the like; empty if nothing else is left. */
export function clubName(compared: string): string {
  const words = compared.split(' ');
  return words.filter(word => !CLUB_WORDS.has(word)).join(' ');
}
