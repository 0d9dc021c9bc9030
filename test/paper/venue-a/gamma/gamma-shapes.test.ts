// Gamma's documents against recorded documents of the real Gamma. They have only fields that the real documents have, with the same types, and all
// fields that a catalog of sports needs.

import { describe, expect, it } from 'vitest';
import { type JsonObject, objectsOf } from '../../../../src/core/domain/json.ts';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import { createCatalog } from '../../../../src/paper/catalog/catalog.ts';
import { VenueAExchange } from '../../../../src/paper/venue-a/exchange.ts';
import { Gamma } from '../../../../src/paper/venue-a/gamma/gamma-server.ts';
import { Query } from '../../../../src/paper/venue-a/gamma/query.ts';
import { recordedObjects, strangers } from '../../../support/json-shapes.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import { recordingsPresent } from '../../../support/recordings.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const NOW = Date.UTC(2026, 10, 21, 18) as UnixMillis;

const EVENTS = [
  'venue-a/gamma/event_game_full.json',
  'venue-a/poly-trebuchet/fixtures/polymarket/events/fed-decision-in-june-825/gamma-event.json',
  'venue-a/poly-trebuchet/fixtures/polymarket/events/fed-decision-in-june-825/gamma-search.json',
  'pairs/cross-steffenmax/data-logger-v3-websocket/poly_nba.json',
];
const MARKETS = [
  'venue-a/poly-polycopy/tests/fixtures/gamma_market_sample.json',
  'venue-a/poly-polycopy/tests/fixtures/gamma_markets_categories_sample.json',
  'venue-a/poly-nautilus/crates/adapters/polymarket/test_data/gamma_market_sports_market_money_line.json',
  'venue-a/poly-nautilus/crates/adapters/polymarket/test_data/gamma_market_sports_market_map_handicap.json',
];

function gammaAtTheEnd(): Gamma {
  const { sports, events } = createCatalog({ seed: 5, now: NOW }).venueA;
  const timers = new VirtualTimers(NOW + 40 * 24 * 3_600_000);
  const exchange = new VenueAExchange({ sports, events, timers, faults: NO_FAULTS, random: new Random(1) });
  for (const { conditionId } of events[0]!.markets) exchange.resolutions.resolve(exchange.markets.get(conditionId)!, 0);
  return new Gamma(exchange, () => ({ home: 3, away: 1 }));
}

const query = (text: string) => new Query({ query: text });

describe.skipIf(!recordingsPresent)('Gamma beside its recordings (skipped where they are absent)', () => {
  const gamma = gammaAtTheEnd();
  const events = gamma.events(query('limit=500')) as JsonObject[];
  const recordedEvents = recordedObjects(EVENTS, 'ticker').filter(event => 'markets' in event || 'teams' in event);

  it('has the venue’s fields of events', () => {
    expect(recordedEvents.length).toBeGreaterThan(50);
    expect(strangers(events, recordedEvents)).toEqual([]);
  });

  it('has the venue’s fields of markets', () => {
    const theirs = [
      ...recordedObjects(MARKETS, 'conditionId'),
      ...recordedEvents.flatMap(event => objectsOf(event.markets)),
    ];
    const ours = [
      ...events.flatMap(event => objectsOf(event.markets)),
      ...(gamma.markets(query('limit=500')) as JsonObject[]),
    ];
    // The sheet of late 2026 states these fields; the recordings are older.
    expect(strangers(ours, theirs)).toEqual(['positionIds: array', 'version: string']);
  });

  it.each([
    ['teams', () => events.flatMap(event => objectsOf(event.teams))],
    ['series', () => events.flatMap(event => objectsOf(event.series))],
    ['tags', () => events.flatMap(event => objectsOf(event.tags))],
  ] as const)('has the venue’s fields of %s', (name, ours) => {
    const theirs = recordedEvents.flatMap(event => objectsOf(event[name]));
    expect(ours().length).toBeGreaterThan(0);
    expect(strangers(ours(), theirs)).toEqual([]);
  });
});

describe('what a catalog of sports is built from', () => {
  const events = gammaAtTheEnd().events(query('limit=500')) as JsonObject[];

  it.each([
    'id',
    'slug',
    'title',
    'startTime',
    'eventDate',
    'gameId',
    'seriesSlug',
    'closed',
    'live',
    'ended',
    'negRisk',
  ])('events have %s', field => {
    expect(events.every(event => event[field] !== undefined)).toBe(true);
  });

  it.each([
    ['id', 'conditionId', 'slug', 'question', 'outcomes', 'clobTokenIds', 'outcomePrices', 'sportsMarketType'],
    ['groupItemTitle', 'gameStartTime', 'acceptingOrders', 'enableOrderBook', 'orderPriceMinTickSize', 'negRisk'],
  ])('markets have %s and the like', (...fields) => {
    const markets = events.flatMap(event => objectsOf(event.markets));
    for (const field of fields) expect(markets.filter(market => market[field] === undefined)).toEqual([]);
    const lined = markets.filter(market => market.sportsMarketType !== 'moneyline');
    expect(lined.every(market => typeof market.line === 'number')).toBe(true);
  });
});
