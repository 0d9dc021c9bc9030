// A market by its name at a venue, with its title for people.

import { expect, it } from 'vitest';
import type { CatalogMarket } from '../../src/catalog/catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { titleOf } from '../../src/catalog/linked-market.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import type { OutcomeRoute } from '../../src/venues/discovery.ts';

const listed = (route: OutcomeRoute) => ({ route, opensAt: 0, closesAt: 9 });
const ticker = (name: string, side: 'YES' | 'NO') => listed({ venue: 'venue_b', ticker: name, side });

const GAME: CatalogMarket = {
  ...{ id: 'game', title: 'Lyon vs. Nice', eventId: null, line: null, notes: [], otherWords: [] },
  outcomes: [
    {
      name: 'Lyon',
      listings: [
        listed({ venue: 'venue_a', tokenId: '71', noTokenId: '72' }),
        ticker('KX-LYON', 'YES'),
        ticker('KX-NICE', 'NO'),
      ],
    },
    { name: 'Nice', listings: [ticker('KX-NICE', 'YES'), ticker('KX-LYON', 'NO')] },
  ],
};

it('has the outcome in which a token, or YES of a ticker, pays', () => {
  const writer = new SnapshotWriter();
  const catalog = writer.write(new RowBuilder().of({ events: [], markets: [GAME] }));
  const { title } = GAME;
  expect(titleOf(catalog, 'venue_a', '71')).toEqual({ title, outcome: 'Lyon' });
  expect(titleOf(catalog, 'venue_a', '72')).toEqual({ title, outcome: 'not Lyon' });
  expect(titleOf(catalog, 'venue_b', 'KX-LYON')).toEqual({ title, outcome: 'Lyon' });
  expect(titleOf(catalog, 'venue_b', 'KX-NICE')).toEqual({ title, outcome: 'Nice' });
  // Neither the other venue's name nor a part of a ticker names the market.
  expect(titleOf(catalog, 'venue_b', '71')).toBe(null);
  expect(titleOf(catalog, 'venue_b', 'KX')).toBe(null);
  // The second write after a catalog overwrites it.
  for (const markets of [[], []]) writer.write(new RowBuilder().of({ events: [], markets }));
  expect(titleOf(catalog, 'venue_b', 'KX-NICE')).toBe(null);
});
