// Finds which two teams a game's listings name. It reads titles, labels and codes in every possible way, and takes the teams on which all
// of them agree. Other listings decide if two teams have one name (`Los Angeles`). If listings contradict each other on the home side, only
// the home side is unknown. Pure.

import type { VenueEvent } from '../../venues/discovery.ts';
import type { Competition } from '../leagues/competitions.ts';
import { pairsOf, type Team, type TeamTable } from '../leagues/team-table.ts';
import { type Opponents, otherSide, type Side } from './game.ts';

export interface TitledPair {
  readonly first: string;
  readonly second: string;
  /** `at` means that the second opponent is at home, `vs` that the names are in the competition's order. */
  readonly form: 'at' | 'vs';
}

/** The signs between the parts of a title. */
const BOUNDARY = /: | [-–—|] |, |; /;
/** The words between two names. A capital `V` is no such word, because it ends a name: `Tokyo V vs Kashima`. */
const NAME_SEPARATOR = / ([Aa][Tt]|@|[Vv][Ss]\.?|v\.?|[Vv]ersus) /;
/** A stage before a name, in brackets or without a colon behind it. */
const STAGE =
  /^(?:(?:game|leg|round|match|week|matchday|day) (?:\d+|one|two|three|four|five|six|seven)|[([][^)\]]*[)\]]) /i;
/** A question or a stage behind a name, without a colon before it. */
const QUESTION =
  / (?:(?:game )?winner|match|(?:game|leg)(?: \d)?|spreads?|totals?|total (?:points|goals|runs)|to advance)\??$/i;
/** A remark behind a name: `(Game 2)`, `(Aug 9)`, `(If Necessary)`. `(FL)` is no remark but a part of a name. */
const REMARK = / \((?:[^)]*\d[^)]*|if necessary|neutral(?: site)?)\)$/i;

/** A weight class at the end of a title: `(Women's Flyweight, Main Card)`. No name has brackets with a comma. */
const WEIGHT = / \([^()]*, [^()]*\)$/;

/** For each event whose title names two opponents, every way to read the title. */
export function titlesOf(parts: readonly { readonly event: VenueEvent }[]): readonly (readonly TitledPair[])[] {
  return parts.map(({ event }) => pairsIn(event.title)).filter(ways => ways.length > 0);
}

/** Returns every way to read the title: two for `A vs B at C`. Returns none if the title does not name two opponents. */
export function pairsIn(title: string): readonly TitledPair[] {
  return title
    .trim()
    .replace(/^will .* win the /i, '')
    .replace(WEIGHT, '')
    .split(BOUNDARY)
    .flatMap(pairsInPart);
}

function pairsInPart(part: string): readonly TitledPair[] {
  const pieces = part.trim().split(NAME_SEPARATOR);
  const pairs: TitledPair[] = [];
  // Names and separators alternate in `pieces`.
  for (let at = 0; at + 2 < pieces.length; at += 2) {
    const [first, second] = [firstName(pieces[at]!), lastName(pieces[at + 2]!)];
    const form = /^(?:at|@)$/i.test(pieces[at + 1]!) ? 'at' : 'vs';
    if (first !== '' && second !== '') pairs.push({ first, second, form });
  }
  return pairs;
}

function firstName(text: string): string {
  return text.trim().replace(STAGE, '').replace(REMARK, '');
}

function lastName(text: string): string {
  const [name, shorter] = [text.trim(), text.trim().replace(QUESTION, '').replace(/\?$/, '').replace(REMARK, '')];
  return shorter === name ? name : lastName(shorter);
}

/** Two teams in the competition's order. */
type Pair = readonly [Team, Team];

export interface NamedTeams {
  readonly opponents: Opponents;
  readonly home: Side | null;
  /** Whether the listings name different teams as the home side. */
  readonly isHomeContradicted: boolean;
}

/** The names and codes by which a game's listings name the opponents. */
export interface Namings {
  /** For each title that names two teams, every way to read it. */
  readonly titles: readonly (readonly TitledPair[])[];
  /** The venue's own objects of the two teams, in no order. Each team has all of its names. */
  readonly teams: readonly (readonly [readonly string[], readonly string[]])[];
  /** The names of markets. They decide which of two teams a title means, but do not replace a title. */
  readonly labels: readonly (readonly [string, string])[];
  /** The teams that the codes mean, for every way to read the codes. */
  readonly codes: readonly Pair[];
}

/** The teams that one listing names, for every way to read it. */
interface Naming {
  readonly pairs: readonly Pair[];
  /** `stated` has the readings that state the home side, `ordered` those whose order implies it. */
  readonly stated: readonly Pair[];
  readonly ordered: readonly Pair[];
}

/** Returns the two teams, or a text with the reason why they are unknown. */
export function namedTeams(competition: Competition, table: TeamTable, listed: Namings): NamedTeams | string {
  const titles = readable(listed.titles.map(ways => titleNaming(competition, table, ways)));
  const teams = readable(listed.teams.map(names => namesNaming(table, names)));
  // A name that the table lacks outweighs codes and labels.
  if (listed.titles.length > 0 && titles.length + teams.length === 0) return unknownName(table, listed.titles);
  const labels = readable(listed.labels.map(([one, another]) => namesNaming(table, [[one], [another]])));
  const named = [...titles, ...teams, ...labels];
  if (table.codes === 'hints' && named.length === 0) return 'no title names two teams, and codes are hints here';
  const { codes } = listed;
  const coded = codes.length === 0 ? [] : [{ pairs: codes, stated: [], ordered: codes }];
  const agreed = playing([...titles, ...coded, ...teams, ...labels]);
  const possible = agreed.length === 0 && table.codes === 'hints' ? playing(named) : agreed;
  const [pair, ...more] = possible;
  if (pair === undefined) {
    return coded.length + named.length === 0 ? 'no title and no code names two teams' : 'titles and codes contradict';
  }
  if (more.length > 0) return `could be ${possible.map(([one, two]) => `${one.name} and ${two.name}`).join(', or ')}`;
  return { opponents: [asOpponent(pair[0]), asOpponent(pair[1])], ...homeOf(competition, pair, coded, named) };
}

/** Returns the pairs of teams that every listing allows, in the order of the first listing. */
function playing(namings: readonly Naming[]): readonly Pair[] {
  const [first, ...rest] = namings;
  if (first === undefined) return [];
  const possible = first.pairs.filter(pair => rest.every(({ pairs }) => pairs.some(it => isSamePair(pair, it))));
  return possible.filter((pair, at) => possible.findIndex(it => isSamePair(pair, it)) === at);
}

/** Returns the home side. A title with `at` states it, and codes imply it. Without codes the order of names implies it. */
function homeOf(
  competition: Competition,
  pair: Pair,
  coded: readonly Naming[],
  named: readonly Naming[],
): Pick<NamedTeams, 'home' | 'isHomeContradicted'> {
  const usual: Side = competition.isHomeFirst ? 0 : 1;
  const homesIn = (pairs: readonly Pair[]): readonly Side[] => {
    const isStraight = pairs.some(([a, b]) => a === pair[0] && b === pair[1]);
    const isTurned = pairs.some(([a, b]) => a === pair[1] && b === pair[0]);
    if (isStraight === isTurned) return [];
    return [isStraight ? usual : otherSide(usual)];
  };
  const byCodes = coded.flatMap(({ ordered }) => homesIn(ordered));
  const byOrder = byCodes.length > 0 ? byCodes : named.flatMap(({ ordered }) => homesIn(ordered));
  const homes = new Set([...named.flatMap(({ stated }) => homesIn(stated)), ...byOrder]);
  return { home: homes.size === 1 ? [...homes][0]! : null, isHomeContradicted: homes.size > 1 };
}

function titleNaming(competition: Competition, table: TeamTable, ways: readonly TitledPair[]): Naming {
  const read = (form: TitledPair['form']): readonly Pair[] =>
    ways
      .filter(it => it.form === form)
      .flatMap(({ first, second }) => pairsOf(table.allNamed(first), table.allNamed(second)));
  const [at, ordered] = [read('at'), read('vs')];
  const stated = competition.isHomeFirst ? at.map(([away, home]) => [home, away] as const) : at;
  return { pairs: [...stated, ...ordered], stated, ordered };
}

function namesNaming(table: TeamTable, [one, another]: Namings['teams'][0]): Naming {
  return { pairs: pairsOf(anyNamed(table, one), anyNamed(table, another)), stated: [], ordered: [] };
}

/** Returns the teams of the first of the names that the table knows. */
function anyNamed(table: TeamTable, names: readonly string[]): readonly Team[] {
  return names.map(name => table.allNamed(name)).find(teams => teams.length > 0) ?? [];
}

function readable(namings: readonly Naming[]): readonly Naming[] {
  return namings.filter(({ pairs }) => pairs.length > 0);
}

function isSamePair([a, b]: Pair, [c, d]: Pair): boolean {
  return (a === c && b === d) || (a === d && b === c);
}

function asOpponent(team: Team): Opponents[0] {
  return { ...team, isFull: true };
}

function unknownName(table: TeamTable, titles: Namings['titles']): string {
  const names = titles.flatMap(ways => ways.flatMap(({ first, second }) => [first, second]));
  const unknown = [...new Set(names)].filter(name => table.allNamed(name).length === 0);
  return unknown.length === 0 ? 'a title names one team twice' : `no team is called ${unknown.join(' or ')}`;
}
