// The catalog's state at a start: all ids, and the stored listings that can be read.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CatalogStore,
  decodeRecord,
  encodeRecord,
  openCatalogStore,
  type StoredCatalog,
} from '../../src/catalog/catalog-store.ts';
import type { EndedEvent } from '../../src/catalog/known-events.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { openEnvironment } from '../../src/core/store/lmdb.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { limits } from '../../src/limits.ts';
import { testFolder } from '../support/test-folder.ts';
import { atVenueA, atVenueB, type Listed } from './matching/listings.ts';

const GAME: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const a = atVenueA(GAME, 'bos-lal', 'Celtics vs. Lakers');
const b = atVenueB(GAME, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
const ended: readonly EndedEvent[] = [
  {
    event: {
      id: 'nba-bos-lal-2026-11-19',
      name: '“Ä”',
      sport: 'basketball',
      competition: 'nba',
      startsAt: 1 as UnixMillis,
      isOver: true,
      participants: [],
      matching: { keys: [], confidence: 100, evidence: [] },
    },
    endedAt: 2 as UnixMillis,
  },
];
const NOTHING: StoredCatalog = { ids: [], events: [], ended: [], faults: [] };

let folder: string;
let store: CatalogStore;

beforeEach(() => {
  folder = testFolder();
  ({ store } = openCatalogStore(folder));
});
afterEach(() => store.close());

async function reopened(): Promise<StoredCatalog> {
  await store.close();
  const opened = openCatalogStore(folder);
  store = opened.store;
  return opened.known;
}

/** Changes a stored record from outside of the store. */
async function change(name: string, bytes: Uint8Array): Promise<void> {
  const environment = openEnvironment(folder, limits.catalogStoreBytes);
  environment.transact(transaction => transaction.put(name, bytes));
  await environment.close();
}

describe('the store of the catalog', () => {
  it('has nothing at first', async () => {
    expect(await reopened()).toEqual(NOTHING);
  });

  it('has the last of what was listed, and every id in the order of time', async () => {
    store.write([['k1', 'one']], { events: [a, b], ended: [] });
    store.write(
      [
        ['k2', 'two'],
        ['k1', 'three'],
      ],
      { events: [b], ended },
    );
    const ids = [
      ['k1', 'one'],
      ['k2', 'two'],
      ['k1', 'three'],
    ];
    expect(await reopened()).toEqual({ ids, events: [b], ended, faults: [] });
    store.write([['k4', 'four']], { events: [], ended: [] });
    expect(await reopened()).toEqual({ ...NOTHING, ids: [...ids, ['k4', 'four']] });
  });

  it.each([
    ['damaged', Buffer.from('2 0 {}'), 'is damaged'],
    ['no record at all', Buffer.from([0xff, 0]), 'is damaged'],
    ['of a newer program', Buffer.from('3 0 {}'), 'has version 3, this program reads version 2'],
  ])('leaves out what was listed and is %s, until it is listed again', async (_what, bytes, fault) => {
    store.write([['k', 'id']], { events: [a, b], ended });
    const name = `event/venue_b/${b.eventId}`;
    await change(name, bytes);
    await change('ended', bytes);
    const read = await reopened();
    expect([read.ids, read.events, read.ended]).toEqual([[['k', 'id']], [a], []]);
    expect(read.faults.map(it => it.replace(/^.*: record /, ''))).toEqual([`"ended": ${fault}`, `"${name}": ${fault}`]);
    store.write([], { events: [a], ended });
    expect(await reopened()).toEqual({ ids: [['k', 'id']], events: [a], ended, faults: [] });
  });

  it.each([
    ['damaged', Buffer.from('2 0 [["k","id"]]')],
    [
      'of a newer program',
      Buffer.from(
        Buffer.from(encodeRecord([['k', 'id']]))
          .toString()
          .replace(/^2/, '3'),
      ),
    ],
  ])('does not start with ids that are %s', async (_what, bytes) => {
    store.write([['k', 'id']], { events: [a], ended: [] });
    await change('ids/000000000001', bytes);
    await expect(reopened()).rejects.toThrow(StoreError);
    await expect(reopened()).rejects.toThrow('record "ids/000000000001"');
  });
});

// A record that was cut to `1 0 ` counted as valid and had no value.
it('0012: a record without bytes is damaged', () => {
  expect(decodeRecord(Buffer.from('2 0 '))).toEqual({ ok: false, error: 'is damaged' });
});
