// Venue C lists a game as one event, by a name such as `Boston Celtics at Los Angeles Lakers`. Only leagues of teams whose games have no
// draw, and only who wins: of everything else nobody has seen what it is called there. Pure.

import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { COMPETITIONS, type Competition } from '../leagues/competitions.ts';
import { normalized } from '../leagues/names.ts';
import { type Claim, type Game, type Opponents, sideNamed, teamOpponent } from './game.ts';
import { type GameReader, GamesOfParts } from './game-reader.ts';
import { localDate } from './local-date.ts';

export function venueCGames(): GameReader {
  return new GamesOfParts(gameOf, (_, [game]) => game ?? null);
}

const BY_TOURNAMENT = new Map(
  COMPETITIONS.filter(({ teams, evenEnd }) => teams !== null && evenEnd !== 'draw').map(it => [
    normalized(it.name),
    it,
  ]),
);

function gameOf(event: VenueEvent): Game | null {
  const competition = BY_TOURNAMENT.get(normalized(event.competition));
  const opponents = competition === undefined ? null : opponentsIn(competition, event);
  if (competition === undefined || opponents === null || event.startsAt === null) return null;
  return {
    key: `venue_c/${event.eventId}`,
    formerKey: null,
    competition,
    date: localDate(event.startsAt, competition.zone),
    startsAt: event.startsAt,
    opponents,
    home: null,
    homeByOrder: null,
    events: [event],
    read: () => ({ claims: claimsOf({ competition, opponents }, event.markets), others: [] }),
  };
}

function opponentsIn(competition: Competition, { title }: VenueEvent): Opponents | null {
  const [, one = '', another = ''] = /^(.+?) (?:at|@|vs\.?) (.+)$/i.exec(title) ?? [];
  const [first, second] = [teamOpponent(competition, one), teamOpponent(competition, another)];
  return first === null || second === null || first.id === second.id ? null : [first, second];
}

/** Each side once: none of a game that asks twice, or of a market where not every name is that of another side. */
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

/** Of the whole game: `1st half moneyline` is another question. */
function isMoneyline({ kind, title, label, line }: VenueMarket): boolean {
  const words = [kind, title, ...(label === '' ? [] : [label])].map(normalized);
  return words.every(it => it === 'moneyline' || it === 'money line') && (line === null || Number(line) === 0);
}
