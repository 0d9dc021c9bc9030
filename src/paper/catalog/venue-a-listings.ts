// Venue A's listings of a game (venue-a.md §7): one event with a moneyline of two outcomes, and the lines. If a draw is possible, there is
// a neg-risk event of three Yes/No markets, and a second event with the lines. Pure.

import { DAY_MS } from '../../core/domain/durations.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { easternTime } from './eastern-time.ts';
import { hashOf, numberOf, positionsOf, tokenOf } from './identity.ts';
import { type League, type QuestionList, spreadLines, totalLines } from './leagues.ts';
import type { Game, PricedBy, Team, VenueAEventListing, VenueAMarketListing } from './listings.ts';
import { abbreviationOf, type Fixture } from './schedule.ts';

const LISTED_BEFORE_MS = 9 * DAY_MS;
/** The fees of sports since July 2026 (venue-a.md §9.4). */
const FEES = { rate: '0.05', exponent: 1 } as const;

/** The facts of a market that differ between the markets of its event. */
interface Part {
  readonly question: string;
  readonly slugEnd: string;
  readonly outcomes: readonly [string, string];
  readonly type: 'moneyline' | 'spreads' | 'totals';
  readonly line: number | null;
  readonly groupItemTitle: string;
  readonly pricedBy: PricedBy;
}

export function venueAEvents(fixture: Fixture, questions: QuestionList, takerDelayS: number): VenueAEventListing[] {
  const lines = linesOf(fixture, questions);
  if (!fixture.league.hasDraw) {
    return [eventOf(fixture, '', [moneyline(fixture, questions), ...lines], false, takerDelayS)];
  }
  return [
    eventOf(fixture, '', threeWay(fixture, questions), true, takerDelayS),
    eventOf(fixture, '-more-markets', lines, false, takerDelayS),
  ];
}

function eventOf(
  fixture: Fixture,
  slugEnd: string,
  parts: readonly Part[],
  isNegRisk: boolean,
  takerDelayS: number,
): VenueAEventListing {
  const { league, game } = fixture;
  const slug = `${game.id}${slugEnd}`;
  return {
    id: String(numberOf(9, 'venue-a event', slug)),
    slug,
    title: slugEnd === '' ? titleOf(fixture) : `${titleOf(fixture)} - More Markets`,
    sport: league.venueA.sport,
    tags: league.venueA.tags,
    game,
    gameId: numberOf(8, 'venue-a game', game.id),
    negRiskMarketId: isNegRisk ? hashOf('venue-a neg-risk market', slug) : null,
    markets: parts.map(part => marketOf(fixture, part, isNegRisk, takerDelayS)),
  };
}

function marketOf(
  { league, game, listedAt }: Fixture,
  part: Part,
  isNegRisk: boolean,
  takerDelayS: number,
): VenueAMarketListing {
  const slug = `${game.id}${part.slugEnd}`;
  return {
    id: String(numberOf(9, 'venue-a market', slug)),
    question: part.question,
    slug,
    ...idsOf(part, slug),
    questionId: hashOf('venue-a question', slug),
    outcomes: part.outcomes,
    sportsMarketType: part.type,
    line: part.line,
    groupItemTitle: part.groupItemTitle,
    tickSize: tickSizeOf(league, part),
    minOrderSize: '5',
    isNegRisk,
    takerDelayS,
    clearsBookOnStart: true,
    fees: FEES,
    createdAt: listedAt ?? ((game.startsAt - LISTED_BEFORE_MS) as UnixMillis),
    endAt: game.startsAt,
    pricedBy: part.pricedBy,
  };
}

/** Returns the ids of a market. Totals are markets of Protocol V2, all others of V1, so that one event has both kinds. */
function idsOf({ type }: Part, slug: string): Pick<VenueAMarketListing, 'conditionId' | 'tokens'> {
  if (type === 'totals') return positionsOf('venue-a position', slug);
  const tokens = [tokenOf('venue-a token', slug, '0'), tokenOf('venue-a token', slug, '1')] as const;
  return { conditionId: hashOf('venue-a condition', slug), tokens };
}

/**
 * Returns the tick size. The winner markets of basketball and tennis have a fine tick from the start. Others may get it while they trade
 * (venue-a.md §5.2).
 */
function tickSizeOf(league: League, { type }: Part): string {
  const isFine = type === 'moneyline' && (league.code === 'nba' || league.strikeKey === 'tennis_competitor');
  return isFine ? '0.001' : '0.01';
}

function moneyline(fixture: Fixture, questions: QuestionList): Part {
  const { league, game } = fixture;
  const [first, second] = inOrder(league, game);
  return {
    question: titleOf(fixture),
    slugEnd: '',
    outcomes: [first.nickname, second.nickname],
    type: 'moneyline',
    line: null,
    groupItemTitle: '',
    pricedBy: questions.winner(league, game, first === game.home ? 'home' : 'away'),
  };
}

function threeWay({ league, game }: Fixture, questions: QuestionList): Part[] {
  const { date } = easternTime(game.startsAt);
  const yesNo = { outcomes: ['Yes', 'No'], type: 'moneyline', line: null } as const;
  const wins = (team: Team, place: 'home' | 'away'): Part => ({
    ...yesNo,
    question: `Will ${team.name} win on ${date}?`,
    slugEnd: `-${abbreviationOf(team)}`,
    groupItemTitle: team.name,
    pricedBy: questions.winner(league, game, place),
  });
  const title = `${game.home.name} vs. ${game.away.name}`;
  return [
    wins(game.home, 'home'),
    {
      ...yesNo,
      question: `Will ${title} end in a draw?`,
      slugEnd: '-draw',
      groupItemTitle: `Draw (${title})`,
      pricedBy: questions.drawPrices(game),
    },
    wins(game.away, 'away'),
  ];
}

function linesOf(fixture: Fixture, questions: QuestionList): Part[] {
  const { league, game } = fixture;
  const { spread, total } = league.venueB;
  const spreads = spread === null ? [] : spreadLines(league, game).main;
  const totals = total === null ? [] : totalLines(league, game).main;
  return [
    ...spreads.map((it): Part => {
      const [team, other] = it.team === 'home' ? [game.home, game.away] : [game.away, game.home];
      return {
        question: `Spread: ${team.nickname} (-${it.points})`,
        slugEnd: `-spread-${it.team}-${slugNumber(it.points)}`,
        outcomes: [team.nickname, other.nickname],
        type: 'spreads',
        line: -it.points,
        groupItemTitle: `Spread -${it.points}`,
        pricedBy: questions.spread(game, it),
      };
    }),
    ...totals.map(
      (points): Part => ({
        question: `${titleOf(fixture)}: O/U ${points}`,
        slugEnd: `-total-${slugNumber(points)}`,
        outcomes: ['Over', 'Under'],
        type: 'totals',
        line: points,
        groupItemTitle: `O/U ${points}`,
        pricedBy: questions.total(game, points),
      }),
    ),
  ];
}

/** Returns a title such as `Celtics vs. Lakers`. A title of tennis also names the tournament. */
function titleOf({ league, game }: Fixture): string {
  const [first, second] = inOrder(league, game);
  return league.strikeKey === 'tennis_competitor'
    ? `${league.competition}: ${first.name} vs ${second.name}`
    : `${first.nickname} vs. ${second.nickname}`;
}

/** Writes a number as slugs have it: `3pt5`. */
function slugNumber(points: number): string {
  return String(points).replace('.', 'pt');
}

function inOrder(league: League, { home, away }: Game): readonly [Team, Team] {
  return league.isHomeFirst ? [home, away] : [away, home];
}
