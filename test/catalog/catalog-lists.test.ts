// Which lists refuse a query or report a replaced catalog, and which the main thread may read: those that neither scan nor show many markets.

import { describe, expect, it } from 'vitest';
import type { CatalogEvent, CatalogMarket } from '../../src/catalog/catalog.ts';
import { isQuickList, listEventMarkets, listEvents, listMarkets, readTime } from '../../src/catalog/catalog-lists.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { CatalogOperation } from '../../src/core/domain/operation.ts';
import { limits } from '../../src/limits.ts';

const SHOWN_MAX = limits.pageRowsMax;
const asked = { caller: { podId: 'pod', actorId: 'alice', keyId: 'key' }, tradable: [] };

const eventOf = (id: string): CatalogEvent => ({
  id,
  name: id,
  sport: 'basketball',
  competition: 'nba',
  startsAt: 0 as UnixMillis,
  isOver: false,
  participants: [],
  matching: { keys: [], confidence: 100, evidence: [] },
});
const marketsOf = (eventId: string, count: number): readonly CatalogMarket[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${eventId}:${String(at).padStart(3, '0')}`,
    title: 'one of many',
    outcomes: [],
    eventId,
    line: null,
    notes: [],
    otherWords: [],
  }));

const markets = [...marketsOf('few', SHOWN_MAX), ...marketsOf('many', SHOWN_MAX + 1)];
const catalog = new SnapshotWriter().write(new RowBuilder().of({ events: ['few', 'many'].map(eventOf), markets }));

function isQuick(name: CatalogOperation['name'], query: Readonly<Record<string, string>>, marketsMax: number): boolean {
  const operation = { ...asked, name, catalog, path: '/v1/list', query: new Map(Object.entries(query)) };
  return isQuickList(operation, marketsMax);
}

describe.each(['markets', 'events'] as const)('a page of %s', name => {
  it('is quick for each query of a small catalog', () => {
    const filters = { q: 'many', sport: 'basketball', pageToken: 'x' };
    expect([isQuick(name, filters, markets.length), isQuick(name, filters, markets.length - 1)]).toEqual([true, false]);
  });

  it.each([
    [{}, true],
    [{ pageSize: '100' }, true],
    [{ eventId: 'many', pageSize: '5' }, true],
    [{ eventId: 'many', q: 'many' }, false],
    [{ venue: 'venue_a' }, false],
    // A page token may stand for any filter.
    [{ pageToken: 'x' }, false],
  ])('of a catalog that is large, with %o: %s', (query, expected) => {
    expect(isQuick(name, query, 0)).toBe(expected);
  });
});

it.each([
  ['few', true],
  ['many', false],
  ['unknown', true],
])('the markets of the event "%s" are shown quickly: %s', (eventId, expected) => {
  expect(isQuickList({ ...asked, name: 'event-markets', catalog, eventId }, 0)).toBe(expected);
});

it('a catalog that is not there yet is quick to show', () => {
  expect(isQuickList({ ...asked, name: 'event-markets', catalog: null, eventId: 'few' }, 0)).toBe(true);
});

const caller = { keyId: 'key', actorId: 'alice', podId: 'pod' };
const path = '/v1/markets';
const scope = { secret: Buffer.alloc(32, 7), actorId: caller.actorId, path };

function listed(q: string) {
  const query = new Map([['q', q]]);
  return listMarkets(scope, { name: 'markets', caller, path, query, catalog: null, tradable: [] }, 0);
}

it.each([
  ['searchWordsMax', Array(limits.searchWordsMax).fill('win').join(' '), ' x'],
  ['searchCharactersMax', 'w'.repeat(limits.searchCharactersMax), 'w'],
])('more than %s are refused, one less is not', (limit, most, more) => {
  expect([listed(most).status, listed(most + more).status]).toEqual([200, 400]);
  expect(listed(most + more).body).toContain(`(${limit})`);
});

it('a catalog that was replaced twice meanwhile is read again: no event in it is reported as unknown', () => {
  const writer = new SnapshotWriter();
  const competition = COMPETITIONS[0]!;
  const event = { id: 'e', name: 'A at B', startsAt: 5_000 as UnixMillis, isOver: false, participants: [] };
  const matching = { keys: [], confidence: 100, evidence: [] };
  const of = { sport: competition.sport.id, competition: competition.id, matching };
  const write = () => writer.write(new RowBuilder().of({ events: [{ ...event, ...of }], markets: [] }));
  const first = write();
  const asked = { caller, path, query: new Map(), catalog: first, tradable: [] };
  const ofEvent = { ...asked, query: new Map([['eventId', 'e']]) };
  const answers = () => [
    listMarkets(scope, { name: 'markets', ...asked }, 0),
    listMarkets(scope, { name: 'markets', ...ofEvent }, 0),
    listEvents(scope, { name: 'events', ...asked }, 0),
    listEventMarkets({ name: 'event-markets', caller, eventId: 'e', catalog: first, tradable: [] }, 0),
  ];
  write();
  expect(answers().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  write();
  for (const { status, body, headers } of answers()) {
    expect([status, JSON.parse(body).error.code]).toEqual([503, 'INTERNAL_ERROR']);
    expect(headers).toContainEqual(['Retry-After', expect.stringMatching(/^[1-9]/)]);
  }
});

it.each([
  ['2026-11-20T18:30:00Z', '2026-11-20T18:30:00.000Z'],
  ['2024-02-29t00:00:00.5z', '2024-02-29T00:00:00.500Z'],
  ['2026-12-31T23:30:00-05:00', '2027-01-01T04:30:00.000Z'],
])('%s is a time', (text, iso) => {
  expect(readTime('startsAfter', text)).toEqual({ ok: true, value: Date.parse(iso) });
});

it.each([
  '2026-02-31T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T23:59:60Z',
  '2026-11-20',
  'tomorrow',
])('%s is no filter', text => {
  expect(readTime('startsAfter', text)).toEqual({ ok: false, error: expect.stringMatching(/^startsAfter: /) });
});
