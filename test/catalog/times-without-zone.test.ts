// Listed times without a zone are in UTC: the games of both venues are found in any zone of the machine, under the same id.
// test/core/domain/time-zones.test.ts runs this file in other zones.

import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { readVenueAEvent } from '../../src/venues/venue-a/discovery.ts';
import { readMilestone, readVenueBEvent } from '../../src/venues/venue-b/discovery.ts';
import { venueAEvent, venueAMarket, venueBEvent, venueBMarket } from './venue-objects.ts';

const STARTS_AT = Date.UTC(2026, 10, 21, 2);
const TEAMS = [
  { name: 'Boston Celtics', abbreviation: 'bos', alias: 'Celtics', ordering: 'away' },
  { name: 'Los Angeles Lakers', abbreviation: 'lal', alias: 'Lakers', ordering: 'home' },
];

/** Returns the same game as both venues list it, with this time. */
function listedWith(time: string) {
  const a = readVenueAEvent(
    venueAEvent(1, [venueAMarket(1, { gameStartTime: time })], { startTime: time, teams: TEAMS }),
  );
  const milestone = readMilestone({
    id: 'm-1',
    start_date: time,
    details: {
      home_team: { name: 'Los Angeles L', abbreviation: 'LAL' },
      away_team: { name: 'Boston', abbreviation: 'BOS' },
      league: 'nba',
    },
  });
  const ticker = 'KXNBAGAME-26NOV20BOSLAL';
  const markets = [
    venueBMarket(`${ticker}-BOS`, { occurrence_datetime: time }),
    venueBMarket(`${ticker}-LAL`, {
      occurrence_datetime: time,
      ...{ yes_sub_title: 'Los Angeles L', no_sub_title: 'Los Angeles L' },
    }),
  ];
  const b = readVenueBEvent(venueBEvent(ticker, markets), () => milestone);
  return [a, b].map(listed => (listed as { readonly event: Parameters<typeof buildCatalog>[0][number] }).event);
}

describe('a game of both venues at 02:00 UTC, a day earlier where it is played', () => {
  it.each(['2026-11-21T02:00:00Z', '2026-11-21T02:00:00', '2026-11-21 02:00:00', '2026-11-20T21:00:00-05:00'])(
    '%s',
    time => {
      const { events } = buildCatalog(listedWith(time), new EventIds());
      expect(events).toMatchObject([{ id: 'nba-bos-lal-2026-11-20', startsAt: STARTS_AT }]);
      expect(events[0]!.matching.keys).toHaveLength(2);
    },
  );
});
