// Small and complete objects as the venues list them; a test changes the field in question.

import type { JsonObject } from '../../src/core/domain/json.ts';

export function venueBMarket(ticker: string, more: JsonObject = {}): JsonObject {
  return {
    ticker,
    title: `Will ${ticker} be?`,
    yes_sub_title: 'Boston',
    no_sub_title: 'Boston',
    status: 'active',
    open_time: '2026-11-18T16:00:00Z',
    close_time: '2026-12-02T03:00:00Z',
    strike_type: 'structured',
    custom_strike: { basketball_team: '6dd427f5-fa02-40ef-aa90-cfa73e0c539e' },
    ...more,
  };
}

export function venueBEvent(eventTicker: string, markets: readonly unknown[], more: JsonObject = {}): JsonObject {
  return {
    event_ticker: eventTicker,
    series_ticker: 'KXNBAGAME',
    title: 'Boston at Los Angeles L',
    sub_title: 'BOS at LAL (Nov 20)',
    category: 'Sports',
    mutually_exclusive: true,
    product_metadata: { competition: 'Pro Basketball (M)', competition_scope: 'Game' },
    markets,
    ...more,
  };
}

/** Makes a condition id from a number below 2^32. */
export function conditionId(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

export function venueAMarket(number: number, more: JsonObject = {}): JsonObject {
  return {
    conditionId: conditionId(number),
    question: `Celtics vs. Lakers ${number}`,
    outcomes: '["Celtics", "Lakers"]',
    clobTokenIds: `["${2 * number + 1}", "${2 * number + 2}"]`,
    active: true,
    closed: false,
    acceptingOrders: true,
    enableOrderBook: true,
    version: 'v1',
    sportsMarketType: 'moneyline',
    gameStartTime: '2026-11-21 02:00:00+00',
    ...more,
  };
}

export function venueAEvent(id: number, markets: readonly unknown[], more: JsonObject = {}): JsonObject {
  return {
    id: String(id),
    slug: 'nba-bos-lal-2026-11-20',
    title: 'Celtics vs. Lakers',
    startTime: '2026-11-21T02:00:00Z',
    gameId: 10_079_774,
    negRisk: false,
    sport: { sport: 'nba' },
    teams: [{ name: 'Boston Celtics', abbreviation: 'bos', alias: 'Celtics', ordering: 'away' }],
    markets,
    ...more,
  };
}
