// Found by review: the official client of venue B (3.30.0) calls the title of a market deprecated and optional. A market without one
// counted as malformed and was left out. On the day on which the venue stops sending it the catalog would have lost all of venue B.

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { assert } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { readVenueBEvent } from '../../src/venues/venue-b/discovery.ts';
import { venueBEvent, venueBMarket } from '../catalog/venue-objects.ts';

const NOWHERE = () => null;
const EVENT = 'KXNBAGAME-26NOV20BOSLAL';

function titlesOf(more: object, event: object = {}): readonly string[] {
  const listed = readVenueBEvent(
    venueBEvent(EVENT, [venueBMarket(`${EVENT}-BOS`, { ...more })], { ...event }),
    NOWHERE,
  );
  assert(listed !== 'malformed', 'the event itself is as it should be');
  return listed.event.markets.map(({ title }) => title);
}

it.each([undefined, null, '', ' '])('a market of the title %j is called by its event and its question', title => {
  expect(titlesOf({ title })).toEqual(['Boston at Los Angeles L: Boston']);
  expect(titlesOf({ title, yes_sub_title: '' })).toEqual(['Boston at Los Angeles L']);
});

it('a market with a title keeps it', () => {
  expect(titlesOf({ title: 'Will Boston win?' })).toEqual(['Will Boston win?']);
});

it('a market without any name that can be shown is left out', () => {
  const long = 'x'.repeat(limits.catalogTextCharactersMax);
  expect(titlesOf({ title: `${long}x` })).toEqual([]);
  expect(titlesOf({ title: undefined }, { title: long })).toEqual([]);
});

it('a game is the same without the titles of its markets', () => {
  const markets = ['Boston', 'Los Angeles L'].map((label, number) =>
    venueBMarket(`${EVENT}-${['BOS', 'LAL'][number]}`, { title: undefined, yes_sub_title: label, no_sub_title: label }),
  );
  const listed = readVenueBEvent(venueBEvent(EVENT, markets), NOWHERE);
  assert(listed !== 'malformed' && listed.malformed === 0, 'all of it is read');
  const catalog = buildCatalog([listed.event], new EventIds());
  expect(catalog.markets.map(({ id }) => id)).toEqual(['nba-bos-lal-2026-11-20:moneyline']);
});
