// The teams of a competition, by every name and code at the venues. Several teams may share a name or code; other parts of the listing
// decide between them. Pure.

import { readFileSync } from 'node:fs';
import { assert } from '../../core/domain/result.ts';
import { withBaseLetters } from '../vocabulary.ts';

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
function comparedName(name: string): string {
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
function clubName(compared: string): string {
  const words = withoutParticles(compared)
    .filter(word => !CLUB_WORDS.has(word) && !FOUNDED.test(word))
    .map(word => word.replace(/(?<=.{3})spor$/, ''));
  // `La Coruña` is no Los Angeles.
  return transcribed(words.join(' ').replace(/^los angeles /, 'la '));
}

/** A club's name without the places behind it; the name itself if it has none. */
function withoutPlace(club: string): string {
  const words = club.split(' ');
  const end = words.findLastIndex(word => !PLACES.has(word)) + 1;
  return end === 0 ? club : words.slice(0, end).join(' ');
}

/** Whether the name is without such words: then it may be a part of a longer name. */
function isBareName(compared: string): boolean {
  return withoutParticles(compared).every(word => !CLUB_WORDS.has(word) && !FOUNDED.test(word));
}

function withoutParticles(compared: string): readonly string[] {
  return compared.split(' ').filter(word => !PARTICLES.has(word));
}

export interface Team {
  /** Unique in its competition, permanent. */
  readonly id: string;
  readonly name: string;
}

interface TableRules {
  /**
   * `hints`: the venues have many codes, and not all are known. Codes decide between teams, but never against a name.
   */
  readonly codes?: 'certain' | 'hints';
  /** `FC` and the like may be missing from a name, and a part of a name is enough where only one club has it. */
  readonly isOfClubs?: true;
  /** Clubs may play that it lacks: a part of a name is never enough. */
  readonly isIncomplete?: true;
}

type Names = Map<string, Set<Team>>;

interface Entries {
  readonly teams: readonly Team[];
  readonly byName: Names;
  /** Teams by transcribed names; clubs without the words that mean only "club". */
  readonly byLooseName: Names;
  readonly byCode: Names;
}

const NOBODY: ReadonlySet<Team> = new Set();
/** Words that many clubs have, also of other leagues; names of countries; and cities of a club whose name lacks them. */
const COMMON = new Set(
  [
    'city united town county rovers wanderers athletic atletico albion real sport sporting deportivo deportes racing union inter',
    'internacional nacional independiente dinamo dynamo lokomotiv olympique royal saint santa club north south east west',
    'chile ecuador portugal england river lisbon lisboa istanbul oslo lima bogota milano',
  ].flatMap(words => words.split(' ')),
);
/** Size of the cache of names; titles can be anything. */
const NAMES_FOUND_MAX = 2_048;

export class TeamTable {
  readonly codes: 'certain' | 'hints';
  readonly #lines: string;
  readonly #isOfClubs: boolean;
  readonly #isIncomplete: boolean;
  /** Made at the first look-up: only one of the threads that know the competitions looks up teams. */
  #made: Entries | null = null;
  /** Cache by name as written: a few names are looked up again and again. */
  readonly #found = new Map<string, readonly Team[]>();

  /**
   * One team a line: `id | name | other names, … | codes, …`; the last two are optional. The id in capitals is a code as well. A renamed
   * club keeps its id and gets one more name. Another name that begins the first one, such as a city, also gets a form with an initial:
   * `New York` of `New York Knicks` makes `New York K`. `+Bruins` is appended to each of its names.
   */
  constructor(lines: string, { codes = 'certain', isOfClubs, isIncomplete }: TableRules = {}) {
    this.codes = codes;
    this.#lines = lines;
    this.#isOfClubs = isOfClubs === true;
    this.#isIncomplete = isIncomplete === true;
  }

  get teams(): readonly Team[] {
    return this.#entries.teams;
  }

  get #entries(): Entries {
    this.#made ??= entriesOf(this.#lines, this.#looseName);
    return this.#made;
  }

  /** Null if the name is unknown, or several teams have it. */
  named(name: string): Team | null {
    return only(this.allNamed(name));
  }

  /** Every team that the name may mean. */
  allNamed(name: string): readonly Team[] {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const teams = this.#find(name);
    if (this.#found.size === NAMES_FOUND_MAX) this.#found.clear();
    this.#found.set(name, teams);
    return teams;
  }

  #find(name: string): readonly Team[] {
    const compared = comparedName(name);
    const exact = this.#entries.byName.get(compared);
    if (exact !== undefined) return [...exact];
    const loose = this.#looselyNamed(this.#looseName(compared), isBareName(compared));
    return loose.length > 0 ? loose : this.#byCode(name);
  }

  /** `isBare`: it may be a part of a club's name. `Brugge` is not `Club Brugge` where a `Cercle Brugge` plays. */
  #looselyNamed(name: string, isBare: boolean): readonly Team[] {
    const loose = this.#entries.byLooseName.get(name) ?? NOBODY;
    const part = this.#isOfClubs && isBare ? this.#havingPart(name) : NOBODY;
    if (loose.size > 0) return [...new Set([...loose, ...part])];
    if (part.size === 1 && !this.#isIncomplete) return [...part];
    const shorter = this.#isOfClubs ? withoutPlace(name) : name;
    return shorter === name ? [] : this.#looselyNamed(shorter, isBare);
  }

  #looseName = (compared: string): string => (this.#isOfClubs ? clubName(compared) : transcribed(compared));

  /** Teams with a name that has these words in their order, one of them telling. */
  #havingPart(part: string): ReadonlySet<Team> {
    if (!part.split(' ').some(word => word.length > 3 && !COMMON.has(word))) return NOBODY;
    const found = [...this.#entries.byLooseName].filter(([name]) => ` ${name} `.includes(` ${part} `));
    return new Set(found.flatMap(([, teams]) => [...teams]));
  }

  /** Teams by a code alone, `LAR`, or before a name or the end of one, `LAR Rams`. Codes are in capitals: `Min` may be anything. */
  #byCode(name: string): readonly Team[] {
    const [, code = '', rest] = /^([A-Z0-9]{2,5})(?: (.+))?$/.exec(name) ?? [];
    const coded = this.allCoded(code);
    if (rest === undefined) return coded;
    const { byName } = this.#entries;
    const isCalled = (team: Team, end: string): boolean => byName.get(comparedName(end))?.has(team) === true;
    return coded.filter(team => isCalled(team, rest) || isCalled(team, `${team.name} ${rest}`));
  }

  /** Null if the code is unknown, or several teams have it. */
  coded(code: string): Team | null {
    return only(this.allCoded(code));
  }

  allCoded(code: string): readonly Team[] {
    return [...(this.#entries.byCode.get(code.toUpperCase()) ?? NOBODY)];
  }

  /** Every two teams whose joined codes equal this text. */
  pairs(codes: string): readonly (readonly [Team, Team])[] {
    return Array.from({ length: Math.max(0, codes.length - 1) }, (_, at) => at + 1).flatMap(at =>
      pairsOf(this.allCoded(codes.slice(0, at)), this.allCoded(codes.slice(at))),
    );
  }
}

function entriesOf(lines: string, looseName: (compared: string) => string): Entries {
  const [byName, byLooseName, byCode]: [Names, Names, Names] = [new Map(), new Map(), new Map()];
  const teamLines = lines.split('\n').filter(line => line.trim() !== '');
  const teams = teamLines.map(line => {
    const [id = '', name = '', others = '', codes = ''] = line.split('|').map(part => part.trim());
    const team: Team = { id, name };
    for (const one of namesOf(name, listOf(others))) {
      const compared = comparedName(one);
      enter(byName, compared, team);
      enter(byLooseName, looseName(compared), team);
    }
    for (const code of [id.toUpperCase(), ...listOf(codes)]) enter(byCode, code, team);
    return team;
  });
  return { teams, byName, byLooseName, byCode };
}

/** Every form of a team's name. */
function namesOf(name: string, others: readonly string[]): readonly string[] {
  const plain = [name, ...others.filter(it => !it.startsWith('+'))];
  const ends = others.filter(it => it.startsWith('+')).map(it => it.slice(1));
  const whole = [...plain, ...plain.flatMap(it => ends.map(end => `${it} ${end}`))];
  return [...whole, ...initialed(name, plain)];
}

/** Each of the first teams with each of the others, except a team with itself. */
export function pairsOf(ones: readonly Team[], others: readonly Team[]): readonly (readonly [Team, Team])[] {
  return ones.flatMap(one => others.filter(other => other !== one).map(other => [one, other] as const));
}

/** `Chicago White Sox` with the other name `Chicago`: `Chicago W` and `Chicago WS`. */
function initialed(name: string, others: readonly string[]): readonly string[] {
  return others
    .filter(other => name.startsWith(`${other} `))
    .flatMap(city => {
      const initials = name
        .slice(city.length + 1)
        .split(' ')
        .map(word => word.charAt(0))
        .join('');
      return [`${city} ${initials.charAt(0)}`, `${city} ${initials}`];
    });
}

function only(teams: readonly Team[]): Team | null {
  return teams.length === 1 ? teams[0]! : null;
}

function listOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map(one => one.trim());
}

function enter(names: Names, name: string, team: Team): void {
  if (name === '') return;
  const known = names.get(name);
  if (known === undefined) names.set(name, new Set([team]));
  else known.add(team);
}

interface TableRow extends TableRules {
  readonly sections: readonly string[];
}

/** Lines of teams.txt by section. A section begins with a line `# name`. */
const SECTIONS = new Map(
  textOf('teams.txt')
    .split(/^# /m)
    .slice(1)
    .map(section => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]),
);

const TABLES = new Map(
  Object.entries<TableRow>(JSON.parse(textOf('tables.json'))).map(([name, { sections, ...rules }]) => [
    name,
    new TeamTable(sections.map(linesOf).join('\n'), rules),
  ]),
);

export function teamTable(name: string): TeamTable {
  const table = TABLES.get(name);
  assert(table !== undefined, `tables.json has no table ${name}`);
  return table;
}

function linesOf(section: string): string {
  const lines = SECTIONS.get(section);
  assert(lines !== undefined, `teams.txt has no section ${section}`);
  return lines;
}

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
