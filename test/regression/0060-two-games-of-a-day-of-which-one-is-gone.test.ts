// Two games of the same teams on one day, of which a venue lists only one, or no longer the other. Its game was merged with the other
// venue's other game, for good. A position in one would have been closed in the other.

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed } from '../catalog/matching/listings.ts';

const MLB: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T17:10:00Z' };
const FOUR_HOURS_LATER = '2026-08-09T21:10:00Z';
const [FIRST_A, SECOND_A] = ['venue_a/mlb/1', 'venue_a/mlb/2'];
const [FIRST_B, SECOND_B] = ['venue_b/mlb/26AUG091310HOUSD', 'venue_b/mlb/26AUG091710HOUSD'];

const atA = (gameId: string, startsAt: string | null): VenueEvent => {
  const event = atVenueA(MLB, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId });
  return { ...event, startsAt: startsAt === null ? null : (Date.parse(startsAt) as VenueEvent['startsAt']) };
};
const atB = (clock: string): VenueEvent =>
  atVenueB(MLB, `${clock}HOUSD`, 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });
const keys = (listed: readonly VenueEvent[], ids: EventIds) =>
  buildCatalog(listed, ids).events.map(({ matching }) => matching.keys);

const [firstA, secondA] = [atA('1', MLB.startsAt), atA('2', FOUR_HOURS_LATER)];
const [firstB, secondB] = [atB('1310'), atB('1710')];

it('the first at one venue and the second at the other are two, from the first look on', () => {
  expect(keys([firstA, secondB], new EventIds())).toEqual([[FIRST_A], [SECOND_B]]);
  // Without its start nobody can say which it is.
  expect(keys([atA('1', null), secondB], new EventIds()).map(it => it.length)).toEqual([1, 1]);
});

it('the first stays alone when its twin is gone before it', () => {
  const ids = new EventIds();
  expect(keys([firstA, firstB, secondB], ids)).toEqual([[FIRST_A, FIRST_B], [SECOND_B]]);
  expect(keys([firstA, secondB], ids)).toEqual([[FIRST_A], [SECOND_B]]);
  const again = new EventIds(ids.takeNews());
  expect(keys([firstA, secondA, firstB, secondB], again)).toEqual([
    [FIRST_A, FIRST_B],
    [SECOND_A, SECOND_B],
  ]);
});

it('where the start says less, a listing that has had a twin gets no other one', () => {
  const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T00:30:00Z' };
  const lakers = (gameId: string, startsAt: string) =>
    atVenueA({ ...NBA, startsAt }, 'bos-lal', 'Celtics vs. Lakers', { gameId });
  const [a, another] = [lakers('1', NBA.startsAt), lakers('2', '2026-11-21T03:30:00Z')];
  const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
  const ids = new EventIds();
  keys([a, b], ids);
  const [first, second] = [['venue_a/nba/1', 'venue_b/nba/26NOV20BOSLAL'], ['venue_a/nba/2']];
  expect(keys([a, another, b], ids)).toEqual([first, second]);
  expect(keys([another, b], ids)).toEqual([['venue_b/nba/26NOV20BOSLAL'], second]);
  // A listing that is called anew has no id of its own: it is the same game.
  expect(keys([lakers('3', NBA.startsAt), b], ids)).toEqual([['venue_a/nba/3', 'venue_b/nba/26NOV20BOSLAL']]);
});
