// Found through lines that no test ran: the half in venue B's label of a spread or a total was read and ignored. For any half, the listing
// was matched with the question of its series. A wrong match is worse than a missing one (contract §6).

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { atVenueA, type Listed, ofVenueA, seriesOfB } from '../catalog/matching/listings.ts';

const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const a = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', {
  markets: [
    ofVenueA('Spread: Lakers (-4.5)', 'spreads', ['Lakers', 'Celtics'], '-4.5'),
    ofVenueA('1H Spread: Lakers (-4.5)', 'first_half_spreads', ['Lakers', 'Celtics'], '-4.5'),
    ofVenueA('Celtics vs. Lakers: O/U 111.5', 'totals', ['Over', 'Under'], '111.5'),
    ofVenueA('Celtics vs. Lakers: 1H O/U 111.5', 'first_half_totals', ['Over', 'Under'], '111.5'),
  ],
});

function matched(word: string, label: string, line: string): readonly string[] {
  const b = seriesOfB(NBA, 'BOSLAL', 'Boston at Los Angeles L', word, [{ code: 'X', label, line }]);
  const { markets } = buildCatalog([a, b], new EventIds());
  const isOfB = ({ route }: { readonly route: { readonly venue: string } }) => route.venue === 'venue_b';
  return markets.filter(it => it.line !== null && it.outcomes[0]!.listings.some(isOfB)).map(({ id }) => id);
}

const EVENT = 'nba-bos-lal-2026-11-20';

it.each([
  ['SPREAD', 'Los Angeles L wins by over 4.5 points', '4.5', [`${EVENT}:spread:-4.5`]],
  ['SPREAD', 'Los Angeles L wins the game by over 4.5 points', '4.5', [`${EVENT}:spread:-4.5`]],
  ['SPREAD', 'Los Angeles L wins the 1st half by over 4.5 points', '4.5', []],
  ['1HSPREAD', 'Los Angeles L wins by over 4.5 points', '4.5', [`${EVENT}:first-half-spread:-4.5`]],
  ['1HSPREAD', 'Los Angeles L wins the first half by over 4.5 points', '4.5', [`${EVENT}:first-half-spread:-4.5`]],
  ['1HSPREAD', 'Los Angeles L wins the game by over 4.5 points', '4.5', []],
  ['TOTAL', 'Over 111.5 points scored', '111.5', [`${EVENT}:total:111.5`]],
  ['TOTAL', 'Over 111.5 points scored in the 1st half', '111.5', []],
  ['1HTOTAL', 'Over 111.5 points scored in the first half', '111.5', [`${EVENT}:first-half-total:111.5`]],
  ['1HTOTAL', 'Over 111.5 points scored', '111.5', [`${EVENT}:first-half-total:111.5`]],
])('%s: %s', (word, label, line, ids) => {
  expect(matched(word, label, line)).toEqual(ids);
});
