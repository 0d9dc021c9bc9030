// Venue B's listings of a game: one event each for the winner, the spreads and the totals (venue-b.md §4.2 and §4.5). Tickers and titles
// follow the venue. It has several forms of a title, and a client meets all of them here. The rules are in our own words. Pure.

import { DAY_MS, HOUR_MS } from '../../core/domain/durations.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { easternTime } from './eastern-time.ts';
import { numberOf, uuidOf } from './identity.ts';
import { type League, type QuestionList, type SpreadLine, spreadLines, totalLines } from './leagues.ts';
import type { Game, PricedBy, PriceGrid, VenueBEventListing, VenueBMarketListing, VenueBSeries } from './listings.ts';
import type { Fixture } from './schedule.ts';

/** The time from the listing to the game. Winners are listed some days ahead, lines closer to the game. */
const LISTED_BEFORE_MS = { winner: 9 * DAY_MS, line: 8 * DAY_MS };
const OPEN_AFTER_MS = 10 * 60_000;
/** The time from the game to the close. It leaves postponed games two days. */
const CLOSE_AFTER_MS = 2 * DAY_MS + 4 * HOUR_MS;

const WHOLE = { start: '0.0000', end: '1.0000' };
export const LINEAR_CENT: PriceGrid = { name: 'linear_cent', ranges: [{ ...WHOLE, step: '0.0100' }] };
export const DECI_CENT: PriceGrid = { name: 'deci_cent', ranges: [{ ...WHOLE, step: '0.0010' }] };
export const CENTI_CENT: PriceGrid = {
  name: 'center_centi_edge_centi_cent',
  ranges: [{ ...WHOLE, step: '0.0001' }],
};
const TAPERED_DECI_CENT: PriceGrid = {
  name: 'tapered_deci_cent',
  ranges: [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ],
};

/** The facts of a market that differ between the markets of its event. */
interface Part {
  readonly suffix: string;
  readonly title: string;
  /** The subtitle, which is the same for both sides, as at the venue. */
  readonly subTitle: string;
  readonly strike: VenueBMarketListing['strike'];
  /** The condition in the sentence `If … , then the market resolves to Yes.` */
  readonly condition: string;
  readonly pricedBy: PricedBy;
}

export function venueBEvents(fixture: Fixture, questions: QuestionList): VenueBEventListing[] {
  const { winner, spread, total } = fixture.league.venueB;
  return [
    eventOf(fixture, winner, 'Games', winnerParts(fixture, questions)),
    ...(spread === null ? [] : [eventOf(fixture, spread, 'Spreads', spreadParts(fixture, questions))]),
    ...(total === null ? [] : [eventOf(fixture, total, 'Totals', totalParts(fixture, questions))]),
  ];
}

function eventOf(
  fixture: Fixture,
  series: VenueBSeries,
  scope: 'Games' | 'Spreads' | 'Totals',
  parts: readonly Part[],
): VenueBEventListing {
  const { league, game } = fixture;
  const { compactDate, clock, shortDay } = easternTime(game.startsAt);
  const [first, second] = inOrder(league, game);
  const eventTicker = `${series.ticker}-${compactDate}${league.hasClockInTicker ? clock : ''}${first.code}${second.code}`;
  const suffix = {
    Games: '',
    Spreads: ': Spread',
    Totals: league.isHomeFirst ? ': Totals' : league.unit === 'points' ? ': Total' : `: Total ${capital(league.unit)}`,
  };
  return {
    eventTicker,
    series,
    title: `${titleOfGame(league, game, scope === 'Games')}${suffix[scope]}`,
    subTitle: `${first.code} vs ${second.code} (${shortDay})`,
    isMutuallyExclusive: scope === 'Games',
    game,
    competition: league.competition,
    scope,
    markets: parts.map(part => marketOf(eventTicker, fixture, scope, part)),
  };
}

function marketOf(
  eventTicker: string,
  { league, game, listedAt }: Fixture,
  scope: 'Games' | 'Spreads' | 'Totals',
  part: Part,
): VenueBMarketListing {
  const ticker = `${eventTicker}-${part.suffix}`;
  const habit = game.startsAt - LISTED_BEFORE_MS[scope === 'Games' ? 'winner' : 'line'];
  const createdAt = listedAt ?? (habit as UnixMillis);
  return {
    ticker,
    marketId: uuidOf('venue-b market', ticker),
    eventTicker,
    title: part.title,
    yesSubTitle: part.subTitle,
    noSubTitle: part.subTitle,
    grid: gridOf(league, scope),
    createdAt,
    openAt: (createdAt + OPEN_AFTER_MS) as UnixMillis,
    closeAt: (game.startsAt + CLOSE_AFTER_MS) as UnixMillis,
    expectedExpirationAt: (game.startsAt + 3 * HOUR_MS) as UnixMillis,
    strike: part.strike,
    rulesPrimary: `If ${part.condition}, then the market resolves to Yes.`,
    rulesSecondary: rulesSecondary(league, game),
    pricedBy: part.pricedBy,
  };
}

/**
 * Returns the price grid. Winners of football have a tapered grid and tennis a fine one, so that clients meet prices between whole cents.
 */
function gridOf(league: League, scope: string): PriceGrid {
  if (league.strikeKey === 'tennis_competitor') return DECI_CENT;
  return league.code === 'nfl' && scope === 'Games' ? TAPERED_DECI_CENT : LINEAR_CENT;
}

function winnerParts({ league, game }: Fixture, questions: QuestionList): Part[] {
  const title = `${titleOfGame(league, game, true)} Winner?`;
  const parts = inOrder(league, game).map((team): Part => {
    const place = team === game.home ? 'home' : 'away';
    const subTitle = league.strikeKey === 'tennis_competitor' ? team.name : team.place;
    return {
      suffix: team.code,
      title,
      subTitle,
      strike: { type: 'structured', custom: { [league.strikeKey]: uuidOf('competitor', league.code, team.name) } },
      condition: `${subTitle} wins the ${contest(league, game)}${league.hasDraw ? REGULAR_TIME : ''}`,
      pricedBy: questions.winner(league, game, place),
    };
  });
  return league.hasDraw ? [...parts, tiePart({ league, game }, title, questions)] : parts;
}

const REGULAR_TIME = ' within 90 minutes and stoppage time';

function tiePart({ league, game }: Fixture, title: string, questions: QuestionList): Part {
  return {
    suffix: 'TIE',
    title,
    subTitle: 'Tie',
    strike: { type: 'structured', custom: { [league.strikeKey]: uuidOf('competitor', league.code, 'Tie') } },
    condition: `the ${contest(league, game)} stands even${REGULAR_TIME.replace('within', 'after')}`,
    pricedBy: questions.drawPrices(game),
  };
}

function spreadParts({ league, game }: Fixture, questions: QuestionList): Part[] {
  return spreadLines(league, game).all.map((line: SpreadLine): Part => {
    const team = game[line.team];
    const by = `${line.points} ${league.unit}`;
    return {
      suffix: `${team.code}${Math.ceil(line.points)}`,
      title: `${team.place} wins by over ${by}?`,
      subTitle: `${team.place} wins by over ${by}`,
      strike: {
        type: 'greater',
        floor: line.points,
        custom: { [league.strikeKey]: uuidOf('competitor', league.code, team.name) },
      },
      condition: `${team.place} wins the ${contest(league, game)} by more than ${by}`,
      pricedBy: questions.spread(game, line),
    };
  });
}

function totalParts({ league, game }: Fixture, questions: QuestionList): Part[] {
  return totalLines(league, game).all.map(points => ({
    suffix: String(Math.ceil(points)),
    title: `${matchup(league, game)}: Over ${points} ${league.unit}?`,
    subTitle: `Over ${points} ${league.unit} scored`,
    strike: { type: 'greater', floor: points },
    condition: `both sides together score more than ${points} ${league.unit} in the ${contest(league, game)}`,
    pricedBy: questions.total(game, points),
  }));
}

function rulesSecondary(league: League, game: Game): string {
  const extra = league.hasDraw ? 'Extra time and penalties do not count.' : 'Overtime counts.';
  return (
    `This market is about the ${contest(league, game)}. ${extra} ` +
    'A game that is postponed keeps the market open if it is played within two days; ' +
    'otherwise the market resolves to a fair price.'
  );
}

function contest(league: League, game: Game): string {
  return `${matchup(league, game)} ${league.contest} first scheduled for ${easternTime(game.startsAt).day}`;
}

function matchup(league: League, game: Game): string {
  return inOrder(league, game)
    .map(({ place }) => place)
    .join(' vs ');
}

function inOrder(league: League, { home, away }: Game) {
  return league.isHomeFirst ? ([home, away] as const) : ([away, home] as const);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The beginnings of titles. `''` stands for a game outside the playoffs, and is as frequent as all stages together. */
const SERIES = ['', 'Game 4: ', '', 'Game 7 (If Necessary): '] as const;
const SPRING = { Apr: SERIES, May: SERIES, Jun: SERIES } as const;
/** The stages of the playoffs by month, for leagues that play them in series. */
const STAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  nba: { ...SPRING, Apr: [...SERIES, '', 'East Play-In: '] },
  nhl: SPRING,
  mlb: { Oct: SERIES },
};
const TENNIS_STAGES = ['', 'Quarterfinal: ', '', 'Round Of 16: '] as const;

/** Returns the title of the winner event, or the beginning of the title of the lines, which `: Spread` follows. */
function titleOfGame(league: League, game: Game, isOfWinner: boolean): string {
  const form = numberOf(6, 'venue-b title', game.id);
  if (league.strikeKey === 'tennis_competitor') {
    return `${TENNIS_STAGES[form % TENNIS_STAGES.length]}${game.home.place} vs ${game.away.place}`;
  }
  if (league.isHomeFirst) {
    const isTurned = !isOfWinner && form % 2 === 0;
    return isTurned ? titleAtHome(game) : `${game.home.place} vs ${game.away.place}`;
  }
  const isAt = form % 4 < 2;
  const names = isAt ? titleAtHome(game) : `${game.away.place} vs ${game.home.place}`;
  const [month = ''] = easternTime(game.startsAt).shortDay.split(' ');
  const stages = STAGES[game.league]?.[month] ?? [''];
  return `${stages[form % stages.length]}${names}`;
}

function titleAtHome({ home, away }: Game): string {
  return `${away.place} at ${home.place}`;
}
