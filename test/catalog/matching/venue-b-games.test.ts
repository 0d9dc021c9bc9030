// How venue B's listings of games are read.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../../src/venues/venue-a/discovery.ts';
import { readVenueBEvent } from '../../../src/venues/venue-b/discovery.ts';
import { venueAEvent, venueAMarket, venueBEvent, venueBMarket } from '../venue-objects.ts';
import { build } from './catalogs.ts';
import { atVenueB } from './listings.ts';

const RULES_OF_A =
  'This market will resolve to "France" if France is the team that officially advances from this match to the next round of the FIFA World Cup, or is crowned winner of the competition if this match is the final.';
const rulesOfB = (stage: string): string =>
  `If France advance past England in the France vs England soccer match in the ${stage} of the FIFA World Cup, then the market resolves to Yes.`;

function atA(description: string | undefined): VenueEvent {
  const market: JsonObject = {
    question: 'France vs. England: Team to Advance',
    outcomes: '["France", "England"]',
    sportsMarketType: 'soccer_team_to_advance',
    description,
  };
  const event = {
    slug: 'fifwc-fra-eng-2026-07-18-more-markets',
    title: 'France vs. England - More Markets',
    teams: [],
  };
  const read = readVenueAEvent(venueAEvent(5, [venueAMarket(1, market)], event));
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

function atB(rules: string | undefined): VenueEvent {
  const ticker = 'KXWCADVANCE-26JUL18FRAENG';
  const market = venueBMarket(`${ticker}-FRA`, { yes_sub_title: 'France advances', rules_primary: rules });
  const event = { series_ticker: 'KXWCADVANCE', title: 'France vs England: To Advance', sub_title: '' };
  const read = readVenueBEvent(venueBEvent(ticker, [market], event), () => null);
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

const advances = (a: VenueEvent, b: VenueEvent): readonly string[] =>
  build(a, b)
    .markets.filter(({ outcomes }) => new Set(outcomes[0]!.listings.map(({ route }) => route.venue)).size === 2)
    .map(({ id }) => id);

describe('who advances', () => {
  it.each(['Round Of 16', 'Round of 32', 'Quarterfinal', 'Quarter-Final', 'Semifinals', 'Final'])(
    '4008: is one market where both rules confirm it: %s',
    stage => {
      expect(advances(atA(RULES_OF_A), atB(rulesOfB(stage)))).toEqual(['fifa-world-cup-fra-eng-2026-07-18:advance']);
    },
  );

  it.each([
    ['a match for third place', RULES_OF_A, rulesOfB('Third Place Match')],
    ['a third place final', RULES_OF_A, rulesOfB('Third Place Final')],
    ['a bronze final', RULES_OF_A, rulesOfB('Bronze Final')],
    ['an unknown stage', RULES_OF_A, rulesOfB('Play-Off')],
    [
      'a winner of the match',
      RULES_OF_A,
      'If France wins the France vs England soccer match, then it resolves to Yes.',
    ],
    ['no rule at venue B', RULES_OF_A, undefined],
    ['no rule at venue A', undefined, rulesOfB('Final')],
    ['another rule at venue A', 'This market will resolve to the team that wins third place.', rulesOfB('Final')],
  ])('4008: is not one market with %s', (_what, rulesOfA, rules) => {
    expect(advances(atA(rulesOfA), atB(rules))).toEqual([]);
  });
});

describe('winners of soccer', () => {
  const final = { league: 'FACUP', date: '2027-05-15', startsAt: '2027-05-15T15:00:00Z' };
  const sides = { ARS: 'Arsenal', CHE: 'Chelsea' };
  const idsOf = (event: VenueEvent) => build(event).markets.map(({ id }) => id);

  it('4008: are not of 90 minutes where no market of the draw is beside them', () => {
    expect(idsOf(atVenueB(final, 'ARSCHE', 'Arsenal vs Chelsea', sides))).toEqual([
      'venue_b:KXFACUPGAME-27MAY15ARSCHE-ARS',
      'venue_b:KXFACUPGAME-27MAY15ARSCHE-CHE',
    ]);
    expect(idsOf(atVenueB(final, 'ARSCHE', 'Arsenal vs Chelsea', { ...sides, TIE: 'Tie' }))).toEqual([
      'fa-cup-ars-che-2027-05-15:three-way',
    ]);
  });
});
