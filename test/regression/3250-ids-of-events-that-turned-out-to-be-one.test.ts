// Found by review: of two events that turned out to be one the id at venue A stayed, also if the other was older. So the ids of all markets
// that callers knew changed. And after a restart the id that was given up counted as free: the next game of that day got it.

import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { ids } from '../catalog/matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed } from '../catalog/matching/listings.ts';

const GAME: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T23:10:00Z' };
const [OLDER, YOUNGER] = ['mlb-hou-sd-2026-08-09', 'mlb-hou-sd-2026-08-09-2'];
const a = (startsAt: string, gameId: string) =>
  atVenueA({ ...GAME, startsAt }, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId });
const b = atVenueB(GAME, '1910HOUSD', 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });
const APART = '2026-08-11T17:10:00Z';

describe.each(['at once', 'after a restart'])('of two events that turn out to be one %s', when => {
  const restarted = (known: EventIds, entries: (readonly [string, string])[]): EventIds => {
    entries.push(...known.takeNews());
    return when === 'at once' ? known : new EventIds(entries);
  };

  it('the older id stays, also if it is of venue B, and the other leads to it', () => {
    const entries: (readonly [string, string])[] = [];
    let known = new EventIds();
    buildCatalog([b], known);
    expect(ids(buildCatalog([b, a(APART, '77')], known))).toEqual([OLDER, YOUNGER]);
    known = restarted(known, entries);
    expect(ids(buildCatalog([b, a(GAME.startsAt, '77')], known))).toEqual([OLDER]);
    known = restarted(known, entries);
    expect([known.current(OLDER), known.current(YOUNGER)]).toEqual([OLDER, OLDER]);
  });

  it('the other id is never given again', () => {
    const entries: (readonly [string, string])[] = [];
    let known = new EventIds();
    buildCatalog([b], known);
    buildCatalog([b, a(APART, '77')], known);
    buildCatalog([b, a(GAME.startsAt, '77')], known);
    known = restarted(known, entries);
    const found = ids(buildCatalog([b, a(GAME.startsAt, '77'), a(APART, '78')], known));
    expect(found).toEqual([OLDER, 'mlb-hou-sd-2026-08-09-3']);
  });
});
