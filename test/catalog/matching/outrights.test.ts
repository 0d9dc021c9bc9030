// Questions outside games. A question that may end in a tie is never merged, even with one in the same words.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../../src/venues/venue-a/discovery.ts';
import { readVenueBEvent } from '../../../src/venues/venue-b/discovery.ts';
import { venueAEvent, venueAMarket, venueBEvent, venueBMarket } from '../venue-objects.ts';
import { build } from './catalogs.ts';

function atA(slug: string, question: string, more: JsonObject = {}): VenueEvent {
  const asked = { question, outcomes: '["Yes", "No"]', sportsMarketType: '', gameStartTime: null };
  const read = readVenueAEvent(
    venueAEvent(5, [venueAMarket(1, { ...asked, ...more })], { slug, sport: null, gameId: null, teams: [] }),
  );
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

function atB(ticker: string, market: JsonObject, event: JsonObject = {}): VenueEvent {
  const [series = '', name = ''] = ticker.split('-');
  const read = readVenueBEvent(
    venueBEvent(`${series}-${name}`, [venueBMarket(ticker, market)], { series_ticker: series, ...event }),
    () => null,
  );
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

/** Returns the number of venues of each market of the catalog. */
const venueCounts = (...events: readonly VenueEvent[]): readonly number[] =>
  build(...events).markets.map(
    ({ outcomes }) => new Set(outcomes.flatMap(({ listings }) => listings.map(({ route }) => route.venue))).size,
  );

describe('outrights', () => {
  it('4008: the best host nation is two markets, since one venue shares a tie and the other breaks it', () => {
    const words = 'Will United States be the furthest advancing host nation at the World Cup?';
    const end = { endDate: '2026-07-20T00:00:00Z' };
    expect(
      venueCounts(
        atA('world-cup-furthest-advancing-host-nation', words, end),
        atB('KXWCBESTHOST-26-USA', { yes_sub_title: 'USA', title: 'Will USA be the best performing host nation?' }),
      ),
    ).toEqual([1, 1]);
  });

  it('4008: the winner of the World Cup is one market', () => {
    const words = 'Will USA win the 2026 FIFA World Cup?';
    expect(venueCounts(atA('world-cup-winner', words), atB('KXWCSTAGEOFELIM-26USA-FW', {}))).toEqual([2]);
  });

  const END = '2026-12-10T13:30:00Z';
  const SOURCE = 'https://www.example.org/results';
  const asked = (question: string, strike: JsonObject = { strike_type: 'custom' }): readonly VenueEvent[] => [
    atA('question', question, { endDate: END, resolutionSource: SOURCE }),
    atB(
      'KXQUESTION-26-Y',
      { ...strike, title: question, yes_sub_title: 'Yes', close_time: END },
      { settlement_sources: [{ url: SOURCE }], product_metadata: {}, category: 'Politics' },
    ),
  ];

  it.each([
    'Will the Greens win the most seats in the election?',
    'Will Ada be the best rated speaker in 2026?',
    'Will Ada finish first in the count?',
    'Will the Greens have the fewest votes?',
  ])('4008: a question of a superlative may end in a tie: %s', question => {
    expect(venueCounts(...asked(question))).toEqual([1, 1]);
  });

  it('4008: a threshold has no tie, also of the highest of something', () => {
    const strike = { strike_type: 'greater', floor_strike: 60 };
    expect(venueCounts(...asked('Will the highest temperature be above 60?', strike))).toEqual([2]);
    expect(venueCounts(...asked('Will the Greens enter the government?'))).toEqual([2]);
  });

  it('4008: a decision of the Federal Reserve says how venue A rounds', () => {
    const { markets } = build(
      atA('fed-decision', 'Will the Fed decrease interest rates by 25 bps after the July 2026 meeting?'),
      atB('KXFEDDECISION-26JUL-C25', { yes_sub_title: 'Cut 25bps' }),
    );
    expect(markets).toHaveLength(1);
    expect(markets[0]!.notes).toEqual([expect.stringContaining('multiple of 25')]);
  });
});
