// A reading of a venue's list keeps events of the reading before, up to its bound.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KnownEvents } from '../../src/catalog/known-events.ts';
import { PublishSchedule } from '../../src/catalog/publish-schedule.ts';
import { VenueReader } from '../../src/catalog/venue-reader.ts';
import type { JsonObject } from '../../src/core/domain/json.ts';
import { assert, ok } from '../../src/core/domain/result.ts';
import { limits } from '../../src/limits.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../src/venues/venue-a/discovery.ts';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { conditionId, venueAEvent, venueAMarket, venueBEvent, venueBMarket } from './venue-objects.ts';

function eventOf(id: number, markets: readonly object[]): VenueEvent {
  const listed = readVenueAEvent(venueAEvent(id, markets));
  assert(listed !== 'malformed' && listed.malformed === 0, 'an event of the test');
  return listed.event;
}

const idsOf = (known: KnownEvents) => known.all().map(({ eventId }) => eventId);

describe('known events', () => {
  it('are what the last reading has shown', () => {
    const known = new KnownEvents();
    known.beginReading();
    for (const id of [1, 2, 3]) known.put(eventOf(id, [venueAMarket(id)]));
    known.endReading();
    known.beginReading();
    known.put(eventOf(1, [venueAMarket(1)]));
    known.put(eventOf(4, [venueAMarket(4)]));
    // No event disappears while the list is read.
    expect(idsOf(known).toSorted()).toEqual(['1', '2', '3', '4']);
    known.endReading();
    expect([idsOf(known).toSorted(), known.markets]).toEqual([['1', '4'], 2]);
  });

  it('have no market that is over, and are none without a market', () => {
    const known = new KnownEvents();
    known.put(eventOf(1, [venueAMarket(1), venueAMarket(2)]));
    known.put(eventOf(1, [venueAMarket(1), venueAMarket(2, { closed: true })]));
    expect(known.all().flatMap(({ markets }) => markets)).toHaveLength(1);
    known.put(eventOf(1, [venueAMarket(1, { closed: true })]));
    expect([known.all(), known.markets]).toEqual([[], 0]);
  });

  it('have a market of an unknown version, which takes room, without a market to trade', () => {
    const known = new KnownEvents(1);
    const unknownVersion = readVenueAEvent(venueAEvent(1, [venueAMarket(1, { version: 'v3' })]));
    assert(unknownVersion !== 'malformed', 'an event of the test');
    expect(known.put(unknownVersion.event)).toBe(0);
    expect(known.all()).toMatchObject([{ markets: [], untraded: [{ marketId: conditionId(1) }] }]);
    expect(known.put(eventOf(2, [venueAMarket(2)]))).toBe(1);
    expect(known.put(eventOf(1, [venueAMarket(1)]))).toBe(0);
    expect([known.all()[0]?.untraded, known.markets]).toEqual([undefined, 1]);
  });

  it('leave out an event for which there is no room (catalogMarketsPerVenueMax), whole', () => {
    const known = new KnownEvents(3);
    expect(known.put(eventOf(1, [venueAMarket(1), venueAMarket(2)]))).toBe(0);
    expect(known.put(eventOf(2, [venueAMarket(3), venueAMarket(4)]))).toBe(2);
    expect(known.put(eventOf(3, [venueAMarket(5)]))).toBe(0);
    expect([idsOf(known), known.markets]).toEqual([['1', '3'], 3]);
  });

  // The log said nothing of an event that only an upgrade can trade, and counted markets that are over.
  it('6206: count what there is no room for, also markets that cannot be traded yet', () => {
    const known = new KnownEvents(0);
    const listed = readVenueAEvent(
      venueAEvent(1, [venueAMarket(1, { version: 'v3' }), venueAMarket(2, { closed: true })]),
    );
    assert(listed !== 'malformed', 'an event of the test');
    expect(known.put(listed.event)).toBe(1);
  });

  it('from before a restart are bounded, and stay until a full reading has ended without them', () => {
    const known = new KnownEvents(3);
    known.restore([1, 2].map(id => eventOf(id, [venueAMarket(id * 2), venueAMarket(id * 2 + 1)])));
    expect([idsOf(known), known.markets]).toEqual([['1'], 2]);
    known.beginReading();
    expect(known.put(eventOf(3, [venueAMarket(9)]))).toBe(0);
    known.endReading();
    expect([idsOf(known), known.markets]).toEqual([['3'], 1]);
  });
});

// A full reading took a paused event for gone. A game that was interrupted had ENDED, and so had a game that was only announced, when neither had a
// market any more.
describe('0260: a game that is paused while the catalog is read', () => {
  /** The status of each event's only market, by ticker. */
  let statuses: Map<string, string>;
  let timers: VirtualTimers;
  let known: KnownEvents;
  let reader: VenueReader;
  let asked: URL[];
  let refused: (url: URL) => boolean;

  beforeEach(() => {
    timers = new VirtualTimers();
    known = new KnownEvents();
    asked = [];
    refused = () => false;
    const get = async (text: string) => {
      const url = new URL(text);
      asked.push(url);
      if (refused(url)) return { status: 400, body: '{"msg":"no"}' };
      return { status: 200, body: JSON.stringify({ events: listed(url) }) };
    };
    reader = new VenueReader({
      discovery: venueBDiscovery({ restUrl: 'http://venue', sign: () => ({}), get, timers }),
      known,
      timers,
      onChange: () => {},
      onRead: () => {},
      onFailure: () => {},
      onLeftOut: () => {},
    });
  });
  afterEach(() => reader.stop());

  /** Returns the list, filtered as the venue does. */
  function listed({ searchParams }: URL): readonly JsonObject[] {
    if (searchParams.has('min_updated_ts')) return [];
    const tickers = searchParams.get('tickers')?.split(',');
    return [...statuses]
      .filter(([ticker, status]) =>
        searchParams.get('status') === 'open' ? status === 'active' : tickers?.includes(ticker),
      )
      .map(([ticker, status]) => venueBEvent(ticker, [venueBMarket(`${ticker}-1`, { status })]));
  }

  const names = () => known.all().map(({ eventId }) => eventId);
  const requests = (name: string) => asked.filter(({ searchParams }) => searchParams.has(name)).length;

  async function readOnce(): Promise<void> {
    const before = requests('status');
    while (requests('status') === before) await timers.settle(limits.catalogNewsMs);
    for (let turn = 0; turn < 20; turn += 1) await timers.settle(limits.catalogPagePauseMs);
  }

  it('a game that is paused, or not open yet, is known as long as the venue has it and it is not over', async () => {
    statuses = new Map(['KX-GOES', 'KX-PAUSED', 'KX-EARLY', 'KX-OVER', 'KX-GONE'].map(ticker => [ticker, 'active']));
    void reader.run();
    await readOnce();
    expect(names()).toHaveLength(5);
    statuses.set('KX-PAUSED', 'inactive').set('KX-EARLY', 'initialized').set('KX-OVER', 'finalized').delete('KX-GONE');
    await readOnce();
    expect(names().toSorted()).toEqual(['KX-EARLY', 'KX-GOES', 'KX-PAUSED']);
    const phases = known.all().map(({ eventId, markets }) => [eventId, markets[0]!.phase]);
    expect(Object.fromEntries(phases)).toEqual({ 'KX-EARLY': 'OPEN', 'KX-GOES': 'OPEN', 'KX-PAUSED': 'PAUSED' });
    statuses.set('KX-PAUSED', 'finalized');
    await readOnce();
    expect(names().toSorted()).toEqual(['KX-EARLY', 'KX-GOES']);
  });

  it('a paused game is requested with as many others as one request may name', async () => {
    const tickers = Array.from(
      { length: 120 },
      (_, number) => `KX-${String(number).padStart(limits.venueBTickerBytesMax - 5, '0')}`,
    );
    statuses = new Map(tickers.map(ticker => [ticker, 'active']));
    void reader.run();
    await readOnce();
    for (const ticker of tickers) statuses.set(ticker, 'inactive');
    await readOnce();
    expect(names().toSorted()).toEqual(tickers.toSorted());
    const lists = asked.map(({ searchParams }) => searchParams.get('tickers') ?? '');
    expect(Math.max(...lists.map(list => list.length))).toBeLessThanOrEqual(limits.venueBTickerListBytes);
  });

  it('a paused game stays as long as the venue does not answer', async () => {
    statuses = new Map([['KX-PAUSED', 'active']]);
    void reader.run();
    await readOnce();
    statuses.set('KX-PAUSED', 'inactive');
    refused = ({ searchParams }) => searchParams.has('tickers');
    await readOnce();
    expect([names(), requests('tickers') > 0]).toEqual([['KX-PAUSED'], true]);
  });
});

// When the machine's clock was set back an hour, no new catalog was shown for an hour, and the venues' lists were not read again. When it was set
// ahead, two catalogs were shown at once, and readers of the previous catalog found the next one in their memory.
describe('0095: a catalog after the clock was set', () => {
  const HOUR_MS = 3_600_000;

  it('a catalog is shown after its pause, no sooner and no later', () => {
    const timers = new VirtualTimers();
    let shown = 0;
    const showing = new PublishSchedule(timers, () => {
      shown += 1;
    });
    showing.publishLater();
    timers.advance(0);
    timers.setClock(-HOUR_MS);
    showing.publishLater();
    timers.advance(limits.catalogShowMs);
    expect(shown).toBe(2);
    timers.setClock(HOUR_MS);
    showing.publishSoon();
    timers.advance(limits.catalogShowPauseMs - 1);
    expect(shown).toBe(2);
    timers.advance(1);
    expect(shown).toBe(3);
  });

  it('a venue is read anew when what is known of it is old', async () => {
    const timers = new VirtualTimers();
    let readings = 0;
    const page = async () => ok({ events: [], malformed: 0, next: null });
    const reader = new VenueReader({
      discovery: { venue: 'venue_b', rowsMax: 1, pagePauseMs: 0, listed: page, news: page, unlisted: page },
      known: new KnownEvents(1),
      timers,
      onChange: () => {},
      onRead: () => {
        readings += 1;
      },
      onFailure: () => {},
      onLeftOut: () => {},
    });
    void reader.run();
    await timers.settle();
    timers.setClock(-HOUR_MS);
    for (let passed = 0; passed <= limits.catalogReadMs; passed += limits.catalogNewsMs) {
      await timers.settle(limits.catalogNewsMs);
    }
    expect(readings).toBe(2);
    reader.stop();
  });
});
