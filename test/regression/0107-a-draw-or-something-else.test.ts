// Found by review: a label that begins with "Draw" counted as the draw. So did that of a double chance ("Draw or Chelsea FC"), which pays
// in two of three cases. As a moneyline it would have been listed beside the other venue's draw.

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA } from '../catalog/matching/listings.ts';

const GAME: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };

it.each([
  ['Draw (Arsenal FC vs. Chelsea FC)', 2],
  ['Draw', 2],
  ['Draw or Chelsea FC', 1],
  ['Draw/Chelsea FC', 1],
])('%s: %i routes to the draw', (label, routes) => {
  const one = (its: string) => ({ ...ofVenueA(`Will ${its} win?`, 'moneyline', ['Yes', 'No']), label: its });
  const markets = [one('Arsenal FC'), one(label), one('Chelsea FC')];
  const { markets: listed } = buildCatalog(
    [
      atVenueA(GAME, 'ars-che', 'Arsenal FC vs. Chelsea FC', { markets }),
      atVenueB(GAME, 'ARSCFC', 'Arsenal vs Chelsea', { ARS: 'Arsenal', CFC: 'Chelsea', TIE: 'Tie' }),
    ],
    new EventIds(),
  );
  const winner = listed.find(({ id }) => id === 'epl-ars-che-2026-11-21:three-way');
  expect(winner?.outcomes.map(({ name, listings }) => [name, listings.length])).toEqual([
    ['Arsenal', 2],
    ['Draw', routes],
    ['Chelsea', 2],
  ]);
});
