// Which markets are about the same event, read from a catalog in shared memory as the engine has it.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Catalog, CatalogEvent, CatalogMarket } from '../../src/catalog/catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { EventLinks } from '../../src/catalog/event-links.ts';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { aloneEvent } from '../../src/core/domain/event-links.ts';
import type { Venue } from '../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { changed, noPosition } from '../../src/core/domain/position.ts';
import { Exposure } from '../../src/orders/life/exposure.ts';
import type { OutcomeRoute } from '../../src/venues/discovery.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { build } from './matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA } from './matching/listings.ts';

const token = (tokenId: string): OutcomeRoute => ({ venue: 'venue_a', tokenId });
const ticker = (name: string, side: 'YES' | 'NO'): OutcomeRoute => ({ venue: 'venue_b', ticker: name, side });

function market(
  id: string,
  eventId: string | null,
  outcomes: Readonly<Record<string, readonly OutcomeRoute[]>>,
): CatalogMarket {
  const listed = Object.entries(outcomes).map(([name, routes]) => ({
    name,
    listings: routes.map(route => ({ route, opensAt: 0, closesAt: 9 })),
  }));
  return { id, title: `about ${id}`, outcomes: listed, eventId, line: null, notes: [], otherWords: [] };
}

function event(id: string): CatalogEvent {
  const [{ id: competition, sport }] = COMPETITIONS as [(typeof COMPETITIONS)[0]];
  const matching = { keys: [], confidence: 100, evidence: [] };
  const times = { startsAt: 1 as UnixMillis, isOver: false };
  return { id, name: id, sport: sport.id, competition, ...times, participants: [], matching };
}

const GAME = market('game:moneyline', 'game', {
  Bucks: [token('71'), ticker('KXG-MIL', 'YES'), ticker('KXG-LAL', 'NO')],
  Lakers: [token('72'), ticker('KXG-LAL', 'YES'), ticker('KXG-MIL', 'NO')],
});
const CUP = [
  market('cup:fra', 'cup', {
    Yes: [token('81'), ticker('KXC-FRA', 'YES')],
    No: [token('82'), ticker('KXC-FRA', 'NO')],
  }),
  market('cup:ger', 'cup', { Yes: [ticker('KXC-GER', 'YES')], No: [ticker('KXC-GER', 'NO')] }),
];
const FIRST: Catalog = { events: [event('cup'), event('game')], markets: [...CUP, GAME] };

const written = (writer: SnapshotWriter, catalog: Catalog) => writer.write(new RowBuilder().of(catalog));

it('has no answer until the first catalog, and without a catalog every market is alone', async () => {
  const links = new EventLinks();
  expect(links.of('venue_a', '71')).toBe(null);
  await links.update(null);
  expect(links.of('venue_a', '71')).toEqual(aloneEvent('venue_a', '71'));
});

it('links the listings of both venues, each address once, and the markets of one contest', async () => {
  const links = new EventLinks();
  await links.update(written(new SnapshotWriter(), FIRST));
  const game = links.of('venue_b', 'KXG-LAL');
  expect(game).toMatchObject({
    id: 'game',
    questions: [{ outcomes: ['about game:moneyline: Bucks', 'about game:moneyline: Lakers'] }],
  });
  const legs = game!.questions[0]!.legs.map(({ address, outcome, isNot }) => [address, outcome, isNot]);
  // The listing of the other side under the same ticker gives the same result.
  expect(legs.toSorted()).toEqual([
    ['71', 0, false],
    ['72', 1, false],
    ['KXG-LAL', 0, true],
    ['KXG-MIL', 0, false],
  ]);
  expect(links.of('venue_a', '72')).toBe(game);
  const cup = links.of('venue_b', 'KXC-GER');
  expect(cup!.questions).toHaveLength(1);
  expect(cup!.questions[0]!.outcomes).toEqual(['about cup:fra', 'about cup:ger', 'none of the listed']);
  expect(cup!.questions[0]!.legs.map(({ address, outcome, isNot }) => [address, outcome, isNot]).toSorted()).toEqual([
    ['81', 0, false],
    ['82', 0, true],
    ['KXC-FRA', 0, false],
    ['KXC-GER', 1, false],
  ]);
  // The first part of an address is not an address.
  expect(links.of('venue_b', 'KXC')).toEqual(aloneEvent('venue_b', 'KXC'));
});

it('reads again what it keeps when a catalog links a market later', async () => {
  const [links, writer] = [new EventLinks(), new SnapshotWriter()];
  const alone = { ...CUP[1]!, id: 'venue_b:KXC-GER', eventId: null };
  await links.update(written(writer, { events: [event('cup')], markets: [CUP[0]!, alone] }));
  expect(links.of('venue_b', 'KXC-GER')!.id).toBe('venue_b:KXC-GER');
  expect(links.of('venue_b', 'KXC-FRA')!.questions[0]!.outcomes).toHaveLength(2);
  await links.update(written(writer, FIRST));
  const linked = links.of('venue_b', 'KXC-GER');
  expect(linked!.id).toBe('cup');
  expect(links.of('venue_b', 'KXC-FRA')).toBe(linked);
});

/** A unit of an address pays if the game ends with this result or, with `isNot`, if it does not. */
interface Unit {
  readonly venue: Venue;
  readonly address: string;
  readonly result: number;
  readonly isNot: boolean;
}

it('4302: links both tokens of each outcome of a game with a draw, beside a twin that plays each result', async () => {
  const game: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };
  const labels = ['Arsenal FC', 'Draw (Arsenal FC vs. Chelsea FC)', 'Chelsea FC'];
  const ofA = labels.map(label => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label }));
  const ofB = atVenueB(game, 'ARSCHE', 'Arsenal vs Chelsea', { ARS: 'Arsenal', TIE: 'Tie', CHE: 'Chelsea' });
  const catalog = build(atVenueA(game, 'ars-che', 'Arsenal FC vs. Chelsea FC', { markets: ofA }), ofB);
  const links = new EventLinks();
  await links.update(written(new SnapshotWriter(), catalog));
  const units = [ofA, ofB.markets].flatMap(markets =>
    markets.flatMap(({ outcomes }, result): Unit[] => {
      const [yes, no] = outcomes.map(({ route }) => route) as [OutcomeRoute, OutcomeRoute];
      if (yes.venue === 'venue_b') return [{ venue: yes.venue, address: yes.ticker, result, isNot: false }];
      if (yes.venue !== 'venue_a' || no.venue !== 'venue_a') return [];
      const { venue } = yes;
      return [
        { venue, address: yes.tokenId, result, isNot: false },
        { venue, address: no.tokenId, result, isNot: true },
      ];
    }),
  );
  expect(units).toHaveLength(9);
  const holding = fc.record({
    unit: fc.constantFrom(...units),
    size: fc.integer({ min: 1, max: 9 }),
    cents: fc.integer({ min: 1, max: 99 }),
    isShort: fc.boolean(),
  });
  const held = fc.uniqueArray(holding, { selector: it => it.unit.address, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(held, async holdings => {
      const store = new MemoryLedger();
      const at = 1 as UnixMillis;
      // Only venue B has short positions.
      const shares = holdings.map(it => ({
        ...it,
        size: it.isShort && it.unit.venue === 'venue_b' ? -it.size : it.size,
      }));
      for (const { unit, size, cents } of shares) {
        const { venue, address } = unit;
        const fee = 0 as MicroDollars;
        const change = { change: (size * 1e6) as MicroShares, addressPrice: (cents * 100) as Ticks, fee, at };
        store.change(step => step.putPosition('alice', changed(noPosition(venue, address, at), change)));
      }
      const lossIf = (result: number): number =>
        shares.reduce((sum, { unit, size, cents }) => {
          const pays = (unit.result === result) === unit.isNot ? 0 : 100;
          return sum + size * (cents - pays) * 10_000;
        }, 0);
      const loss = Math.max(0, ...[0, 1, 2].map(lossIf));
      const exposure = new Exposure({ store, eventOf: (...market) => links.of(...market), actorsOf: () => ['alice'] });
      const shown = (await exposure.eventsOf(store, 'pod', 'alice'))!;
      expect(shown.map(it => [it.eventId, it.loss])).toEqual(loss === 0 ? [] : [[catalog.events[0]!.id, loss]]);
    }),
  );
});
