// Lists refuse searches with too many or too long words, and report a catalog that has been replaced.

import { expect, it } from 'vitest';
import { listEventMarkets, listEvents, listMarkets } from '../../../src/catalog/catalog-lists.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { COMPETITIONS } from '../../../src/catalog/leagues/competitions.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';

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
