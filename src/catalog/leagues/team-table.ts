// The teams of a competition, by any name or code that a venue has for them. A name or code that several share is that of each: what
// else a listing says tells which. Pure.

import { clubName, comparedName } from './team-names.ts';

export interface Team {
  /** Within its competition, for good. */
  readonly id: string;
  readonly name: string;
}

export interface TableRules {
  /** `hints`: the venues' codes are many and not all known. They tell between teams and never against a name. */
  readonly codes?: 'certain' | 'hints';
  /** A name with `FC` or the like is the same without it. */
  readonly isOfClubs?: true;
}

type Names = Map<string, Set<Team>>;

const NOBODY: ReadonlySet<Team> = new Set();
/** Remembered at a time; titles can be anything. */
const NAMES_FOUND_MAX = 2_048;

export class TeamTable {
  readonly codes: 'certain' | 'hints';
  readonly #isOfClubs: boolean;
  readonly #byName: Names = new Map();
  /** Without the words that say `club`. */
  readonly #byClub: Names = new Map();
  readonly #byCode: Names = new Map();
  /** As they are written: a few names are asked for again and again. */
  readonly #found = new Map<string, readonly Team[]>();

  /**
   * A team a line: `id | name | other names, … | codes, …`. Its id, in capitals, is a code as well; the last two may be left out.
   * Names change: a club that is renamed keeps its id and gets another name. Of another name that begins the first one, as a city does,
   * the form with an initial follows: `New York | …` of `New York Knicks` makes `New York K`. `+Bruins` follows each of its names.
   */
  constructor(lines: string, { codes = 'certain', isOfClubs }: TableRules = {}) {
    this.codes = codes;
    this.#isOfClubs = isOfClubs === true;
    for (const line of lines.trim().split('\n')) this.#add(line);
  }

  /** Null: unknown, or more than one is called so. */
  named(name: string): Team | null {
    return only(this.allNamed(name));
  }

  /** Whom a name may mean. */
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
    const exact = this.#byName.get(compared);
    const club = this.#isOfClubs ? this.#byClub.get(clubName(compared)) : undefined;
    return [...(exact ?? club ?? NOBODY)];
  }

  /** Null: unknown, or the code of several. */
  coded(code: string): Team | null {
    return only(this.allCoded(code));
  }

  allCoded(code: string): readonly Team[] {
    return [...(this.#byCode.get(code.toUpperCase()) ?? NOBODY)];
  }

  /** Every two whose codes, one after the other, are this text. */
  pairs(codes: string): readonly (readonly [Team, Team])[] {
    return Array.from({ length: Math.max(0, codes.length - 1) }, (_, at) => at + 1).flatMap(at =>
      pairsOf(this.allCoded(codes.slice(0, at)), this.allCoded(codes.slice(at))),
    );
  }

  #add(line: string): void {
    const [id = '', name = '', others = '', codes = ''] = line.split('|').map(part => part.trim());
    const team: Team = { id, name };
    const all = listOf(others);
    const plain = [name, ...all.filter(it => !it.startsWith('+'))];
    const ends = all.filter(it => it.startsWith('+')).map(it => it.slice(1));
    const whole = [...plain, ...plain.flatMap(it => ends.map(end => `${it} ${end}`))];
    const known = listOf(codes);
    for (const one of [...whole, ...initialed(name, plain)]) {
      const compared = comparedName(one);
      enter(this.#byName, compared, team);
      enter(this.#byClub, clubName(compared), team);
    }
    for (const code of [id.toUpperCase(), ...known]) enter(this.#byCode, code, team);
  }
}

/** Each of the ones with each of the others, as long as they are two. */
export function pairsOf(ones: readonly Team[], others: readonly Team[]): readonly (readonly [Team, Team])[] {
  return ones.flatMap(one => others.filter(other => other !== one).map(other => [one, other] as const));
}

/** `Chicago White Sox`, of `Chicago`: `Chicago W` and `Chicago WS`. */
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
