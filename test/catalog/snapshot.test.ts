// The catalog in shared memory against a plain list of the same markets: every query finds the same, shown the same; pages miss nothing
// and repeat nothing while the catalog changes under them; and what was overwritten is known as such.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogMarkets } from '../../src/catalog/catalog-market.ts';
import { CatalogRows } from '../../src/catalog/catalog-rows.ts';
import { type MarketQuery, SnapshotReader } from '../../src/catalog/snapshot-reader.ts';
import { type Snapshot, SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { termsOf, wordsOf } from '../../src/catalog/words.ts';
import type { Venue } from '../../src/domain/market.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { assert } from '../../src/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../src/venues/discovery.ts';
import { NaiveCatalog } from '../support/naive-catalog.ts';

const NOW = 1_000;
const ALL: MarketQuery = {
  tradable: ['venue_a', 'venue_b'],
  now: NOW,
  terms: [],
  venue: null,
  executable: null,
  after: null,
  rowsMax: 1_000,
};

const time = fc.constantFrom(null, 0, NOW - 1, NOW, NOW + 1) as fc.Arbitrary<UnixMillis | null>;
const words = fc.array(
  fc.constantFrom('a', 'an', 'lakers', 'Lake', 'CELTICS', '221.5', 'over', '“x”', '\n', '{"', '\\u0000'),
  {
    maxLength: 5,
  },
);

function marketOf(venue: Venue): fc.Arbitrary<VenueMarket> {
  return fc
    .record({
      number: fc.nat(40),
      said: words,
      phase: fc.constantFrom('OPEN', 'PAUSED'),
      opensAt: time,
      closesAt: time,
    })
    .map(({ number, said, phase, opensAt, closesAt }): VenueMarket => {
      const ticker = `KX-${number}`;
      const outcomes: VenueMarket['outcomes'] =
        venue === 'venue_a'
          ? [
              { name: `yes ${said[0]}`, route: { venue, tokenId: `${number}1` } },
              { name: 'no', route: { venue, tokenId: `${number}2` } },
            ]
          : [
              { name: `yes ${said[1]}`, route: { venue, ticker, side: 'YES' } },
              { name: 'no', route: { venue, ticker, side: 'NO' } },
            ];
      const marketId = venue === 'venue_a' ? `0x${number}` : ticker;
      const title = `t ${said.join(' ')}`;
      return {
        marketId,
        title,
        outcomes,
        phase,
        opensAt,
        closesAt,
        label: '',
        kind: '',
        line: null,
        occursAt: null,
        subjects: {},
      };
    });
}

const event: fc.Arbitrary<VenueEvent> = fc.constantFrom<Venue>('venue_a', 'venue_b').chain(venue =>
  fc
    .record({
      eventId: fc.string(),
      title: fc.constantFrom('Game', 'Cup'),
      markets: fc.array(marketOf(venue), { maxLength: 4 }),
    })
    .map(
      (it): VenueEvent => ({
        ...it,
        venue,
        subTitle: '',
        seriesId: '',
        competition: '',
        scope: '',
        tags: [],
        startsAt: null,
        gameId: '',
        teams: [],
        isExclusive: false,
      }),
    ),
);
const events = fc.array(event, { maxLength: 12 });

const query: fc.Arbitrary<MarketQuery> = fc.record({
  tradable: fc.subarray<Venue>(['venue_a', 'venue_b']),
  now: fc.constant(NOW),
  terms: fc
    .array(
      fc.constantFrom('a', 'la', 'LAKERS', 'kx', 'KX-1', 'kx-12', 'lake-celtics', '221.5', '0x1', 'venue_b:kx-3', 'zz'),
      {
        maxLength: 3,
      },
    )
    .map(texts => termsOf(texts.join(' '))),
  venue: fc.constantFrom<Venue | null>(null, 'venue_a', 'venue_b'),
  executable: fc.constantFrom(null, true, false),
  after: fc.option(fc.nat(50).map(number => `venue_b:KX-${number}`)),
  rowsMax: fc.integer({ min: 1, max: 30 }),
});

function open(snapshot: Snapshot): SnapshotReader {
  const reader = SnapshotReader.open(snapshot);
  assert(reader !== null, 'nobody has overwritten it');
  return reader;
}

function shown(reader: SnapshotReader, asked: MarketQuery): readonly unknown[] {
  return reader.find(asked).map(place => JSON.parse(reader.textAt(place, asked)));
}

describe('a catalog in shared memory', () => {
  it('finds and shows what a plain list does', () => {
    const writer = new SnapshotWriter();
    const rows = new CatalogRows();
    fc.assert(
      fc.property(events, fc.array(query, { minLength: 1, maxLength: 5 }), (listed, queries) => {
        const reader = open(writer.write(rows.of(listed)));
        const twin = new NaiveCatalog(listed.flatMap(catalogMarkets));
        for (const asked of [ALL, ...queries]) {
          expect(shown(reader, asked)).toEqual(twin.find(asked));
        }
        expect(reader.isWhole).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is paged without a repetition or a gap while it changes', () => {
    const writer = new SnapshotWriter();
    fc.assert(
      fc.property(
        fc.array(events, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        (versions, rowsMax) => {
          const ids: string[] = [];
          const idsOf = (listed: readonly VenueEvent[]) => listed.flatMap(catalogMarkets).map(({ id }) => id);
          for (let page = 0; ; page++) {
            const reader = open(writer.write(new CatalogRows().of(versions[Math.min(page, versions.length - 1)]!)));
            const found = reader.find({ ...ALL, after: ids.at(-1) ?? null, rowsMax });
            ids.push(...found.map(place => reader.idAt(place)));
            if (found.length < rowsMax) break;
          }
          expect(new Set(ids).size).toBe(ids.length);
          const always = versions.map(idsOf).reduce((kept, own) => kept.filter(id => own.includes(id)));
          expect(always.filter(id => !ids.includes(id))).toEqual([]);
        },
      ),
    );
  });

  it('survives the writing of the next one, and is known to be gone after the one after that', () => {
    const writer = new SnapshotWriter();
    const [listed] = fc.sample(event, 1);
    const write = (): Snapshot => writer.write(new CatalogRows().of([listed!]));
    const first = write();
    const reader = open(first);
    const second = write();
    expect([reader.isWhole, SnapshotReader.open(first) !== null]).toEqual([true, true]);
    expect(second.memory).not.toBe(first.memory);
    const third = write();
    expect([reader.isWhole, SnapshotReader.open(first)]).toEqual([false, null]);
    expect(third.memory).toBe(first.memory);
  });

  it('of nothing has nothing', () => {
    const reader = open(new SnapshotWriter().write([]));
    expect([...reader.find(ALL), ...reader.find({ ...ALL, terms: termsOf('a'), after: 'x' })]).toEqual([]);
  });
});

it.each([
  ['Will Félix Auger-Aliassime win?', ['will', 'felix', 'auger', 'aliassime', 'win']],
  ['venue_b:KXNBA-26NOV20-LAL4.5', ['venue', 'b', 'kxnba', '26nov20', 'lal4', '5']],
  ['Łódź — “Да!”', ['łodz', 'да']],
  ['¿?', []],
])('%s has the words %j', (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});
