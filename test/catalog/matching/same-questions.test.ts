// Questions of politics, economics and prices: one only where the words, the threshold, the time and the source are the same at both venues.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../../src/venues/venue-a/discovery.ts';
import { readVenueBEvent } from '../../../src/venues/venue-b/discovery.ts';
import { venueAEvent, venueAMarket, venueBEvent, venueBMarket } from '../venue-objects.ts';
import { build, marketOf, routes } from './catalogs.ts';

const ASKED = 'Will CPI rise more than 0.3% in November 2026?';
const END = '2026-12-10T13:30:00Z';

function atA(more: JsonObject = {}, ofEvent: JsonObject = {}): VenueEvent {
  const question = { question: ASKED, outcomes: '["Yes", "No"]', sportsMarketType: '', gameStartTime: null };
  const market = venueAMarket(1, { ...question, endDate: END, resolutionSource: 'https://www.bls.gov/cpi/', ...more });
  const event = { slug: 'cpi-november', title: 'CPI in November', sport: null, gameId: null, teams: [], ...ofEvent };
  const read = readVenueAEvent(venueAEvent(5, [market], event));
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

function atB(more: JsonObject = {}, ofEvent: JsonObject = {}): VenueEvent {
  const strike = { strike_type: 'greater', floor_strike: 0.3, custom_strike: undefined };
  const said = { title: ASKED, yes_sub_title: 'More than 0.3%', no_sub_title: 'More than 0.3%' };
  const event = {
    ...{ series_ticker: 'KXCPI', title: 'CPI in November 2026', category: 'Economics', product_metadata: {} },
    settlement_sources: [{ name: 'BLS', url: 'https://bls.gov/cpi' }],
    ...ofEvent,
  };
  const market = venueBMarket('KXCPI-26NOV-T0.3', { ...said, ...strike, close_time: END, ...more });
  const read = readVenueBEvent(venueBEvent('KXCPI-26NOV', [market], event), () => null);
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

/** Returns the ids of the markets that both venues have. */
const shared = (...events: readonly VenueEvent[]): readonly string[] =>
  build(...events)
    .markets.filter(({ outcomes }) => new Set(outcomes[0]!.listings.map(({ route }) => route.venue)).size === 2)
    .map(({ id }) => id);

describe('a question', () => {
  it('is one where both venues ask it in the same words, to the same end, by the same source', () => {
    const catalog = build(atA(), atB());
    const { id } = catalog.markets[0]!;
    expect(routes(marketOf(catalog, id))).toEqual(['Yes: A, T0.3 YES', 'No: A, T0.3 NO']);
    expect(catalog.markets).toHaveLength(1);
    expect(marketOf(catalog, id)).toMatchObject({ eventId: null, notes: [expect.stringContaining('venue_a')] });
  });

  it('keeps the id that it has at venue A, also when venue B moves its end or no longer lists it', () => {
    const idsOf = (...events: readonly VenueEvent[]) => build(...events).markets.map(({ id }) => id);
    const [own] = idsOf(atA()) as [string];
    expect(own).toMatch(/^venue_a:/);
    expect(idsOf(atA(), atB())).toEqual([own]);
    expect(idsOf(atB(), atA())).toEqual([own]);
    const moved = { close_time: '2026-12-10T12:00:00Z' };
    expect(idsOf(atA(), atB(moved)).sort()).toEqual([own, 'venue_b:KXCPI-26NOV-T0.3']);
    expect(idsOf(atB())).toEqual(idsOf(atB(moved)));
  });

  it.each<[string, VenueEvent, VenueEvent]>([
    ['in another spelling', atA({ question: 'Will CPI rise more than 0.30% in Nov 2026?' }), atB()],
    ['whose event states the source', atA({ resolutionSource: '' }, { resolutionSource: 'bls.gov/cpi' }), atB()],
    [
      'with thousands',
      atA({ question: 'Will Bitcoin be above $100,000 on November 30?' }),
      atB({ title: 'Will Bitcoin be above $100000 on Nov 30?', yes_sub_title: '$100,000', floor_strike: 100_000 }),
    ],
    [
      'that may be equal',
      atA({ question: 'Will Bitcoin be at $100,000 or above on November 30?' }),
      atB({
        ...{ title: 'Will Bitcoin be at $100,000 or above on November 30?', yes_sub_title: '$100,000 or above' },
        ...{ strike_type: 'greater_or_equal', floor_strike: 100_000 },
      }),
    ],
    [
      'of politics, without a threshold',
      atA({ question: 'Will Klára Dobrev be the next Prime Minister of Hungary?', groupItemTitle: 'Klára Dobrev' }),
      atB({
        ...{ title: 'Will Klara Dobrev be the next Prime Minister of Hungary?', yes_sub_title: 'Klara Dobrev' },
        ...{ strike_type: 'structured', floor_strike: undefined },
      }),
    ],
  ])('is one %s', (_, a, b) => {
    expect(shared(a, b)).toHaveLength(1);
  });

  const politics = { title: 'Will there be a shutdown?', strike_type: 'custom', floor_strike: undefined };
  it.each<[string, VenueEvent, VenueEvent]>([
    ['of another threshold', atA({ question: ASKED.replace('0.3', '0.4') }), atB()],
    ['of a threshold below zero', atA({ question: ASKED.replace('0.3', '-0.3') }), atB()],
    ['of another month', atA({ question: ASKED.replace('November', 'October') }), atB()],
    ['the other way', atA({ question: ASKED.replace('more', 'less') }), atB()],
    ['of at least as much', atA({ question: ASKED.replace('more than', 'at least') }), atB()],
    ['of an end an hour later', atA({ endDate: '2026-12-10T14:30:00Z' }), atB()],
    ['without an end', atA({ endDate: null }), atB()],
    ['by another page of the source', atA({ resolutionSource: 'https://www.bls.gov/ppi' }), atB()],
    ['without a source at venue A', atA({ resolutionSource: '' }), atB()],
    ['without a source at venue B', atA(), atB({}, { settlement_sources: [] })],
    [
      'with a second source at venue B',
      atA(),
      atB({}, { settlement_sources: [{ url: 'https://bls.gov/cpi' }, { url: 'https://bea.gov' }] }),
    ],
    [
      'with a second source at venue B that is no address',
      atA(),
      atB({}, { settlement_sources: [{ url: 'https://bls.gov/cpi' }, { name: 'The Fed' }] }),
    ],
    ['whose strike is not the one of its words', atA(), atB({ floor_strike: 0.4 })],
    ['whose strike includes what its words exclude', atA(), atB({ strike_type: 'greater_or_equal' })],
    ['whose strike is of a kind that is not read', atA(), atB({ strike_type: 'between', cap_strike: 0.4 })],
    ['whose label says more', atA(), atB({ yes_sub_title: 'More than 0.3%, seasonally adjusted' })],
    ['of venue A whose label says more', atA({ groupItemTitle: 'Core' }), atB()],
    ['with a sign that is not read', atA({ question: 'Will CPI be > 0.3%?' }), atB({ title: 'Will CPI be > 0.3%?' })],
    ['of sports', atA(), atB({}, { product_metadata: { competition: 'Pro Football' } })],
    ['with other outcomes', atA({ outcomes: '["No", "Yes"]' }), atB()],
    [
      'that one series asks twice',
      atA({ question: politics.title }),
      {
        ...atB({ ...politics, yes_sub_title: 'Yes' }),
        markets: ['KXX-1', 'KXX-2'].map(ticker => ({
          ...atB({ ...politics, yes_sub_title: 'Yes', ticker }).markets[0]!,
        })),
      },
    ],
  ])('is two: one %s', (_, a, b) => {
    expect(shared(a, b)).toEqual([]);
    const listed = build(a, b).markets.flatMap(({ outcomes }) => outcomes[0]!.listings);
    expect(listed).toHaveLength(a.markets.length + b.markets.length);
  });
});
