// The listings beside a recording: which events are written, which version of an event a backtest gets, and when a file is removed.

import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { ListingRecorder, recordedListings } from '../../src/venues/recorded-listings.ts';
import { atVenueA, atVenueB } from '../catalog/matching/listings.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const GAME = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T02:00:00Z' };
const NOON = Date.UTC(2026, 10, 20, 12) as UnixMillis;
const DAY_MS = 86_400_000;
const after = (ms: number): UnixMillis => (NOON + ms) as UnixMillis;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const a = atVenueA(GAME, 'bos-lal', 'Celtics vs. Lakers');
const b = atVenueB(GAME, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
const other = atVenueB(GAME, 'NYKCHI', 'New York at Chicago', { NYK: 'New York', CHI: 'Chicago' });
const tokenOf = ({ markets }: VenueEvent): string => {
  const { route } = markets[0]!.outcomes[1]!;
  return route.venue === 'venue_a' ? route.tokenId : '';
};

function recorder(): ListingRecorder {
  const it = new ListingRecorder(folder);
  it.add('venue_a', tokenOf(a));
  it.add('venue_b', b.markets[0]!.marketId);
  return it;
}

it('has the events of recorded markets, as they were at the start of what plays, or as they were first known', () => {
  const listings = recorder();
  listings.write([a, b, other], NOON);
  listings.write([a, b, other], after(1));
  const later = { ...b, title: 'postponed' };
  listings.write([a, later, other], after(2));
  expect(recordedListings(folder, null)).toEqual([a, b]);
  expect(recordedListings(folder, after(1))).toEqual([a, b]);
  expect(recordedListings(folder, after(2))).toEqual([a, later]);
  expect(recordedListings(folder, after(-DAY_MS))).toEqual([a, b]);
  listings.add('venue_b', other.markets[0]!.marketId);
  listings.write([a, later, other], after(3));
  expect(recordedListings(folder, null)).toEqual([a, b, other]);
});

it('leaves out a line that is cut off, and lines of another version', () => {
  recorder().write([a], NOON);
  const path = join(folder, '20261120.listings');
  appendFileSync(path, `{"version":0,"at":1,"event":{}}\n{"version":1,"at":1,"ev`);
  expect(recordedListings(folder, null)).toEqual([a]);
});

it('begins a file each day, and a file goes with the last recording of its day', () => {
  const listings = recorder();
  listings.write([a], NOON);
  writeFileSync(join(folder, '20261121T000000000Z.xrec'), '');
  listings.write([a], after(DAY_MS));
  expect(readdirSync(folder).sort()).toEqual(['20261121.listings', '20261121T000000000Z.xrec']);
  expect(recordedListings(folder, null)).toEqual([a]);
});

it('a folder that cannot be written is a fault of the store; a recording without listings has none', () => {
  const listings = new ListingRecorder(join(folder, 'missing'));
  listings.add('venue_a', tokenOf(a));
  expect(() => listings.write([a], NOON)).toThrow(StoreError);
  expect(recordedListings(folder, null)).toEqual([]);
});
