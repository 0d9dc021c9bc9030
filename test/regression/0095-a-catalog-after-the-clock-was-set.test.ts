// The machine's clock was set back an hour: for an hour no new catalog was shown, and the venues' lists were not read anew. Set ahead, two
// catalogs were shown at once, and readers of the one before found the next one in their memory.

import { expect, it } from 'vitest';
import { KnownEvents } from '../../src/catalog/known-events.ts';
import { PublishSchedule } from '../../src/catalog/publish-schedule.ts';
import { VenueReader } from '../../src/catalog/venue-reader.ts';
import { ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const HOUR_MS = 3_600_000;

it('a catalog is shown after its pause, no sooner and no later', () => {
  const timers = new VirtualTimers();
  let shown = 0;
  const showing = new PublishSchedule(timers, () => {
    shown += 1;
  });
  showing.later();
  timers.advance(0);
  timers.setClock(-HOUR_MS);
  showing.later();
  timers.advance(limits.catalogShowMs);
  expect(shown).toBe(2);
  timers.setClock(HOUR_MS);
  showing.soon();
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
