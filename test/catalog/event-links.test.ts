// Which markets are about one event, read from a catalog in shared memory as the engine has it.

import { expect, it } from 'vitest';
import type { Catalog, CatalogEvent, CatalogMarket } from '../../src/catalog/catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { EventLinks } from '../../src/catalog/event-links.ts';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { aloneEvent } from '../../src/core/domain/event-links.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { OutcomeRoute } from '../../src/venues/discovery.ts';

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
  // The other side's listing of a ticker says the same.
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
  // A word that begins an address is none.
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
