// Winners of a Grand Prix, of the championships of Formula 1 and of tournaments of golf, by the exact words of both venues. Pure.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { normalized, slugOf } from '../leagues/names.ts';
import type { TeamTable } from '../leagues/team-table.ts';
import { teamTable } from '../leagues/teams.ts';
import { fullYear, type Outright, type Rule } from './outright.ts';

const DRIVERS = teamTable('drivers');
/** Races by the first word or words of the name of a Grand Prix. */
const RACES: ReadonlySet<string> = new Set(
  [
    'Abu Dhabi, Australian, Austrian, Azerbaijan, Bahrain, Barcelona, Barcelona-Catalunya, Belgian, British, Canadian, Chinese, Dutch',
    'Emilia Romagna, Hungarian, Italian, Japanese, Las Vegas, Madrid, Mexico City, Miami, Monaco, Qatar, São Paulo, Saudi Arabian',
    'Singapore, Spanish, United States',
  ].flatMap(names => names.split(', ')),
);

export const WINNERS_OF_A: readonly Rule[] = [
  (_, { title }) => {
    const words = /^Will (.+) be the (\d{4}) F1 (Drivers|Constructors)[’'] Champion\?$/;
    const [, who = '', year = '', kind = ''] = words.exec(title) ?? [];
    return championOf(kind, year, who);
  },
  ({ title: eventTitle }, { title, occursAt }) => {
    const [, who = '', stated = '', race = ''] = /^Will (.+) win the (?:(\d{4}) )?(.+) Grand Prix\?$/.exec(title) ?? [];
    const [, listed = ''] = /^(?:F1 )?(.+) Grand Prix: Driver Winner$/.exec(eventTitle) ?? [];
    const year = occursAt === null ? '' : monthOf(occursAt).slice(0, 4);
    // The sprint of a Grand Prix has another title.
    return race === listed && (stated === '' || stated === year) ? raceWinner(race, occursAt, who) : null;
  },
  (_, { title }) => {
    const [, who = '', year = '', name = ''] = /^Will (.+) win the (\d{4}) (.+)\?$/.exec(title) ?? [];
    return tournamentWinner(name, year, who);
  },
];

export const WINNERS_OF_B: readonly Rule[] = [
  (_, { marketId, label }) => {
    const [, constructors, year = ''] = /^KXF1(CONSTRUCTORS)?-(\d\d)-[A-Z0-9]+$/.exec(marketId) ?? [];
    return championOf(constructors === undefined ? 'Drivers' : 'Constructors', fullYear(year), label);
  },
  ({ title: eventTitle }, { marketId, label, occursAt }) => {
    const [, year = ''] = /^KXF1RACE-[A-Z]+(\d\d)-[A-Z0-9]+$/.exec(marketId) ?? [];
    const [, race = ''] = /^(?:\d{4} )?(.+) Grand Prix Winner\??$/.exec(eventTitle) ?? [];
    const isOfYear = occursAt !== null && monthOf(occursAt).startsWith(`${fullYear(year)}-`);
    return isOfYear ? raceWinner(race, occursAt, label) : null;
  },
  (_, { marketId, title, label }) => {
    const [, year = ''] = /^KXPGATOUR-[A-Z]+(\d\d)-[A-Z0-9]+$/.exec(marketId) ?? [];
    const [, who = '', name = ''] = /^Will (.+) win the (.+)\?$/i.exec(title) ?? [];
    return normalized(who) === normalized(label) ? tournamentWinner(name, fullYear(year), label) : null;
  },
];

function championOf(kind: string, year: string, who: string): Outright | null {
  const tables: Readonly<Record<string, TeamTable>> = { Drivers: DRIVERS, Constructors: teamTable('constructors') };
  const subject = tables[kind]?.named(who) ?? null;
  if (year === '' || subject === null) return null;
  const id = `f1-${year}-${kind.toLowerCase()}-champion`;
  return { id, name: `Formula 1 ${year}: ${kind.toLowerCase()}’ champion`, competition: 'f1', subject };
}

/**
 * The month is a part of the question: a country may have two races, and the venues may call another one the `Spanish`. A race on the last
 * evening of a month may be matched with nothing.
 */
function raceWinner(race: string, at: UnixMillis | null, who: string): Outright | null {
  const subject = DRIVERS.named(who);
  if (!RACES.has(race) || at === null || subject === null) return null;
  const month = monthOf(at);
  const id = `f1-${slugOf(race)}-grand-prix-${month}-winner`;
  return { id, name: `${race} Grand Prix of ${month}: winner`, competition: 'f1', subject };
}

/** Names that no tournament of another sport has. */
const TOURNAMENTS = new Map(
  [
    ...['Masters', 'PGA Championship', 'Open Championship', 'Players Championship', 'BMW Championship'],
    ...['Tour Championship', 'FedEx St. Jude Championship', 'Travelers Championship', 'Truist Championship'],
    ...['RBC Heritage', 'Memorial Tournament', 'Arnold Palmer Invitational', 'Genesis Invitational'],
  ].map(name => [normalized(name), name]),
);

function tournamentWinner(name: string, year: string, who: string): Outright | null {
  const called = normalized(name).replace(/^the /, '');
  const tournament = TOURNAMENTS.get(called) ?? TOURNAMENTS.get(called.replace(/ tournament$/, ''));
  const subject = { id: slugOf(who), name: who };
  if (year === '' || tournament === undefined || subject.id === '') return null;
  const id = `${slugOf(tournament)}-${year}-winner`;
  return { id, name: `${tournament} ${year}: winner`, competition: 'pga-tour', subject };
}

/** A month such as `2026-09`. */
function monthOf(at: UnixMillis): string {
  return new Date(at).toISOString().slice(0, 7);
}
