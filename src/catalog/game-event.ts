// Converts a game of one venue or both to an event of the catalog with its markets. Pure.

import { isoMillisOf } from '../core/domain/iso-time.ts';
import type { Venue } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { assert, unreachable } from '../core/domain/result.ts';
import { type CatalogEvent, type CatalogListing, type CatalogMarket, listingOf, ownMarket } from './catalog.ts';
import type { Competition } from './leagues/competitions.ts';
import type { EventIds } from './matching/event-ids.ts';
import {
  type Claim,
  type Game,
  type GameMarkets,
  otherSide,
  type Side,
  type Statement,
  sideWithId,
  withSidesSwapped,
} from './matching/game.ts';
import type { Pairing } from './matching/pair-evidence.ts';

export interface EventWithMarkets {
  readonly event: CatalogEvent;
  readonly markets: readonly CatalogMarket[];
}

const NOTHING: GameMarkets = { claims: [], others: [] };

/** Returns the venues' names of the game. */
export function keysOf({ a, b }: Pairing): readonly string[] {
  return [a, b].filter(game => game !== null).map(({ key }) => key);
}

/** The permanent id that the game gets if it has none yet. */
export function idWanted({ a, b }: Pairing): string {
  const { competition, opponents, date } = a ?? b!;
  return `${competition.id}-${opponents.map(it => it.id).join('-')}-${date}`;
}

/**
 * Returns the side with which lines and outcomes begin: the home side when the event is first seen. The id keeps this side. Another venue
 * may list the game later, or name another home side, but the meaning of `…:spread:-4.5` must not change. Only a correction of the
 * opponents sets the side again.
 */
export function firstSide({ a, b }: Pairing, id: string, ids: EventIds): Side {
  const game = a ?? b!;
  const kept = ids.firstOf(id);
  const known = kept === null ? null : sideWithId(game, kept);
  if (known !== null) return known;
  const first = game.home ?? 0;
  ids.keepFirst(id, game.opponents[first].id);
  return first;
}

export function gameEvent(pairing: Pairing, id: string, first: Side): EventWithMarkets {
  const { a, b, bSideOfFirst, claimsOfC, confidence, evidence } = pairing;
  // Venue A has full names, start times and, at times, the home side.
  const game = a ?? b!;
  const { competition } = game;
  const names = [nameOfSide(pairing, 0), nameOfSide(pairing, 1)] as const;
  const sides = competition.isHomeFirst ? [first, otherSide(first)] : [otherSide(first), first];
  const name = sides.map(side => names[side]).join(competition.isHomeFirst ? ' vs ' : ' at ');
  const [firstRole, otherRole] =
    game.home === null ? (['COMPETITOR', 'COMPETITOR'] as const) : (['HOME', 'AWAY'] as const);
  const events = [a, b].flatMap(it => it?.events ?? []);
  const otherWords = [...new Set(events.map(({ title }) => title))];
  const [ofA, ofB] = [a?.read() ?? NOTHING, b?.read() ?? NOTHING];
  const claims = [
    ...ofA.claims,
    ...ofB.claims.map(claim => (bSideOfFirst === 0 ? claim : withSidesSwapped(claim))),
    ...claimsOfC,
  ];
  const markets = events.flatMap(it => it.markets);
  return {
    event: {
      id,
      name,
      sport: competition.sport.id,
      competition: competition.id,
      startsAt: startOf(pairing),
      isOver: markets.length > 0 && markets.every(({ phase }) => phase === 'OVER'),
      participants: sides.map(side => ({ name: names[side], role: side === first ? firstRole : otherRole })),
      matching: { keys: keysOf(pairing), confidence, evidence },
    },
    markets: [
      ...marketsOf({ eventId: id, competition, name, names, first, claims, otherWords }),
      ...[...ofA.others, ...ofB.others].map(market => ownMarket(market, id, otherWords)),
    ],
  };
}

/** Returns venue A's name of the side if venue A lists the game: venue B may have a surname only. */
function nameOfSide({ a, b, bSideOfFirst }: Pairing, side: Side): string {
  return a?.opponents[side].name ?? b!.opponents[bSideOfFirst === 0 ? side : otherSide(side)].name;
}

/** Returns the start. If no venue states it, returns the expected end of the game, or else the end of its day. */
export function startOf({ a, b }: Pairing): UnixMillis {
  const game = a ?? b!;
  return game.startsAt ?? b?.startsAt ?? expectedAt(game) ?? (isoMillisOf(`${game.date}T23:59:59Z`) as UnixMillis);
}

function expectedAt({ events }: Game): UnixMillis | null {
  const market = events.flatMap(({ markets }) => markets).find(({ occursAt }) => occursAt !== null);
  return market?.occursAt ?? null;
}

/** A game of one venue or both. Sides are indices of `names`. */
interface MatchedGame {
  readonly eventId: string;
  readonly competition: Competition;
  readonly name: string;
  readonly names: readonly [string, string];
  /** The side whose handicap is a spread's line, and whose outcome comes first. */
  readonly first: Side;
  readonly claims: readonly Claim[];
  readonly otherWords: readonly string[];
}

interface Question {
  /** The part of the market's id after the event's id. */
  readonly key: string;
  readonly words: string;
  readonly line: string | null;
  readonly outcomes: readonly string[];
}

/** Returns the markets of the game's claims, ordered by id. */
function marketsOf(game: MatchedGame): readonly CatalogMarket[] {
  const found = new Map<string, { readonly question: Question; readonly claims: Claim[][] }>();
  for (const claim of game.claims) {
    const question = questionOf(game, claim.statement);
    const known = found.get(question.key) ?? { question, claims: question.outcomes.map(() => []) };
    found.set(question.key, known);
    const outcome = known.claims[outcomeOf(game, claim.statement)];
    assert(outcome !== undefined, 'a statement is one of its question’s outcomes');
    outcome.push(claim);
  }
  return [...found.values()]
    .map(({ question, claims }) => marketOf(game, question, claims))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function marketOf(game: MatchedGame, question: Question, claims: readonly Claim[][]): CatalogMarket {
  const all = claims.flat();
  const isOf = (venue: Venue): boolean => all.some(({ route }) => route.venue === venue);
  return {
    // The parts are joined because V8 would keep a template string in memory in two pieces and as a whole.
    id: [game.eventId, question.key].join(':'),
    title: [game.name, question.words].join(': '),
    outcomes: question.outcomes.map((name, index) => ({ name, listings: listingsOf(claims[index] ?? []) })),
    eventId: game.eventId,
    line: question.line,
    notes: isOf('venue_a') && isOf('venue_b') ? game.competition.notes : [],
    otherWords: [...new Set([...game.otherWords, ...all.map(({ market }) => market.title)])],
  };
}

/** Returns the listings: direct routes first, then by venue, then by id. */
function listingsOf(claims: readonly Claim[]): readonly CatalogListing[] {
  return [...claims].sort(inOrder).map(({ market, route }) => listingOf(market, route));
}

function inOrder(a: Claim, b: Claim): number {
  if (a.isDirect !== b.isDirect) return a.isDirect ? -1 : 1;
  if (a.route.venue !== b.route.venue) return a.route.venue < b.route.venue ? -1 : 1;
  return a.market.marketId < b.market.marketId ? -1 : 1;
}

function questionOf({ competition, names, first }: MatchedGame, statement: Statement): Question {
  const [one, another] = [names[first], names[otherSide(first)]];
  switch (statement.kind) {
    case 'winner':
      return competition.evenEnd === 'draw'
        ? { key: 'three-way', words: 'winner', line: null, outcomes: [one, 'Draw', another] }
        : { key: 'moneyline', words: 'winner', line: null, outcomes: [one, another] };
    case 'advance':
      return { key: 'advance', words: 'to advance', line: null, outcomes: [one, another] };
    case 'spread': {
      const handicap = statement.of === first ? statement.handicap : -statement.handicap;
      const [key, words] = named('spread', statement.period);
      const line = lineText(handicap);
      const outcomes = [`${one} ${signed(handicap)}`, `${another} ${signed(-handicap)}`];
      return { key: `${key}:${line}`, words: `${words} ${line}`, line, outcomes };
    }
    case 'total': {
      const [key, words] = named('total', statement.period);
      const line = lineText(statement.line);
      return { key: `${key}:${line}`, words: `${words} ${line}`, line, outcomes: [`Over ${line}`, `Under ${line}`] };
    }
    default:
      return unreachable(statement);
  }
}

function outcomeOf({ competition, first }: MatchedGame, statement: Statement): number {
  if (statement.of === 'over') return 0;
  if (statement.of === 'under') return 1;
  if (statement.of === 'draw') return 1;
  const isThreeWay = statement.kind === 'winner' && competition.evenEnd === 'draw';
  if (statement.of === first) return 0;
  return isThreeWay ? 2 : 1;
}

function named(kind: 'spread' | 'total', period: 'game' | 'first-half'): readonly [key: string, words: string] {
  return period === 'game' ? [kind, kind] : [`first-half-${kind}`, `first half ${kind}`];
}

/** Returns thousandths as decimal text: `-4.5`. */
function lineText(thousandths: number): string {
  return String(thousandths / 1_000);
}

function signed(thousandths: number): string {
  return `${thousandths > 0 ? '+' : ''}${lineText(thousandths)}`;
}
