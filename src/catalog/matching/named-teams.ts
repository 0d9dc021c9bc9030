// Finds which two teams a game's listings name. It reads titles, labels and codes in every way, and takes what they have in common. Other
// listings settle a name of two teams (`Los Angeles`). If listings contradict each other on the home side, only the home side is unknown.
// Pure.

import type { VenueEvent } from '../../venues/discovery.ts';
import type { Competition } from '../leagues/competitions.ts';
import { pairsOf, type Team, type TeamTable } from '../leagues/team-table.ts';
import { type Opponents, other, type Side } from './game.ts';

export interface TitledPair {
  readonly first: string;
  readonly second: string;
  /** `at`: the second is at home. `vs`: the competition's order. */
  readonly form: 'at' | 'vs';
}

/** Between the parts of a title. */
const BOUNDARY = /: | [-–—|] |, |; /;
/** A capital `V` ends a name: `Tokyo V vs Kashima`. */
const NAME_SEPARATOR = / ([Aa][Tt]|@|[Vv][Ss]\.?|v\.?|[Vv]ersus) /;
/** A stage without a colon behind it, or in brackets. */
const STAGE =
  /^(?:(?:game|leg|round|match|week|matchday|day) (?:\d+|one|two|three|four|five|six|seven)|[([][^)\]]*[)\]]) /i;
/** A question or a stage without a colon before it. */
const QUESTION =
  / (?:(?:game )?winner|match|(?:game|leg)(?: \d)?|spreads?|totals?|total (?:points|goals|runs)|to advance)\??$/i;
/** `(Game 2)`, `(Aug 9)`, `(If Necessary)`; but `(FL)` is a part of a name. */
const REMARK = / \((?:[^)]*\d[^)]*|if necessary|neutral(?: site)?)\)$/i;

/** `(Women's Flyweight, Main Card)`: no name has brackets with a comma. */
const WEIGHT = / \([^()]*, [^()]*\)$/;

/** Every way to read the title of each event whose title names two opponents. */
export function titlesOf(parts: readonly { readonly event: VenueEvent }[]): readonly (readonly TitledPair[])[] {
  return parts.map(({ event }) => pairsIn(event.title)).filter(ways => ways.length > 0);
}

/** Every way to read the title: two for `A vs B at C`. Empty if it does not name two opponents. */
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
  // Names and separators alternate.
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

/** The pair in the competition's order. */
type Pair = readonly [Team, Team];

export interface NamedTeams {
  readonly opponents: Opponents;
  readonly home: Side | null;
  /** Listings name different teams as the home side. */
  readonly isHomeContradicted: boolean;
}

/** Listings that name the opponents. */
export interface Namings {
  /** Every way to read each title that names two teams. */
  readonly titles: readonly (readonly TitledPair[])[];
  /** The venue's own objects of the two teams, each with all of its names, in no order. */
  readonly teams: readonly (readonly [readonly string[], readonly string[]])[];
  /** Names of markets: they decide which of two teams a title means, but do not replace a title. */
  readonly labels: readonly (readonly [string, string])[];
  /** Every way to read the codes. */
  readonly codes: readonly Pair[];
}

/** The teams that one listing names, in every way to read it. */
interface Naming {
  readonly pairs: readonly Pair[];
  /** Readings that state the home side, and those whose order implies it. */
  readonly stated: readonly Pair[];
  readonly ordered: readonly Pair[];
}

/** Text: the reason why the teams are unknown. */
export function namedTeams(competition: Competition, table: TeamTable, listed: Namings): NamedTeams | string {
  const titles = readable(listed.titles.map(ways => titleNaming(competition, table, ways)));
  const teams = readable(listed.teams.map(names => namesNaming(table, names)));
  // A name that no table has outweighs codes and labels.
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

/** The pairs of teams that every listing allows, in the order of the first listing. */
function playing(namings: readonly Naming[]): readonly Pair[] {
  const [first, ...rest] = namings;
  if (first === undefined) return [];
  const possible = first.pairs.filter(pair => rest.every(({ pairs }) => pairs.some(it => isSamePair(pair, it))));
  return possible.filter((pair, at) => possible.findIndex(it => isSamePair(pair, it)) === at);
}

/** `at` states it, codes imply it; without codes the order of names does. */
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
    return [isStraight ? usual : other(usual)];
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

/** The teams with the first known one of the names. */
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
