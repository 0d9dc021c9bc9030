// The catalog in shared memory against a plain list of the same markets. Every query finds and shows the same markets. Pages omit and repeat nothing
// while the catalog changes. A reader notices that its catalog was overwritten.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Catalog, type CatalogEvent, type CatalogMarket, ownMarket } from '../../src/catalog/catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import {
  EVENT_STATUSES,
  type EventQuery,
  type MarketQuery,
  SnapshotReader,
} from '../../src/catalog/snapshot-reader.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { termsOf, wordsOf } from '../../src/catalog/vocabulary.ts';
import type { Venue } from '../../src/core/domain/market.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { CatalogSnapshot } from '../../src/core/domain/operation.ts';
import { assert } from '../../src/core/domain/result.ts';
import type { VenueMarket } from '../../src/venues/discovery.ts';
import { NaiveCatalog } from '../support/naive-catalog.ts';

const NOW = 1_000;
const ALL: MarketQuery = {
  tradable: ['venue_a', 'venue_b'],
  now: NOW,
  terms: [],
  venue: null,
  event: null,
  competitions: null,
  executable: null,
  after: null,
  rowsMax: 1_000,
};
const ALL_EVENTS: EventQuery = {
  competitions: null,
  status: null,
  startsAfter: Number.NEGATIVE_INFINITY,
  startsBefore: Number.POSITIVE_INFINITY,
  after: null,
  rowsMax: 1_000,
  now: NOW,
};
const EVENT_IDS = ['e', 'e-2', 'e-3', 'f', 'g'];

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
      };
    });
}

const event: fc.Arbitrary<CatalogEvent> = fc
  .record({
    id: fc.constantFrom(...EVENT_IDS),
    name: fc.constantFrom('A at B', 'Ä “at” \n', '\\u0000'),
    competition: fc.constantFrom(...COMPETITIONS.slice(0, 4)),
    startsAt: fc.constantFrom(0, NOW - 1, NOW, NOW + 1) as fc.Arbitrary<UnixMillis>,
    isOver: fc.boolean(),
  })
  .map(({ competition, ...it }) => ({
    ...it,
    sport: competition.sport.id,
    competition: competition.id,
    participants: [{ name: it.name, role: 'HOME' }],
    matching: { keys: [], confidence: 100, evidence: [] },
  }));

const market = fc.record({
  own: fc.constantFrom<Venue>('venue_a', 'venue_b').chain(marketOf),
  eventTitle: fc.constantFrom('Game', 'Cup'),
  event: fc.nat(8),
  line: fc.constantFrom(null, '-4.5'),
  notes: fc.constantFrom([], ['“note”']),
});

const catalog: fc.Arbitrary<Catalog> = fc
  .record({
    events: fc.uniqueArray(event, { selector: ({ id }) => id }),
    markets: fc.array(market, { maxLength: 30 }),
  })
  .map(({ events, markets }) => {
    const made = markets.map(it => ({
      ...ownMarket(it.own, events[it.event]?.id ?? null, [it.eventTitle]),
      line: it.line,
      notes: it.notes,
    }));
    return {
      events: events.toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1)),
      markets: [...new Map(made.map(it => [it.id, it])).values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    };
  });

const competitions = fc.option(fc.subarray([0, 1, 2, 3]).map(indices => new Set(indices)));

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
  event: fc.constantFrom(null, null, 0, 1),
  competitions,
  executable: fc.constantFrom(null, true, false),
  after: fc.option(fc.nat(50).map(number => `venue_b:KX-${number}`)),
  rowsMax: fc.integer({ min: 1, max: 30 }),
});

const eventQuery: fc.Arbitrary<EventQuery> = fc.record({
  competitions,
  status: fc.constantFrom(null, ...EVENT_STATUSES),
  startsAfter: fc.constantFrom(Number.NEGATIVE_INFINITY, NOW - 1, NOW),
  startsBefore: fc.constantFrom(Number.POSITIVE_INFINITY, NOW, NOW + 1),
  after: fc.option(fc.record({ startsAt: fc.constantFrom(0, NOW), id: fc.constantFrom(...EVENT_IDS) })),
  rowsMax: fc.integer({ min: 1, max: 4 }),
  now: fc.constant(NOW),
});

function open(snapshot: CatalogSnapshot): SnapshotReader {
  const reader = SnapshotReader.open(snapshot);
  assert(reader !== null, 'nobody has overwritten it');
  return reader;
}

function shown(reader: SnapshotReader, asked: MarketQuery): readonly unknown[] {
  return reader.find(asked).map(place => ({
    ...JSON.parse(`${reader.textAt(place, asked)}}`),
    eventId: reader.eventIdAt(place),
  }));
}

describe('a catalog in shared memory', () => {
  it('finds and shows what plain lists do', () => {
    const writer = new SnapshotWriter();
    const rows = new RowBuilder();
    const queries = fc.array(query, { minLength: 1, maxLength: 5 });
    const eventQueries = fc.array(eventQuery, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(catalog, queries, eventQueries, (listed, ofMarkets, ofEvents) => {
        const reader = open(writer.write(rows.of(listed)));
        const twin = new NaiveCatalog(listed);
        const possible = ofMarkets.filter(it => it.event === null || it.event < listed.events.length);
        for (const asked of [ALL, ...possible]) expect(shown(reader, asked)).toEqual(twin.find(asked));
        for (const asked of [ALL_EVENTS, ...ofEvents]) {
          const found = reader.events.find(asked).map(place => JSON.parse(reader.events.textAt(place, NOW)));
          expect(found).toEqual(twin.findEvents(asked));
        }
        expect(reader.isWhole).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('shows what stays as it was, wherever it comes to lie, and what has changed', () => {
    const choices = fc.array(fc.constantFrom('gone', 'one', 'other'), { minLength: 20, maxLength: 20 });
    const versions = fc.array(choices, { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(catalog, catalog, versions, (one, other, chosen) => {
        const [ofOne, ofOther] = [one, other].map(
          ({ markets }) => new Map(markets.map(it => [it.id, { ...it, eventId: null }])),
        ) as [Map<string, CatalogMarket>, Map<string, CatalogMarket>];
        const ids = [...new Set([...ofOne.keys(), ...ofOther.keys()])].sort();
        const [writer, rows] = [new SnapshotWriter(), new RowBuilder()];
        for (const choice of chosen) {
          const from = { gone: new Map<string, CatalogMarket>(), one: ofOne, other: ofOther };
          const markets = ids.map((id, at) => from[choice[at % choice.length]!].get(id)).filter(it => it !== undefined);
          const listed = { events: [], markets };
          expect(shown(open(writer.write(rows.of(listed))), ALL)).toEqual(new NaiveCatalog(listed).find(ALL));
        }
      }),
    );
  });

  it('is paged without a repetition or a gap while it changes', () => {
    const writer = new SnapshotWriter();
    fc.assert(
      fc.property(
        fc.array(catalog, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        (versions, rowsMax) => {
          const ids: string[] = [];
          const idsOf = ({ markets }: Catalog) => markets.map(({ id }) => id);
          for (let page = 0; ; page++) {
            const reader = open(writer.write(new RowBuilder().of(versions[Math.min(page, versions.length - 1)]!)));
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

  it('finds events by the ids that they have and had', () => {
    const events = fc.uniqueArray(event, { selector: ({ id }) => id });
    fc.assert(
      fc.property(events, listed => {
        const sorted = listed.toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1));
        const lost = EVENT_IDS.map(id => [`former-${id}`, id] as const);
        const reader = open(new SnapshotWriter().write(new RowBuilder().of({ events: sorted, markets: [] }, lost)));
        for (const id of EVENT_IDS) {
          const place = sorted.findIndex(it => it.id === id);
          const expected = place < 0 ? null : place;
          expect([reader.events.named(id), reader.events.named(`former-${id}`)]).toEqual([expected, expected]);
        }
        expect([reader.events.named(''), reader.events.named('zz')]).toEqual([null, null]);
      }),
    );
  });

  it('survives the writing of the next one, and is known to be gone after the one after that', () => {
    const writer = new SnapshotWriter();
    const [listed] = fc.sample(catalog, 1);
    const write = (): CatalogSnapshot => writer.write(new RowBuilder().of(listed!));
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
    const reader = open(new SnapshotWriter().write(new RowBuilder().of({ events: [], markets: [] })));
    expect([...reader.find(ALL), ...reader.find({ ...ALL, terms: termsOf('a'), after: 'x' })]).toEqual([]);
    expect([...reader.events.find(ALL_EVENTS), reader.events.named('e')]).toEqual([null]);
  });
});

it.each([
  ['Will Félix Auger-Aliassime win?', ['will', 'felix', 'auger', 'aliassime', 'win']],
  ['venue_b:KXNBA-26NOV20-LAL4.5', ['venue', 'b', 'kxnba', '26nov20', 'lal4', '5']],
  ['Łódź — “Да!”', ['lodz', 'да']],
  ['¿?', []],
])('%s has the words %j', (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});
