// Found by review: venue A's number named a game, and the slug only one without a number. An event that got its number later lost its id
// (`…-2`). A part that was listed without one (recorded: `fifwc-fra-mar-2026-07-09-more-markets`) was another game, and nobody could say
// which of the two was venue B's.

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA } from '../catalog/matching/listings.ts';

const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const EVENT = 'nba-bos-lal-2026-11-20';
const main = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers');
const total = ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', ['Over', 'Under'], '221.5');
const more = {
  ...atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers - More Markets', { markets: [total] }),
  subTitle: `${EVENT}-more-markets`,
};
const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
const numbered = (event: VenueEvent, gameId = '7'): VenueEvent => ({ ...event, gameId });

const events = (listed: readonly VenueEvent[], ids: EventIds) =>
  buildCatalog(listed, ids).events.map(({ id, matching }) => [id, ...matching.keys]);

it('the game keeps its id, alone and with a twin', () => {
  for (const twin of [[], [b]]) {
    const ids = new EventIds();
    const before = events([main, ...twin], ids);
    expect(before.map(([id]) => id)).toEqual([EVENT]);
    expect(events([numbered(main), ...twin], ids).map(([id]) => id)).toEqual([EVENT]);
    const again = new EventIds(ids.takeNews());
    expect(events([numbered(main), ...twin], again).map(([id]) => id)).toEqual([EVENT]);
    expect(again.takeNews()).toEqual([]);
  }
});

it('the game has the part without a number', () => {
  const catalog = buildCatalog([numbered(main), more, b], new EventIds());
  expect(catalog.events.map(({ matching }) => matching.keys)).toEqual([['venue_a/nba/7', 'venue_b/nba/26NOV20BOSLAL']]);
  expect(catalog.markets.map(({ id }) => id)).toEqual([`${EVENT}:moneyline`, `${EVENT}:total:221.5`]);
  const ids = new EventIds();
  // With either part first, with the number first at either.
  for (const listed of [[more], [main, more], [numbered(main), more], [numbered(main), numbered(more)]]) {
    expect(events(listed, ids).map(([id]) => id)).toEqual([EVENT]);
  }
});

it('the game is not merged with another game of the day', () => {
  const [one, another] = [numbered(main, '1'), numbered(atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers'), '2')];
  expect(events([one, another, more], new EventIds())).toHaveLength(3);
  const second = { ...main, subTitle: `${EVENT}-game-2` };
  const ids = new EventIds();
  expect(events([main], ids)).toEqual([[EVENT, 'venue_a/nba/bos-lal-2026-11-20']]);
  expect(events([numbered(second), main], ids).map(([id]) => id)).toEqual([EVENT, `${EVENT}-2`]);
  // What is still called so has the id.
  expect(events([one, another, more], ids).find(([id]) => id === EVENT)).toEqual([
    EVENT,
    'venue_a/nba/bos-lal-2026-11-20',
  ]);
});
