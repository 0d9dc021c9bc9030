// Found by review: the search takes words without accents, and knew only letters that are a base letter with an accent. `bodo` did not find
// Bodø/Glimt, nor `tromso` Tromsø, where no venue writes the name in ASCII; a listing of `Bodo` was not found by `Bodø`.

import { expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { SnapshotReader } from '../../src/catalog/snapshot-reader.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { termsOf } from '../../src/catalog/words.ts';
import { atVenueA, type Listed } from '../catalog/matching/listings.ts';

const MATCH: Listed = { league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T11:00:00Z' };
const NAMES = ['Bodø Bo', 'Łukasz Łó', 'Đorđe Đo', 'Jón Þór', 'Groß Ga', 'Næs Ny', 'Cœur Co', 'Kasım Ka', 'Tromso To'];
const listed = NAMES.map(name => atVenueA(MATCH, 'x-y', `${name} vs Another One`, { gameId: name }));
const { markets } = buildCatalog(listed, new EventIds());
const reader = SnapshotReader.open(new SnapshotWriter().write(new RowBuilder().of({ events: [], markets })))!;

const QUERY = { tradable: [], now: 0, venue: null, event: null, competitions: null, executable: null, after: null };
const found = (q: string) =>
  reader
    .find({ ...QUERY, terms: termsOf(q), rowsMax: 100 })
    .map(place => JSON.parse(`${reader.textAt(place, QUERY)}}`).outcomes[0].name);

it.each([
  ['bodo', 'Bodø Bo'],
  ['BODØ', 'Bodø Bo'],
  ['lukasz', 'Łukasz Łó'],
  ['djorđe', null],
  ['dorde', 'Đorđe Đo'],
  ['thor', 'Jón Þór'],
  ['gross', 'Groß Ga'],
  ['naes', 'Næs Ny'],
  ['coeur', 'Cœur Co'],
  ['kasim', 'Kasım Ka'],
  ['tromsø', 'Tromso To'],
])('%s finds %s', (q, name) => {
  expect(found(q)).toEqual(name === null ? [] : [name]);
});
