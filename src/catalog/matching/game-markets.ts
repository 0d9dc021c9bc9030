// The markets of a game from the claims of its venues: each question once, each outcome with every route to it. Pure.

import type { Venue } from '../../core/domain/market.ts';
import { assert, unreachable } from '../../core/domain/result.ts';
import { type CatalogListing, type CatalogMarket, listingOf } from '../catalog.ts';
import type { Competition } from '../leagues/competition.ts';
import { type Claim, other, type Side, type Statement } from './game.ts';

/** A game of one venue or both; sides are indices of `names`. */
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
  /** Part of the market's id after the event's id. */
  readonly key: string;
  readonly words: string;
  readonly line: string | null;
  readonly outcomes: readonly string[];
}

/** Markets by id. */
export function marketsOf(game: MatchedGame): readonly CatalogMarket[] {
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
    // Joined: a template string would stay in memory in two pieces and as a whole.
    id: [game.eventId, question.key].join(':'),
    title: [game.name, question.words].join(': '),
    outcomes: question.outcomes.map((name, index) => ({ name, listings: listingsOf(claims[index] ?? []) })),
    eventId: game.eventId,
    line: question.line,
    notes: isOf('venue_a') && isOf('venue_b') ? game.competition.notes : [],
    otherWords: [...new Set([...game.otherWords, ...all.map(({ market }) => market.title)])],
  };
}

/** Direct routes first, then by venue, then by id. */
function listingsOf(claims: readonly Claim[]): readonly CatalogListing[] {
  return [...claims].sort(inOrder).map(({ market, route }) => listingOf(market, route));
}

function inOrder(a: Claim, b: Claim): number {
  if (a.isDirect !== b.isDirect) return a.isDirect ? -1 : 1;
  if (a.route.venue !== b.route.venue) return a.route.venue < b.route.venue ? -1 : 1;
  return a.market.marketId < b.market.marketId ? -1 : 1;
}

function questionOf({ competition, names, first }: MatchedGame, statement: Statement): Question {
  const [one, another] = [names[first], names[other(first)]];
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

/** Thousandths as text: `-4.5`. */
function lineText(thousandths: number): string {
  return String(thousandths / 1_000);
}

function signed(thousandths: number): string {
  return `${thousandths > 0 ? '+' : ''}${lineText(thousandths)}`;
}
