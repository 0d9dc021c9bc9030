// The teams of a competition, by every name and code at the venues. Several teams may share a name or code; other parts of the listing
// decide between them. Pure.

import { clubName, comparedName } from './names.ts';

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
  /** `FC` and the like may be missing from a name. */
  readonly isOfClubs?: true;
}

type Names = Map<string, Set<Team>>;

interface Entries {
  readonly teams: readonly Team[];
  readonly byName: Names;
  /** Without the words that mean only "club". */
  readonly byClub: Names;
  readonly byCode: Names;
}

const NOBODY: ReadonlySet<Team> = new Set();
/** Size of the cache of names; titles can be anything. */
const NAMES_FOUND_MAX = 2_048;

export class TeamTable {
  readonly codes: 'certain' | 'hints';
  readonly #lines: string;
  readonly #isOfClubs: boolean;
  /** Made when they are first asked for: of the threads that know the competitions only one looks up teams. */
  #made: Entries | null = null;
  /** Cache by name as written: a few names are looked up again and again. */
  readonly #found = new Map<string, readonly Team[]>();

  /**
   * One team a line: `id | name | other names, … | codes, …`; the last two are optional. The id in capitals is a code as well. A renamed
   * club keeps its id and gets one more name. Another name that begins the first one, such as a city, also gets a form with an initial:
   * `New York` of `New York Knicks` makes `New York K`. `+Bruins` is appended to each of its names.
   */
  constructor(lines: string, { codes = 'certain', isOfClubs }: TableRules = {}) {
    this.codes = codes;
    this.#lines = lines;
    this.#isOfClubs = isOfClubs === true;
  }

  get teams(): readonly Team[] {
    return this.#entries.teams;
  }

  get #entries(): Entries {
    this.#made ??= entriesOf(this.#lines);
    return this.#made;
  }

  /** Null: unknown, or several teams have the name. */
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
    const club = this.#isOfClubs ? this.#entries.byClub.get(clubName(compared)) : undefined;
    return [...(exact ?? club ?? this.#byCode(name))];
  }

  /** `LAR`, and `LAR Rams`: a code alone, or before a name or the end of one. In capitals only: `Min` may be anything. */
  #byCode(name: string): readonly Team[] {
    const [, code = '', rest] = /^([A-Z0-9]{2,5})(?: (.+))?$/.exec(name) ?? [];
    const coded = this.allCoded(code);
    if (rest === undefined) return coded;
    const { byName } = this.#entries;
    const isCalled = (team: Team, end: string): boolean => byName.get(comparedName(end))?.has(team) === true;
    return coded.filter(team => isCalled(team, rest) || isCalled(team, `${team.name} ${rest}`));
  }

  /** Null: unknown, or several teams have the code. */
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

function entriesOf(lines: string): Entries {
  const [byName, byClub, byCode]: [Names, Names, Names] = [new Map(), new Map(), new Map()];
  const teamLines = lines.split('\n').filter(line => line.trim() !== '');
  const teams = teamLines.map(line => {
    const [id = '', name = '', others = '', codes = ''] = line.split('|').map(part => part.trim());
    const team: Team = { id, name };
    for (const one of namesOf(name, listOf(others))) {
      const compared = comparedName(one);
      enter(byName, compared, team);
      enter(byClub, clubName(compared), team);
    }
    for (const code of [id.toUpperCase(), ...listOf(codes)]) enter(byCode, code, team);
    return team;
  });
  return { teams, byName, byClub, byCode };
}

/** Every form of a team's name. */
function namesOf(name: string, others: readonly string[]): readonly string[] {
  const plain = [name, ...others.filter(it => !it.startsWith('+'))];
  const ends = others.filter(it => it.startsWith('+')).map(it => it.slice(1));
  const whole = [...plain, ...plain.flatMap(it => ends.map(end => `${it} ${end}`))];
  return [...whole, ...initialed(name, plain)];
}

/** Each of the first with each of the others, except a team with itself. */
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
