// Found by review: a search may have eight words, and words within an id counted: `nfl-buf-kc-2026-11-22:spread:-4.5` has nine. Nine in ten
// of a season's own ids were refused with 400, though an id finds its object (`proto/openapi.yaml`).

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { listMarkets } from '../../src/catalog/lists/market-lists.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { limits } from '../../src/limits.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from '../catalog/matching/listings.ts';

const TEAMS = [
  ['buf', 'Bills', 'Buffalo'],
  ['kc', 'Chiefs', 'Kansas City'],
  ['sf', '49ers', 'San Francisco'],
  ['nyg', 'Giants', 'New York G'],
] as const;
const LINES = ['1.5', '4.5', '13.5'];

const football = TEAMS.flatMap((away, index) => {
  const home = TEAMS[(index + 1) % TEAMS.length]!;
  const game: Listed = { league: 'NFL', date: `2026-11-2${index}`, startsAt: `2026-11-2${index}T18:00:00Z` };
  const [codes, title] = [`${away[0]}-${home[0]}`, `${away[1]} vs. ${home[1]}`];
  const [codesOfB, titleOfB] = [`${away[0]}${home[0]}`.toUpperCase(), `${away[2]} at ${home[2]}`];
  const spreads = LINES.map(line => ({ code: line, label: `${home[2]} wins by over ${line} points`, line }));
  const totals = LINES.map(line => ({ code: line, label: `Over ${line} points scored`, line }));
  return [
    atVenueA(game, codes, title),
    atVenueB(game, codesOfB, titleOfB, { [away[0]]: away[2], [home[0]]: home[2] }),
    seriesOfB(game, codesOfB, `${titleOfB}: Spread`, 'SPREAD', spreads),
    seriesOfB(game, codesOfB, `${titleOfB}: First Half Spread`, '1HSPREAD', spreads),
    seriesOfB(game, codesOfB, `${titleOfB}: Total`, '1HTOTAL', totals),
  ];
});
const players = 'Paulo Andre Saraiva Dos Santos vs Arklon Huertas Del Pino Cordova';
const tennis = atVenueA({ league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T11:00:00Z' }, 'x-y', players, {
  markets: [ofVenueA(players, 'moneyline', players.split(' vs ')), ofVenueA('Will it rain?', '', ['Yes', 'No'])],
});

const { markets } = buildCatalog([...football, tennis], new EventIds());
const catalog = new SnapshotWriter().write(new RowBuilder().of({ events: [], markets }));
const caller = { keyId: 'key', actorId: 'alice', podId: 'pod' };
const path = '/v1/markets';
const scope = { secret: Buffer.alloc(32, 7), actorId: caller.actorId, path };

const callOf = (q: string) =>
  ({ name: 'markets', caller, path, query: new Map([['q', q]]), catalog, tradable: [] }) as const;

function search(q: string): { readonly status: number; readonly ids: readonly string[] } {
  const { status, body } = listMarkets(scope, callOf(q), 0);
  return { status, ids: (JSON.parse(body).markets as { id: string }[]).map(({ id }) => id) };
}

it('every id finds its market, and first of all', () => {
  expect(markets.length).toBeGreaterThan(40);
  for (const { id } of markets) expect([id, search(id).ids[0]]).toEqual([id, id]);
});

it('words of which one begins another find what that one finds', () => {
  const winners = search('moneyline').ids;
  expect(winners.length).toBeGreaterThan(TEAMS.length);
  const beginnings = Array.from('moneyline', (_, at) => 'moneyline'.slice(0, at + 1)).slice(1);
  expect(search(beginnings.join('-')).ids).toEqual(winners);
  expect(search(`${beginnings.join('-')} nfl`).ids).toEqual(winners.filter(id => id.startsWith('nfl')));
  // A single character is a word, and begins none.
  expect(search(`m-${beginnings.join('-')}`).ids).toEqual([]);
});

it('as many words between hyphens as there is room for are looked up, and no more between blanks than before', () => {
  const words = Array.from({ length: limits.searchCharactersMax / 2 }, (_, at) => (at % 36).toString(36));
  expect(search(words.join('-'))).toEqual({ status: 200, ids: [] });
  expect(listMarkets(scope, callOf(words.slice(0, limits.searchWordsMax + 1).join(' ')), 0).status).toBe(400);
});
