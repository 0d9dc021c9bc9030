// Found by review: events that have ended are stored as they are shown, for two days. A release that does not know the competition of one had
// no catalog: its thread died of it at every start. So it is after a return to an earlier release, or where the next one drops a competition.

import { expect, it } from 'vitest';
import type { CatalogEvent } from '../../src/catalog/catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { EndedEvents } from '../../src/catalog/ended-events.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';

const at = 1 as UnixMillis;

function eventOf(competition: string): CatalogEvent {
  const matching = { keys: [], confidence: 100, evidence: [] };
  const sport = 'basketball';
  return {
    id: `${competition}-1`,
    name: '',
    sport,
    competition,
    startsAt: at,
    isOver: true,
    participants: [],
    matching,
  };
}

it('an ended event of a competition that this release does not know is left out', () => {
  const stored = ['nba', 'quidditch'].map(competition => ({ event: eventOf(competition), endedAt: at }));
  const ended = new EndedEvents(() => false, stored);
  const catalog = ended.addTo({ events: [], markets: [] }, at);
  expect(new RowBuilder().of(catalog).events.map(({ id }) => id)).toEqual(['nba-1']);
  expect(ended.all()).toEqual([stored[0]]);
});
