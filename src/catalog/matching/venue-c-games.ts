// Reads games from venue C's events, and attaches their listings to games of the catalog. A game is one event with a name such as `Boston
// Celtics at Los Angeles Lakers`. Only team leagues without draws are read, and only markets of winners: the names in other listings have
// never been observed. A listing only adds routes for the winner of a game: it makes no event, market or id. Pure.

import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { Memo } from '../catalog-rows.ts';
import { COMPETITIONS, SAME_START_MS } from '../leagues/competitions.ts';
import { normalized } from '../leagues/team-table.ts';
import {
  type Claim,
  type Game,
  type GameReader,
  GamesOfParts,
  localDate,
  type Matchup,
  sideNamed,
  sideOfFirst,
  withSidesSwapped,
} from './game.ts';
import { namedTeams, titlesOf } from './named-teams.ts';
import { bucketName, type Pairing } from './pair-evidence.ts';

export function venueCGames(): GameReader {
  return new GamesOfParts(listedGame, (_, [game]) => game!);
}

const BY_TOURNAMENT = new Map(
  COMPETITIONS.filter(({ teams, evenEnd }) => teams !== null && evenEnd !== 'draw').map(it => [
    normalized(it.name),
    it,
  ]),
);

function listedGame(event: VenueEvent): Game | null {
  const competition = BY_TOURNAMENT.get(normalized(event.competition));
  if (!competition?.teams || event.startsAt === null) return null;
  const titles = titlesOf([{ event }]);
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
    read: () => ({ claims: winnerClaims({ competition, opponents }, event.markets), others: [] }),
  };
}

/**
 * Returns the claims for the winner, one for each side. Returns none for a game with two such markets, or if a market's names do not match
 * different sides.
 */
function winnerClaims(game: Matchup, markets: readonly VenueMarket[]): readonly Claim[] {
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

/** Whether the market asks for the winner of the whole game: `1st half moneyline` is another question. */
function isMoneyline({ kind, title, label, line }: VenueMarket): boolean {
  const words = [kind, title, ...(label === '' ? [] : [label])].map(normalized);
  return words.every(it => it === 'moneyline' || it === 'money line') && (line === null || Number(line) === 0);
}

/**
 * Attaches games of venue C to pairings, repeatedly. Competition, day, opponents and start must be the same, without another candidate.
 * Pairings that have not changed keep their objects.
 */
export class VenueCListings {
  readonly #attached = new Memo<Pairing>();

  /** Returns every pairing, with the claims of its game of venue C if it has one. */
  of(pairings: readonly Pairing[], gamesOfC: readonly Game[]): readonly Pairing[] {
    this.#attached.begin();
    if (gamesOfC.length === 0) return pairings;
    const buckets = Map.groupBy(gamesOfC, bucketName);
    return [...Map.groupBy(pairings, pairing => bucketName(gameOf(pairing)))].flatMap(([name, rivals]) =>
      this.#within(rivals, buckets.get(name) ?? []),
    );
  }

  #within(rivals: readonly Pairing[], games: readonly Game[]): readonly Pairing[] {
    return rivals.map(pairing => {
      const c = onlyGame(pairing, rivals, games);
      return c === null ? pairing : this.#attached.of(c.key, [pairing, c], () => attach(pairing, c));
    });
  }
}

/** Returns the game of venue C for this pairing. Returns null if there is no such game, or if it is not certain. */
function onlyGame(pairing: Pairing, rivals: readonly Pairing[], games: readonly Game[]): Game | null {
  const [game, ...more] = games.filter(it => canMatchStart(pairing, it));
  if (game === undefined || more.length > 0 || startsOf(pairing).length === 0) return null;
  return rivals.every(rival => rival === pairing || !canMatchStart(rival, game)) ? game : null;
}

/** Whether the game's start does not contradict a start of the pairing. Competition, day and opponents are the same already. */
function canMatchStart(pairing: Pairing, { startsAt }: Game): boolean {
  return startsOf(pairing).every(at => startsAt !== null && Math.abs(at - startsAt) <= SAME_START_MS);
}

function startsOf({ a, b }: Pairing): readonly number[] {
  return [a?.startsAt, b?.startsAt].filter(at => at !== null && at !== undefined);
}

function attach(pairing: Pairing, c: Game): Pairing {
  const game = gameOf(pairing);
  const isAsked = [game, pairing.b].some(it => it?.read().claims.some(({ statement }) => statement.kind === 'winner'));
  const side = sideOfFirst(game, c);
  const { claims } = c.read();
  if (!isAsked || side === null || claims.length === 0) return pairing;
  return {
    ...pairing,
    claimsOfC: side === 0 ? claims : claims.map(withSidesSwapped),
    evidence: [...pairing.evidence, `${c.key} has the same opponents, day and start: shown, never traded`],
  };
}

function gameOf({ a, b }: Pairing): Game {
  return a ?? b!;
}
