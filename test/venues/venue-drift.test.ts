// The gateway's readers against the public routes of the paper exchanges, unchanged and with a change between the two.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { unknownWords } from '../../src/core/metrics/unknown-words.ts';
import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import type { Paper } from '../../src/paper/paper.ts';
import { driftFindings } from '../../src/tools/cli/venue-findings.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { type PublicUrls, type RouteDrift, readVenueDrift } from '../../src/venues/venue-drift.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';
import { changed } from './changed-server.ts';

let paper: Paper;
let urls: PublicUrls;

beforeAll(async () => {
  paper = await startQuietPaper(await createDemoAccounts(POLYGON), { takerDelayS: 0 });
  const { venueA, venueB } = paper.urls;
  urls = { gamma: venueA.gamma, venueA: venueA.rest, venueB: venueB.rest };
});
afterAll(() => paper.close());

const routeOf = (drift: readonly RouteDrift[], venue: string, route: string) =>
  drift.find(it => it.venue === venue && it.route === route);

it('reads all of the paper exchanges, without a word that nobody knows', async () => {
  const { routes: drift, addresses } = await readVenueDrift(urls);
  expect([addresses.venue_a.length, addresses.venue_b.length]).toEqual([3, 3]);
  expect(drift.map(({ venue, route }) => `${venue} ${route}`).sort()).toEqual([
    'venue_a /book',
    'venue_a /clob-markets/*',
    'venue_a /events/keyset events[]',
    'venue_a /events/keyset page',
    'venue_a /markets-by-token/*',
    'venue_a /markets/*',
    'venue_b /events events[]',
    'venue_b /events milestones[]',
    'venue_b /events page',
    'venue_b /events/*',
    'venue_b /markets/*',
    'venue_b /series/*',
  ]);
  for (const { route, rows, refused, failure } of drift)
    expect([route, rows > 0, refused, failure]).toEqual([route, true, 0, '']);
  expect(unknownWords.rows()).toEqual([]);
  expect(driftFindings({ routes: drift, streams: [], words: [] }).filter(({ level }) => level !== 'ok')).toEqual([]);
});

it('names a new field, a new word, and a required field that is gone', async () => {
  const gamma = await changed(urls.gamma, value => ('conditionId' in value ? { ...value, novelty: 1 } : value));
  const venueA = await changed(urls.venueA, ({ mts, ...value }) => value);
  const venueB = await changed(urls.venueB, value => ('fee_type' in value ? { ...value, fee_type: 'cubic' } : value));
  const { routes: drift } = await readVenueDrift({ gamma, venueA, venueB });
  expect(routeOf(drift, 'venue_a', '/events/keyset events[]')?.unread).toContain('markets[].novelty');
  expect(routeOf(drift, 'venue_a', '/clob-markets/*')).toMatchObject({ refused: 3, lacking: ['mts'] });
  expect(routeOf(drift, 'venue_b', '/series/*')).toMatchObject({ refused: 3 });
  const words = unknownWords.rows();
  expect(words).toEqual([{ values: ['venue_b', 'fee_type', 'cubic'], value: 3 }]);
  const says = driftFindings({ routes: drift, streams: [], words }).flatMap(it => (it.level === 'ok' ? [] : [it.says]));
  expect(says).toContain('venue_b says fee_type cubic that crossbook does not know, 3 times');
  expect(says).toContain('venue_a /clob-markets/*: 0 of 3 objects are read; those that are not lack mts');
});

it('says why a route could not be read, and reads the others', async () => {
  const { routes: drift } = await readVenueDrift({ ...urls, gamma: 'http://127.0.0.1:1' });
  expect(routeOf(drift, 'venue_a', '/events/keyset')?.failure).toMatch(/./);
  expect(routeOf(drift, 'venue_b', '/series/*')).toMatchObject({ refused: 0, failure: '' });
});
