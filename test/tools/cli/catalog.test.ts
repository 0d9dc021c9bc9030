// `crossbook catalog explain` on a store with two games in it, one of them listed by both venues.

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IdEntry, openCatalogStore } from '../../../src/catalog/catalog-store.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { openEnvironment } from '../../../src/core/store/lmdb.ts';
import { catalogCommand } from '../../../src/tools/cli/catalog.ts';
import type { VenueMarket } from '../../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../../src/venues/venue-a/discovery.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA } from '../../catalog/matching/listings.ts';
import { conditionId, venueAEvent, venueAMarket } from '../../catalog/venue-objects.ts';
import { CommandRig } from './command-rig.ts';

const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const a = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { gameId: '7' });
const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
const alone = atVenueB(NBA, 'NYKMIA', 'New York at Miami', { NYK: 'New York', MIA: 'Miami' });
const token = (index: 0 | 1): string => {
  const { route } = a.markets[0]!.outcomes[index]!;
  return route.venue === 'venue_a' ? route.tokenId : '';
};
const IDS: readonly IdEntry[] = [
  ['venue_a/nba/7', 'nba-bos-lal-2026-11-20'],
  ['venue_b/nba/26NOV20BOSLAL', 'nba-bos-lal-2026-11-20'],
  ['id/nba-bos-lal-2026-11-20-2', 'nba-bos-lal-2026-11-20'],
  ['venue_b/nba/26NOV20NYKMIA', 'nba-nyk-mia-2026-11-20'],
];

let rig: CommandRig;
const explain = (...args: string[]) => rig.run(catalogCommand, 'explain', ...args);

beforeEach(async () => {
  rig = new CommandRig();
  const { store } = openCatalogStore(join(rig.dataDir, 'catalog'));
  store.write(IDS, { events: [a, b, alone], ended: [] });
  await store.close();
});
afterEach(() => rig.remove());

describe('crossbook catalog explain', () => {
  it('says which listings are one event, why, and where it can be traded', async () => {
    const { code, out } = await explain('nba-bos-lal-2026-11-20');
    expect(code).toBe(0);
    expect(out).toBe(`nba-bos-lal-2026-11-20
  Boston Celtics at Los Angeles Lakers, nba, starts 2026-11-21T03:00:00.000Z
  away: Boston Celtics
  home: Los Angeles Lakers
listed as
  venue_a/nba/7
  venue_b/nba/26NOV20BOSLAL
matched with confidence 98 (at least 90)
  both list it in nba on 2026-11-20
  both name Boston Celtics
  both name Los Angeles Lakers
  one venue has not said when it starts
  nothing speaks against who is at home
nba-bos-lal-2026-11-20:moneyline  Boston Celtics at Los Angeles Lakers: winner
  Los Angeles Lakers
    venue_a ${token(1)}
    venue_b KXNBAGAME-26NOV20BOSLAL-LAL YES
    venue_b KXNBAGAME-26NOV20BOSLAL-BOS NO
  Boston Celtics
    venue_a ${token(0)}
    venue_b KXNBAGAME-26NOV20BOSLAL-BOS YES
    venue_b KXNBAGAME-26NOV20BOSLAL-LAL NO
  note: A postponed game: venue_a leaves its market open until it is played; venue_b does so for two weeks at most. A game that is never played is 50-50 at venue_a and settles at a fair price at venue_b.
`);
  });

  it('knows an event by an id that it had, and one that is matched with nothing', async () => {
    const [first] = (await explain('nba-bos-lal-2026-11-20-2')).out.split('\n');
    expect(first).toBe('nba-bos-lal-2026-11-20-2 turned out to be nba-bos-lal-2026-11-20');
    expect((await explain('nba-nyk-mia-2026-11-20')).out).toContain('\nmatched with nothing\n');
  });

  it('says which listings of the other venue an event is not, and why', async () => {
    const { store } = openCatalogStore(join(rig.dataDir, 'catalog'));
    const later = atVenueA({ ...NBA, startsAt: '2026-11-21T20:00:00Z' }, 'nyk-mia', 'Knicks vs. Heat', { gameId: '8' });
    const moved = atVenueA({ ...NBA, date: '2026-11-22' }, 'nyk-mia', 'Knicks vs. Heat', { gameId: '9' });
    const other = atVenueA(NBA, 'nyk-chi', 'Knicks vs. Bulls', { gameId: '10' });
    const women = atVenueA({ ...NBA, league: 'WNBA' }, 'ny-chi', 'Liberty vs. Sky', { gameId: '11' });
    const clocked = { ...alone, startsAt: Date.parse('2026-11-21T03:00:00Z') as typeof alone.startsAt };
    store.write(IDS, { events: [clocked, later, moved, other, women], ended: [] });
    await store.close();
    const { out } = await explain('nba-nyk-mia-2026-11-20');
    expect(out).toContain(`matched with nothing
not matched with
  venue_a/nba/8  New York Knicks and Miami Heat, nba, 2026-11-20
    start times are 1020 minutes apart, more than 360
  venue_a/nba/10  New York Knicks and Chicago Bulls, nba, 2026-11-20
    Chicago Bulls does not play in this game
  venue_a/nba/9  New York Knicks and Miami Heat, nba, 2026-11-22
    is listed for 2026-11-22, not for 2026-11-20
`);
  });

  it('knows an event by a ticker and by a token of its markets', async () => {
    const { out } = await explain('nba-bos-lal-2026-11-20');
    for (const name of [token(0), token(1), 'KXNBAGAME-26NOV20BOSLAL-BOS', a.markets[0]!.marketId]) {
      expect((await explain(name)).out).toBe(out);
    }
  });

  it('says what a question outside of events asks, and why the other venue’s is not it', async () => {
    const title = 'Will CPI rise more than 0.3% in November 2026?';
    const [december, january] = [Date.UTC(2026, 11, 10), Date.UTC(2027, 0, 10)] as UnixMillis[];
    const ofA = { ...ofVenueA(title, '', ['Yes', 'No']), occursAt: december!, source: 'bls.gov/cpi' };
    const strike = { kind: 'greater', line: '0.3', label: 'More than 0.3%', source: 'bls.gov/cpi' };
    const ofB = { ...alone.markets[0]!, ...strike, marketId: 'KXNBAGAME-26NOV20NYKMIA-NYK', title };
    const write = async (closesAt: UnixMillis, more: Partial<VenueMarket> = {}) => {
      const { store } = openCatalogStore(join(rig.dataDir, 'catalog'));
      const asked = { ...alone, seriesId: 'KXCPI', markets: [{ ...ofB, closesAt, ...more }] };
      store.write([], { events: [{ ...a, subTitle: 'cpi', gameId: '', markets: [ofA] }, asked], ended: [] });
      await store.close();
    };
    const id = `venue_a:${ofA.marketId}`;
    await write(december!);
    const both = (await explain(id)).out;
    expect(both).toContain(`${id}  ${title}: by bls.gov/cpi, ends 2026-12-10T00:00:00.000Z\n`);
    expect(both.match(/^ {4}asks will-cpi-.*, is settled by bls\.gov\/cpi$/gm)).toHaveLength(2);
    expect((await explain(ofB.marketId)).out).toBe(both);
    expect(both).not.toContain('not matched with');
    await write(january!);
    expect((await explain(id)).out).toContain(`not matched with
  venue_b ${ofB.marketId}  ${title}
    ends 2027-01-10T00:00:00.000Z, not 2026-12-10T00:00:00.000Z
`);
    await write(december!, { line: '0.4' });
    expect((await explain(id)).out).toContain('its strike is not that of its title');
    expect((await explain(ofB.marketId)).out).toContain(`listed as
  venue_b ${ofB.marketId}  ${title}
    its strike is not that of its title, or of a kind that is not read
`);
  });

  it('lets no venue write to the terminal but text', async () => {
    const { store } = openCatalogStore(join(rig.dataDir, 'catalog'));
    const title = 'up\u001b[2J\nvenue_a 1\u202e';
    const market = { ...a.markets[0]!, kind: '', title };
    store.write([], { events: [{ ...a, markets: [market] }], ended: [] });
    await store.close();
    const { out } = await explain('nba-bos-lal-2026-11-20');
    expect(out).toContain('up?[2J?venue_a 1?\n');
  });

  it.each([
    [['explain', 'nba-bos-lal-1999-01-01'], /^crossbook: EVENT: .* is neither an event nor a market of the catalog\n$/],
    [['explain'], /^crossbook: EVENT: is required\n$/],
    [['expand', 'x'], /^crossbook: catalog: must be followed by explain or unread\n$/],
    [['explain', 'x', '--data-dir', 'nowhere'], /^crossbook: --data-dir: nowhere holds no catalog\n$/],
  ])('%j is a mistake', async (args, message) => {
    const { code, err } = await rig.run(catalogCommand, ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

it('says which markets are not traded, and why', async () => {
  const { store } = openCatalogStore(join(rig.dataDir, 'catalog'));
  const event = readVenueAEvent(venueAEvent(5, [venueAMarket(1, { version: 'v3' })]));
  assert(event !== 'malformed', 'an event of the test');
  store.write([], { events: [a, event.event], ended: [] });
  await store.close();
  const { code, out } = await rig.run(catalogCommand, 'unread');
  expect([code, out.split('\n').slice(0, 3)]).toEqual([
    0,
    [
      'not traded: its version v3 is not known',
      `  venue_a ${conditionId(1)}: Celtics vs. Lakers 1`,
      '0 games could not be read; of those that were read:',
    ],
  ]);
  expect(await explain(conditionId(1))).toMatchObject({ code: 0, out: `${out.split('\n0 games')[0]}\n` });
});

it('4013: says which records of the catalog are damaged, and so left out', async () => {
  const folder = join(rig.dataDir, 'catalog');
  const environment = openEnvironment(folder, 1_000_000);
  const { key, value } = environment.entries().find(it => it.key.startsWith('event/'))!;
  environment.transact(it =>
    it.put(
      key,
      value.map((byte, at) => (at === value.length - 3 ? byte ^ 1 : byte)),
    ),
  );
  await environment.close();
  const left = `left out: catalog store ${folder}: record "${key}": is damaged`;
  const unread = await rig.run(catalogCommand, 'unread');
  expect(unread).toMatchObject({ code: 1, err: `${left}\ncrossbook: 1 listings are left out\n` });
  expect(await explain('nba-nyk-mia-2026-11-20')).toMatchObject({ err: `${left}\n` });
});
