// Found by review: before a season two teams may play each other at both homes on one day, each with half of its squad. Two venues that
// listed one game each were merged for good, though each named the home team. A wrong match is worse than a missing one (contract §6).

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed } from '../catalog/matching/listings.ts';

const GAME: Listed = { league: 'NHL', date: '2026-09-21', startsAt: '2026-09-22T01:00:00Z' };
const NAMES = { EDM: 'Edmonton', CGY: 'Calgary' };
const startsAt = Date.parse(GAME.startsAt) as UnixMillis;
const inCalgaryA = atVenueA(GAME, 'edm-cgy', 'Oilers vs. Flames');
const inEdmontonA = atVenueA(GAME, 'cgy-edm', 'Flames vs. Oilers');
const inCalgaryB = { ...atVenueB(GAME, 'EDMCGY', 'Edmonton at Calgary', NAMES), startsAt };
const inEdmontonB = { ...atVenueB(GAME, 'CGYEDM', 'Calgary at Edmonton', NAMES), startsAt };

const keys = (listed: readonly VenueEvent[], ids: EventIds) =>
  buildCatalog(listed, ids)
    .events.map(({ matching }) => matching.keys.join(' + '))
    .sort();

const [A_IN_CALGARY, A_IN_EDMONTON] = ['venue_a/nhl/edm-cgy-2026-09-21', 'venue_a/nhl/cgy-edm-2026-09-21'];
const [B_IN_CALGARY, B_IN_EDMONTON] = ['venue_b/nhl/26SEP21EDMCGY', 'venue_b/nhl/26SEP21CGYEDM'];

it('a game in Calgary is not merged with one in Edmonton', () => {
  expect(keys([inCalgaryA, inEdmontonB], new EventIds())).toEqual([A_IN_CALGARY, B_IN_EDMONTON]);
  const all = [inCalgaryA, inEdmontonA, inCalgaryB, inEdmontonB];
  expect(keys(all, new EventIds())).toEqual([
    `${A_IN_EDMONTON} + ${B_IN_EDMONTON}`,
    `${A_IN_CALGARY} + ${B_IN_CALGARY}`,
  ]);
});

it('two games that were stored as one become two', () => {
  const wrong = [A_IN_CALGARY, B_IN_EDMONTON].map(key => [key, 'nhl-edm-cgy-2026-09-21'] as const);
  const ids = new EventIds(wrong);
  expect(keys([inCalgaryA, inEdmontonB], ids)).toEqual([A_IN_CALGARY, B_IN_EDMONTON]);
  const { events } = buildCatalog([inCalgaryA, inEdmontonB], ids);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2);
});
