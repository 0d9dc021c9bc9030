// Found by review: the home side was that of the venue that listed the game at the moment. When a listing came or went, `…:spread:-4.5`
// became the other side's handicap and outcomes changed places. A bot that had read the market before bought the opposite. Ids, and what
// they mean, are minted once (contract §6).

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { marketOf, routes } from '../catalog/matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from '../catalog/matching/listings.ts';

/** Played in Europe. */
const NFL: Listed = { league: 'NFL', date: '2026-11-15', startsAt: '2026-11-15T14:30:00Z' };
const EVENT = 'nfl-ind-ne-2026-11-15';
const TITLE = 'Indianapolis at New England';
const b = [
  atVenueB(NFL, 'INDNE', TITLE, { IND: 'Indianapolis', NE: 'New England' }),
  seriesOfB(NFL, 'INDNE', `${TITLE}: Spread`, 'SPREAD', [
    { code: 'NE5', label: 'New England wins by over 4.5 points', line: '4.5' },
    { code: 'IND5', label: 'Indianapolis wins by over 4.5 points', line: '4.5' },
  ]),
];
const a = atVenueA(NFL, 'ind-ne', 'Colts vs. Patriots', {
  home: 'Colts',
  markets: [
    ofVenueA('Colts vs. Patriots', 'moneyline', ['Colts', 'Patriots']),
    ofVenueA('Spread: Colts (-4.5)', 'spreads', ['Colts', 'Patriots'], '-4.5'),
  ],
});

/** Its routes, and what the event says of its opponents. */
function shown(listed: readonly VenueEvent[], ids: EventIds, key: string) {
  const catalog = buildCatalog(listed, ids);
  const [event] = catalog.events;
  const said = event!.participants.map(({ name, role }) => `${name} ${role}`);
  return [event!.name, ...said, ...routes(marketOf(catalog, `${event!.id}:${key}`))];
}

const PATRIOTS = [
  'Indianapolis Colts at New England Patriots',
  'Indianapolis Colts AWAY',
  'New England Patriots HOME',
  'New England Patriots -4.5: NE5 YES',
  'Indianapolis Colts +4.5: NE5 NO',
];
const COLTS = [
  'New England Patriots at Indianapolis Colts',
  'New England Patriots AWAY',
  'Indianapolis Colts HOME',
  'Indianapolis Colts -4.5: A, IND5 YES',
  'New England Patriots +4.5: A, IND5 NO',
];

it('a line stays that of the side that was first when the event was first seen', () => {
  const ofB = new EventIds();
  for (const listed of [b, [a, ...b], b]) expect(shown(listed, ofB, 'spread:-4.5')).toEqual(PATRIOTS);
  const ofBoth = new EventIds();
  expect(shown([a, ...b], ofBoth, 'spread:-4.5')).toEqual(COLTS);
  const withoutA = COLTS.map(line => line.replace('A, ', ''));
  expect(shown(b, ofBoth, 'spread:-4.5')).toEqual(withoutA);
  // And over a restart.
  expect(shown(b, new EventIds(ofBoth.takeNews()), 'spread:-4.5')).toEqual(withoutA);
});

it('players do not change places', () => {
  const ATP: Listed = { league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T11:00:00Z' };
  const atB = (names: Readonly<Record<string, string>>) => atVenueB(ATP, 'SINALC', 'Sinner vs Alcaraz: Final', names);
  const whole = atB({ SIN: 'Jannik Sinner', ALC: 'Carlos Alcaraz' });
  const atA = atVenueA(ATP, 'alcaraz-sinner', 'Wimbledon ATP: Carlos Alcaraz vs Jannik Sinner');
  const ids = new EventIds();
  const names = [[atB({ SIN: 'Sinner', ALC: 'Alcaraz' })], [whole], [atA, whole], [whole], [atA]].map(listed =>
    buildCatalog(listed, ids).markets.flatMap(({ outcomes }) => outcomes.map(({ name }) => name)),
  );
  const sinnerFirst = ['Jannik Sinner', 'Carlos Alcaraz'];
  expect(names).toEqual([['Sinner', 'Alcaraz'], sinnerFirst, sinnerFirst, sinnerFirst, sinnerFirst]);
});

it('an id of before that was kept means what it does when the event is next seen', () => {
  const ids = new EventIds([['venue_b/nfl/26NOV15INDNE', EVENT]]);
  for (const listed of [b, [a, ...b]]) expect(shown(listed, ids, 'spread:-4.5')).toContain('New England Patriots HOME');
  expect(ids.takeNews()).toContainEqual([`first/${EVENT}`, 'ne']);
});
