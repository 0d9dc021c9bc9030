// The teams of a competition, by every name and code at the venues. Several teams may share a name or code; other parts of a listing decide
// between these teams. Pure.

import { readFileSync } from 'node:fs';
import { assert } from '../../core/domain/result.ts';
import { withBaseLetters } from '../vocabulary.ts';

const OTHER_LETTER = /[^a-z0-9 ]/;

/** A name that needs only lower case. Most names match, and the check saves 95 % of the time. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/** Every sign that stands for an apostrophe, among them accents that belong to no letter. */
const APOSTROPHES = /['’‘`´ʹʻʼ′]/g;

/**
 * Returns lower-case ASCII words with single spaces between them. Returns an empty text if there are no words, or if there are letters of
 * another script: the other words alone may be another name.
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

/** Returns the text as a part of an id. */
export function slugOf(text: string): string {
  return normalized(text).replaceAll(' ', '-');
}

/** The replacements of words that begin a name. */
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

/** The replacements of words at any place of a name. */
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

/** Words that mean only "club", at any place of a name. */
const CLUB_WORDS = new Set(
  [
    'fc afc cf sc ac as cd ud sd rcd rc ssc fk sk sv ca bk if il ff jk kv us ss bsc bv dsc msv ssv tsg tsv vfb vfl fsv spvgg rsc krc kaa',
    'kvc rkc ogc aj ec cr aa cs csd fbc pfc club clube klub calcio futebol futbol football fotball fotboll fodbold boldklub prof',
    'professional profesional stade es sad sfk kulubu fotbal',
  ].flatMap(words => words.split(' ')),
);

/** Particles between the words of a name, which loose comparisons leave out. */
const PARTICLES = new Set('de del da do di du y al'.split(' '));

/** Cities and regions that may stand behind the name of a club. A name is looked up without them only if no club is known with them. */
const PLACES = new Set(
  'alsace amsterdam athens azores barcelos bern bolzano budapest glasgow istanbul izmir lisbon saudi seville stavanger tilburg'.split(
    ' ',
  ),
);

/** A founding year in full or in short, or the number in `1. FC`. A 2 is not meant, because it marks a second team. */
const FOUNDED = /^(?:1|\d\d|1[89]\d\d|20\d\d)$/;

/**
 * Returns the form of a name that is compared, which is equal for two forms of one name. It is empty for a name without comparable letters.
 */
function comparedName(name: string): string {
  const words = normalized(name).split(' ');
  const [first = '', ...rest] = words.map(word => WORDS[word] ?? word);
  const start = rest.length > 0 ? (FIRST_WORDS[first] ?? first) : first;
  return [start, ...rest]
    .join(' ')
    .trim()
    .replace(/\ba and ([mt])\b/g, 'a$1');
}

/** Returns the form of a compared name that is equal for a letter and its transcriptions: `ö`, `oe` and `o`; `đ`, `dj` and `d`. */
export function transcribed(compared: string): string {
  return compared.replace(/([aou])e|aa|dj/g, (letters, vowel) => vowel ?? letters.charAt(0));
}

/**
 * Returns the loose form of a club's compared name: without `FC`, years and the like, and `Kocaeli` for `Kocaelispor`. It is empty if
 * nothing else is left.
 */
function clubName(compared: string): string {
  const words = withoutParticles(compared)
    .filter(word => !CLUB_WORDS.has(word) && !FOUNDED.test(word))
    .map(word => word.replace(/(?<=.{3})spor$/, ''));
  // The `La` of `La Coruña` does not mean Los Angeles, so its replacement is undone.
  return transcribed(words.join(' ').replace(/^los angeles /, 'la '));
}

/** Returns a club's name without the places at its end. A name that has only places is returned whole. */
function withoutPlace(club: string): string {
  const words = club.split(' ');
  const end = words.findLastIndex(word => !PLACES.has(word)) + 1;
  return end === 0 ? club : words.slice(0, end).join(' ');
}

/** Whether a compared name has no words that mean only "club", and no years. Such a name may be a part of a longer name. */
function isBareName(compared: string): boolean {
  return withoutParticles(compared).every(word => !CLUB_WORDS.has(word) && !FOUNDED.test(word));
}

function withoutParticles(compared: string): readonly string[] {
  return compared.split(' ').filter(word => !PARTICLES.has(word));
}

export interface Team {
  /** The permanent id, which is unique in its competition. */
  readonly id: string;
  readonly name: string;
}

interface TableRules {
  /**
   * `hints` means that the venues have many codes, of which not all are known. Codes then decide between teams, but never against a name.
   */
  readonly codes?: 'certain' | 'hints';
  /** True if the teams are clubs. A name may then lack `FC` and the like, and a part of a name is enough if only one club has it. */
  readonly isOfClubs?: true;
  /** True if clubs may play that the table lacks. A part of a name is then never enough. */
  readonly isIncomplete?: true;
}

type Names = Map<string, Set<Team>>;

interface Entries {
  readonly teams: readonly Team[];
  readonly byName: Names;
  /** The teams by their loose names: names are transcribed, and clubs lack the words that mean only "club". */
  readonly byLooseName: Names;
  readonly byCode: Names;
}

const NOBODY: ReadonlySet<Team> = new Set();
/**
 * Words that do not tell clubs apart. They are words of many clubs, also of other leagues; names of countries; and cities of clubs whose
 * names lack them.
 */
const COMMON = new Set(
  [
    'city united town county rovers wanderers athletic atletico albion real sport sporting deportivo deportes racing union inter',
    'internacional nacional independiente dinamo dynamo lokomotiv olympique royal saint santa club north south east west',
    'chile ecuador portugal england river lisbon lisboa istanbul oslo lima bogota milano',
  ].flatMap(words => words.split(' ')),
);
/** The size of the cache of names. It is bounded because titles may have any names. */
const NAMES_FOUND_MAX = 2_048;

export class TeamTable {
  readonly codes: 'certain' | 'hints';
  readonly #lines: string;
  readonly #isOfClubs: boolean;
  readonly #isIncomplete: boolean;
  /** The entries are made at the first look-up, because only one of the threads that load the competitions looks up teams. */
  #made: Entries | null = null;
  /** The cache of look-ups, by name as written: a few names are looked up again and again. */
  readonly #found = new Map<string, readonly Team[]>();

  /**
   * Each line has one team: `id | name | other names, … | codes, …`; the last two are optional. The id in capitals is a code as well. A
   * renamed club keeps its id and gets one more name. Another name that begins the first one, such as a city, also gets a form with an
   * initial: `New York` of `New York Knicks` makes `New York K`. `+Bruins` is appended to each of the team's names.
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

  /** Returns the team with this name. Returns null if no team or several teams have it. */
  named(name: string): Team | null {
    return only(this.allNamed(name));
  }

  /** Returns every team that the name may mean. */
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

  /** `isBare` means that the name may be a part of a club's name. `Brugge` does not mean `Club Brugge` where a `Cercle Brugge` plays. */
  #looselyNamed(name: string, isBare: boolean): readonly Team[] {
    const loose = this.#entries.byLooseName.get(name) ?? NOBODY;
    const part = this.#isOfClubs && isBare ? this.#havingPart(name) : NOBODY;
    if (loose.size > 0) return [...new Set([...loose, ...part])];
    if (part.size === 1 && !this.#isIncomplete) return [...part];
    const shorter = this.#isOfClubs ? withoutPlace(name) : name;
    return shorter === name ? [] : this.#looselyNamed(shorter, isBare);
  }

  #looseName = (compared: string): string => (this.#isOfClubs ? clubName(compared) : transcribed(compared));

  /** Returns the teams with a name that has these words in their order. At least one of the words must tell clubs apart. */
  #havingPart(part: string): ReadonlySet<Team> {
    if (!part.split(' ').some(word => word.length > 3 && !COMMON.has(word))) return NOBODY;
    const found = [...this.#entries.byLooseName].filter(([name]) => ` ${name} `.includes(` ${part} `));
    return new Set(found.flatMap(([, teams]) => [...teams]));
  }

  /**
   * Returns the teams by a code. The code stands alone (`LAR`), or before a name or the end of a name (`LAR Rams`). Codes must be in
   * capitals, because `Min` may be anything.
   */
  #byCode(name: string): readonly Team[] {
    const [, code = '', rest] = /^([A-Z0-9]{2,5})(?: (.+))?$/.exec(name) ?? [];
    const coded = this.allCoded(code);
    if (rest === undefined) return coded;
    const { byName } = this.#entries;
    const isCalled = (team: Team, end: string): boolean => byName.get(comparedName(end))?.has(team) === true;
    return coded.filter(team => isCalled(team, rest) || isCalled(team, `${team.name} ${rest}`));
  }

  /** Returns the team with this code. Returns null if no team or several teams have it. */
  coded(code: string): Team | null {
    return only(this.allCoded(code));
  }

  allCoded(code: string): readonly Team[] {
    return [...(this.#entries.byCode.get(code.toUpperCase()) ?? NOBODY)];
  }

  /** Returns every two teams whose joined codes equal this text. */
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

/** Returns every form of a team's name. */
function namesOf(name: string, others: readonly string[]): readonly string[] {
  const plain = [name, ...others.filter(it => !it.startsWith('+'))];
  const ends = others.filter(it => it.startsWith('+')).map(it => it.slice(1));
  const whole = [...plain, ...plain.flatMap(it => ends.map(end => `${it} ${end}`))];
  return [...whole, ...initialed(name, plain)];
}

/** Returns each of the first teams with each of the others, except a team with itself. */
export function pairsOf(ones: readonly Team[], others: readonly Team[]): readonly (readonly [Team, Team])[] {
  return ones.flatMap(one => others.filter(other => other !== one).map(other => [one, other] as const));
}

/** Returns the forms with initials. `Chicago White Sox` with the other name `Chicago` has `Chicago W` and `Chicago WS`. */
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

/** The lines of teams.txt by section. A section begins with a line `# name`. */
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
