// Events and markets for tests of the paper venue B: complete listings in which a test sets only the fields that matter to it.

import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type {
  Game,
  PriceGrid,
  VenueBEventListing,
  VenueBMarketListing,
  VenueBSeries,
} from '../../../src/paper/catalog/listings.ts';

const LINEAR_CENT: PriceGrid = {
  name: 'linear_cent',
  ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
};

const TEAM_STRIKE = { type: 'structured', custom: { basketball_team: 'boston' } };
const HOUR_MS = 3_600_000;

export interface ListedEvent {
  readonly eventTicker: string;
  readonly tickers: readonly string[];
  /** The reference time. The markets opened an hour before it and close a day after it, unless the hours are given. */
  readonly now: UnixMillis;
  readonly opensInH?: number;
  readonly closesInH?: number;
  readonly grid?: PriceGrid;
  readonly strike?: VenueBMarketListing['strike'];
  readonly series?: Partial<VenueBSeries>;
}

export function listedEvent(event: ListedEvent): VenueBEventListing {
  const { eventTicker, tickers, now, series } = event;
  const home = { code: 'BOS', name: 'Boston Celtics', place: 'Boston', nickname: 'Celtics' };
  const game: Game = {
    id: `game-${eventTicker}`,
    league: 'nba',
    home,
    away: { code: 'NYK', name: 'New York Knicks', place: 'New York', nickname: 'Knicks' },
    startsAt: (now + HOUR_MS) as UnixMillis,
    lengthMs: 2 * HOUR_MS,
    strength: { home: 110, away: 108, deviation: 12 },
  };
  return {
    eventTicker,
    series: {
      ticker: eventTicker.split('-')[0]!,
      title: 'Professional basketball game',
      category: 'Sports',
      tags: ['Basketball'],
      frequency: 'custom',
      feeType: 'quadratic',
      feeMultiplier: '1',
      ...series,
    },
    title: 'New York at Boston',
    subTitle: 'NYK at BOS',
    isMutuallyExclusive: true,
    game,
    competition: 'Pro Basketball (M)',
    scope: 'Games',
    markets: tickers.map((ticker, index) => listedMarket(event, ticker, index)),
  };
}

function listedMarket(event: ListedEvent, ticker: string, index: number): VenueBMarketListing {
  const { eventTicker, now, opensInH = -1, closesInH = 24, grid = LINEAR_CENT, strike = TEAM_STRIKE } = event;
  return {
    ticker,
    marketId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    eventTicker,
    title: 'Boston wins',
    yesSubTitle: 'Boston',
    noSubTitle: 'Boston',
    grid,
    createdAt: (now - 100 * HOUR_MS) as UnixMillis,
    openAt: (now + opensInH * HOUR_MS) as UnixMillis,
    closeAt: (now + closesInH * HOUR_MS) as UnixMillis,
    expectedExpirationAt: (now + 4 * HOUR_MS) as UnixMillis,
    strike,
    rulesPrimary: 'If Boston wins, the market resolves to Yes.',
    rulesSecondary: '',
    pricedBy: { question: `${eventTicker}-${index}`, isComplement: false },
  };
}
