// Reads games from venue C's events. A game is one event with a name such as `Boston Celtics at Los Angeles Lakers`. It reads only team
// leagues without draws, and only winners: the names of other listings have never been observed. Pure.

import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { COMPETITIONS } from '../leagues/competitions.ts';
import { normalized } from '../leagues/names.ts';
import { type Claim, type Game, sideNamed } from './game.ts';
import { type GameReader, GamesOfParts } from './game-reader.ts';
import { pairsIn } from './game-title.ts';
import { localDate } from './local-date.ts';
import { namedTeams } from './named-teams.ts';

export function venueCGames(): GameReader {
  return new GamesOfParts(gameOf, (_, [game]) => game!);
}

const BY_TOURNAMENT = new Map(
  COMPETITIONS.filter(({ teams, evenEnd }) => teams !== null && evenEnd !== 'draw').map(it => [
    normalized(it.name),
    it,
  ]),
);

function gameOf(event: VenueEvent): Game | null {
  const competition = BY_TOURNAMENT.get(normalized(event.competition));
  if (!competition?.teams || event.startsAt === null) return null;
  const titles = [pairsIn(event.title)].filter(ways => ways.length > 0);
  const named = namedTeams(competition, competition.teams, { titles, teams: [], labels: [], codes: [] });
  if (typeof named === 'string') return null;
  const { opponents } = named;
  return {
    key: `venue_c/${event.eventId}`,
    formerKey: null,
    competition,
    date: localDate(event.startsAt, competition.zone),
    startsAt: event.startsAt,
    opponents,
    home: null,
    homeByOrder: null,
    isHomeContradicted: false,
    events: [event],
    read: () => ({ claims: claimsOf({ competition, opponents }, event.markets), others: [] }),
  };
}

/**
 * Each side once. None for a game with two such markets, or for a market whose names do not each match a different
 * side.
 */
function claimsOf(game: Pick<Game, 'competition' | 'opponents'>, markets: readonly VenueMarket[]): readonly Claim[] {
  const [market, ...more] = markets.filter(isMoneyline);
  if (market === undefined || more.length > 0) return [];
  const sides = market.outcomes.map(({ name }) => sideNamed(game, name));
  if (new Set(sides).size !== sides.length) return [];
  const claims = sides.flatMap((of, at): Claim[] =>
    of === null
      ? []
      : [{ statement: { kind: 'winner', of }, route: market.outcomes[at]!.route, isDirect: true, market }],
  );
  return claims.length === sides.length ? claims : [];
}

/** For the whole game: `1st half moneyline` is another question. */
function isMoneyline({ kind, title, label, line }: VenueMarket): boolean {
  const words = [kind, title, ...(label === '' ? [] : [label])].map(normalized);
  return words.every(it => it === 'moneyline' || it === 'money line') && (line === null || Number(line) === 0);
}
