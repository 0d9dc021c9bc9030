// Names in the form in which they are compared. `Félix Auger-Aliassime` equals `Felix Auger Aliassime`, `Michigan St.` equals
// `Michigan State`, and `N. Iowa` equals `Northern Iowa`. So do `LA Kings` and `Los Angeles Kings`, `FC Barcelona` and `Barcelona`. Pure.

import { withBaseLetters } from '../words.ts';

const OTHER_LETTER = /[^a-z0-9 ]/;
/** Most names need only lower case; this check saves 95 % of the time. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/**
 * Lower-case ASCII words with single spaces. Empty for a text without words, or with letters of another script: the rest of it may be
 * another name.
 */
export function normalized(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const plain = withBaseLetters(text.normalize('NFKD').toLowerCase())
    .replace(/&/g, ' and ')
    .replace(/[\p{M}'’.]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return OTHER_LETTER.test(plain) ? '' : plain;
}

/** As a part of an id. */
export function slugOf(text: string): string {
  return normalized(text).replaceAll(' ', '-');
}

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
