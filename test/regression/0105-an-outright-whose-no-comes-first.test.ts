// Found by review: the first outcome of venue A's question counted as its Yes, by any name. In reverse order a buyer of Yes would have got
// No. Questions of games were checked.

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import type { VenueEvent, VenueMarket } from '../../src/venues/discovery.ts';
import { ofVenueA, seriesOfB } from '../catalog/matching/listings.ts';

const TITLE = 'Will Spain win the 2026 FIFA World Cup?';
const ofB = seriesOfB({ league: 'EPL', date: '2026-07-19' }, '', 'World Cup', 'GAME', []);

function marketsOf(outcomes: readonly [string, string]) {
  const a = ofVenueA(TITLE, '', outcomes);
  const base = { ...ofB, subTitle: '', seriesId: '', competition: '' };
  const listedA: VenueEvent = { ...base, venue: 'venue_a', eventId: '1', title: 'World Cup', markets: [a] };
  const [side, ticker] = ['YES', 'KXWCSTAGEOFELIM-26ESP-FW'] as const;
  const b: VenueMarket = {
    ...a,
    marketId: ticker,
    title: 'Spain',
    outcomes: [
      { name: 'Spain', route: { venue: 'venue_b', ticker, side } },
      { name: 'Not Spain', route: { venue: 'venue_b', ticker, side: 'NO' } },
    ],
  };
  const listedB: VenueEvent = { ...base, eventId: 'KXWCSTAGEOFELIM-26ESP', title: 'Spain', markets: [b] };
  const { markets } = buildCatalog([listedA, listedB], new EventIds());
  return { a, markets };
}

it('an outright is matched by the names of its outcomes', () => {
  const { a, markets } = marketsOf(['Yes', 'No']);
  expect(markets).toHaveLength(1);
  expect(markets[0]!.outcomes[0]).toMatchObject({
    name: 'Yes',
    listings: [{ route: a.outcomes[0]!.route }, { route: { side: 'YES' } }],
  });
});

it.each([
  ['No', 'Yes'],
  ['Over', 'Under'],
] as const)('an outright with outcomes %s and %s is a market of its own', (first, second) => {
  const { a, markets } = marketsOf([first, second]);
  const own = markets.find(({ outcomes }) =>
    outcomes.some(({ listings }) => listings[0]?.route === a.outcomes[0]!.route),
  );
  expect(own?.outcomes.map(({ name, listings }) => [name, listings.length])).toEqual([
    [first, 1],
    [second, 1],
  ]);
});
