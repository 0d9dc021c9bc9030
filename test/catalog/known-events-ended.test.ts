// Which events count as ended, and how long they are still shown.

import { describe, expect, it } from 'vitest';
import type { Catalog, CatalogEvent } from '../../src/catalog/catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { EndedEvents } from '../../src/catalog/known-events.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { limits } from '../../src/limits.ts';

const at = (ms: number): UnixMillis => ms as UnixMillis;

function eventOf(id: string, competition = 'nba'): CatalogEvent {
  return {
    id,
    name: id,
    sport: 'basketball',
    competition,
    startsAt: at(0),
    isOver: false,
    participants: [],
    matching: { keys: [], confidence: 100, evidence: [] },
  };
}

const catalogOf = (...ids: readonly string[]): Catalog => ({ events: ids.map(id => eventOf(id)), markets: [] });
/** Returns the ids of the events: `a` is listed, `a!` has ended. */
const idsOf = ({ events }: Catalog): readonly string[] => events.map(({ id, isOver }) => (isOver ? `${id}!` : id));

describe('an event that no venue lists any more', () => {
  it('is shown as ended, in its place, until it is too long ago', () => {
    const ended = new EndedEvents(() => false);
    expect(idsOf(ended.addTo(catalogOf('a', 'b', 'c'), at(1)))).toEqual(['a', 'b', 'c']);
    expect(idsOf(ended.addTo(catalogOf('a', 'c'), at(2)))).toEqual(['a', 'b!', 'c']);
    const last = 2 + limits.catalogEndedEventMs;
    expect(idsOf(ended.addTo(catalogOf('a'), at(last - 1)))).toEqual(['a', 'b!', 'c!']);
    expect(idsOf(ended.addTo(catalogOf('a'), at(last)))).toEqual(['a', 'c!']);
  });

  it('is no longer ended when it is listed again', () => {
    const ended = new EndedEvents(() => false);
    for (const catalog of [catalogOf('a'), catalogOf()]) ended.addTo(catalog, at(1));
    expect(idsOf(ended.addTo(catalogOf('a'), at(2)))).toEqual(['a']);
    expect(ended.all()).toEqual([]);
  });

  it('is not ended if it turned out to be another one', () => {
    const ended = new EndedEvents(id => id === 'a');
    ended.addTo(catalogOf('a', 'b'), at(1));
    expect(idsOf(ended.addTo(catalogOf('b'), at(2)))).toEqual(['b']);
  });

  it('is forgotten when too many have ended since, the oldest first', () => {
    const ended = new EndedEvents(() => false);
    const ids = Array.from({ length: limits.catalogEndedEventsMax }, (_, number) => `${number}`);
    for (const catalog of [catalogOf('first'), catalogOf('second')]) ended.addTo(catalog, at(1));
    for (const catalog of [catalogOf(...ids), catalogOf()]) ended.addTo(catalog, at(2));
    expect(ended.all()).toHaveLength(limits.catalogEndedEventsMax);
    expect(ended.all().map(({ event }) => event.id)).toEqual(ids);
  });

  it('is remembered across a restart', () => {
    const before = new EndedEvents(() => false);
    for (const catalog of [catalogOf('a', 'b'), catalogOf('b')]) before.addTo(catalog, at(1));
    const after = new EndedEvents(() => false, before.all());
    expect(idsOf(after.addTo(catalogOf('b'), at(2)))).toEqual(['a!', 'b']);
  });
});

// A release that does not know the competition of one had no catalog: its thread died of it at every start. So it is after a return to an
// earlier release, or where the next one drops a competition.
it('3254: an ended event of a competition that this release does not know is left out', () => {
  const stored = ['nba', 'quidditch'].map(competition => ({
    event: eventOf(competition, competition),
    endedAt: at(1),
  }));
  const ended = new EndedEvents(() => false, stored);
  const catalog = ended.addTo({ events: [], markets: [] }, at(1));
  expect(new RowBuilder().of(catalog).events.map(({ id }) => id)).toEqual(['nba']);
  expect(ended.all()).toEqual([stored[0]]);
});
