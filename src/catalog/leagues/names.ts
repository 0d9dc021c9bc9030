// Converts names to the form in which they are compared. `Félix Auger-Aliassime` equals `Felix Auger Aliassime`, `Michigan St.` equals
// `Michigan State`, and `N. Iowa` equals `Northern Iowa`. So do `LA Kings` and `Los Angeles Kings`, `FC Barcelona` and `Barcelona`, `Koeln`
// and `Köln`. Pure.

import { withBaseLetters } from '../words.ts';

const OTHER_LETTER = /[^a-z0-9 ]/;
/** Most names need only lower case; this check saves 95 % of the time. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
/** Every sign that stands for an apostrophe; the accents among them stand alone. */
const APOSTROPHES = /['’‘`´ʹʻʼ′]/g;

/**
 * Lower-case ASCII words with single spaces. Empty for a text without words, or with letters of another script: the rest of it may be
 * another name.
 */
export function normalized(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const plain = withBaseLetters(text.replace(APOSTROPHES, '').normalize('NFKD').toLowerCase())
    .replace(/&/g, ' and ')
    .replace(/(?<=\d)\.(?=\p{L})/gu, ' ')
    .replace(/[\p{M}.]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return OTHER_LETTER.test(plain) ? '' : plain;
}

/** The text as a part of an id. */
export function slugOf(text: string): string {
  return normalized(text).replaceAll(' ', '-');
}

/** Replacements of a first word. */
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

/** Replacements of any word. */
const WORDS: Readonly<Record<string, string>> = {
  saint: 'st',
  sankt: 'st',
  sint: 'st',
  state: 'st',
  university: 'u',
  univ: 'u',
  universidad: 'u',
  universitario: 'u',
  universitaria: 'u',
  northwestern: 'nw',
  southeastern: 'se',
  southeast: 'se',
  intl: 'international',
  utd: 'united',
};

/** Words that mean only "club", in any place. */
const CLUB_WORDS = new Set(
  [
    'fc afc cf sc ac as cd ud sd rcd rc ssc fk sk sv ca bk if il ff jk kv us ss bsc bv dsc msv ssv tsg tsv vfb vfl fsv spvgg rsc krc kaa',
    'kvc rkc ogc aj ec cr aa cs csd fbc pfc club clube klub calcio futebol futbol football fotball fotboll fodbold boldklub prof',
    'professional profesional stade es sad sfk kulubu fotbal',
  ].flatMap(words => words.split(' ')),
);
/** Between the words of a name. */
const PARTICLES = new Set('de del da do di du y al'.split(' '));
/** Words behind the name of a club that are no part of it: its city or region, if no other known club has its name. */
const PLACES = new Set(
  'alsace amsterdam athens azores barcelos bern bolzano budapest glasgow istanbul izmir lisbon saudi seville stavanger tilburg'.split(
    ' ',
  ),
);
/** A founding year in full or in short, and the number in `1. FC`. A second team has a 2. */
const FOUNDED = /^(?:1|\d\d|1[89]\d\d|20\d\d)$/;

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

/** The form that is equal for a letter and each of its transcriptions: `ö`, `oe` and `o`; `đ`, `dj` and `d`. It takes a compared name. */
export function transcribed(compared: string): string {
  return compared.replace(/([aou])e|aa|dj/g, (letters, vowel) => vowel ?? letters.charAt(0));
}

/** The loose form without `FC`, years and the like, and `Kocaeli` for `Kocaelispor`; empty if nothing else is left. */
export function clubName(compared: string): string {
  const words = withoutParticles(compared)
    .filter(word => !CLUB_WORDS.has(word) && !FOUNDED.test(word))
    .map(word => word.replace(/(?<=.{3})spor$/, ''));
  // `La Coruña` is no Los Angeles.
  return transcribed(words.join(' ').replace(/^los angeles /, 'la '));
}

/** A club's name without the places behind it; the name itself if it has none. */
export function withoutPlace(club: string): string {
  const words = club.split(' ');
  const end = words.findLastIndex(word => !PLACES.has(word)) + 1;
  return end === 0 ? club : words.slice(0, end).join(' ');
}

/** Whether the name is without such words: then it may be a part of a longer name. */
export function isBareName(compared: string): boolean {
  return withoutParticles(compared).every(word => !CLUB_WORDS.has(word) && !FOUNDED.test(word));
}

function withoutParticles(compared: string): readonly string[] {
  return compared.split(' ').filter(word => !PARTICLES.has(word));
}
