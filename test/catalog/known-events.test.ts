// What a reading of a venue's list keeps of the one before, up to its bound.

import { describe, expect, it } from 'vitest';
import { KnownEvents } from '../../src/catalog/known-events.ts';
import { assert } from '../../src/domain/result.ts';
import type { VenueEvent } from '../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../src/venues/venue-a/discovery.ts';
import { conditionId, venueAEvent, venueAMarket } from './venue-objects.ts';

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
    // Nothing is gone while it is read.
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
    expect(known.put(unknownVersion.event)).toBe(true);
    expect(known.all()).toMatchObject([{ markets: [], untraded: [{ marketId: conditionId(1) }] }]);
    expect(known.put(eventOf(2, [venueAMarket(2)]))).toBe(false);
    expect(known.put(eventOf(1, [venueAMarket(1)]))).toBe(true);
    expect([known.all()[0]?.untraded, known.markets]).toEqual([undefined, 1]);
  });

  it('leave out an event for which there is no room (catalogMarketsPerVenueMax), whole', () => {
    const known = new KnownEvents(3);
    expect(known.put(eventOf(1, [venueAMarket(1), venueAMarket(2)]))).toBe(true);
    expect(known.put(eventOf(2, [venueAMarket(3), venueAMarket(4)]))).toBe(false);
    expect(known.put(eventOf(3, [venueAMarket(5)]))).toBe(true);
    expect([idsOf(known), known.markets]).toEqual([['1', '3'], 3]);
  });

  it('from before a restart are bounded, and stay until a full reading has ended without them', () => {
    const known = new KnownEvents(3);
    known.restore([1, 2].map(id => eventOf(id, [venueAMarket(id * 2), venueAMarket(id * 2 + 1)])));
    expect([idsOf(known), known.markets]).toEqual([['1'], 2]);
    known.beginReading();
    expect(known.put(eventOf(3, [venueAMarket(9)]))).toBe(true);
    known.endReading();
    expect([idsOf(known), known.markets]).toEqual([['3'], 1]);
  });
});
