// Which lists the main thread may read: those that neither scan nor show many markets.

import { describe, expect, it } from 'vitest';
import type { CatalogEvent, CatalogMarket } from '../../../src/catalog/catalog.ts';
import { isQuickList } from '../../../src/catalog/catalog-lists.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { CatalogOperation } from '../../../src/core/domain/operation.ts';
import { limits } from '../../../src/limits.ts';

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
    // It may stand for any filter.
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
