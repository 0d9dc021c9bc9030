// Matching against recordings of both venues: it finds every pair that was found by hand, and merges nothing else. The tables of teams are
// those of the leagues, complete. They learned nothing from a list of pairs, so each list is new to them.

import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { recordingsPresent } from '../../support/recordings.ts';
import { type KnownPair, listedByVenueA, listedByVenueB, nbaOfVenueA, steffenmax, tinli } from './recorded.ts';

const build = (events: readonly VenueEvent[]): Catalog => buildCatalog(events, new EventIds());

/** Returns `<ticker> = <token>` for every outcome that both venues have, each as the way to buy the outcome. */
function merges({ markets }: Catalog): readonly string[] {
  return markets.flatMap(({ outcomes }) =>
    outcomes.flatMap(({ listings }) => {
      const routes = listings.map(({ route }) => route);
      const tickers = routes.flatMap(it => (it.venue === 'venue_b' && it.side === 'YES' ? [it.ticker] : []));
      const tokens = routes.flatMap(it => (it.venue === 'venue_a' ? [it.tokenId] : []));
      return tickers.flatMap(ticker => tokens.map(token => `${ticker} = ${token}`));
    }),
  );
}

function named({ ticker, token }: KnownPair): string {
  return `${ticker} = ${token}`;
}

const DAY_MS = 86_400_000;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Returns the same games a day later, in the words of a ticker. */
function aDayLater(event: VenueEvent): VenueEvent {
  const move = (text: string): string =>
    text.replace(/-(\d\d)([A-Z]{3})(\d\d)(?=[A-Z0-9]{4})/, (_, year, month, day) => {
      const at = new Date(Date.UTC(2000 + Number(year), MONTHS.indexOf(month), Number(day)) + DAY_MS);
      const [date, later] = [String(at.getUTCDate()).padStart(2, '0'), MONTHS[at.getUTCMonth()]];
      return `-${at.getUTCFullYear() - 2_000}${later}${date}`;
    });
  return {
    ...event,
    eventId: move(event.eventId),
    markets: event.markets.map(it => ({ ...it, marketId: move(it.marketId) })),
  };
}

const isGame = ({ venue, eventId }: VenueEvent): boolean =>
  venue === 'venue_b' && /-\d\d[A-Z]{3}\d\d[A-Z0-9]{4}/.test(eventId);

describe.skipIf(!recordingsPresent)('recorded markets (absent: set CROSSBOOK_DATA)', () => {
  it('has every game that a list of 18 names with both venues’ tokens', () => {
    const { pairs, events } = steffenmax();
    const listed = nbaOfVenueA();
    const conditions = new Set(listed.flatMap(({ markets }) => markets.map(({ marketId }) => marketId)));
    const present = pairs.filter(({ conditionId }) => conditions.has(conditionId));
    expect(present.length).toBe(30);
    expect([...merges(build([...listed, ...events]))].sort()).toEqual(present.map(named).sort());
  });

  it('4008: has the 20 markets of football, tennis and the Fed that another list compares', () => {
    const { pairs, events } = tinli();
    expect(pairs.length).toBe(20);
    expect([...merges(build(events))].sort()).toEqual(pairs.map(named).sort());
  });

  it('merges nothing else of all that was recorded, 245 markets of venue B among them', () => {
    const listed = [
      ...nbaOfVenueA(),
      ...steffenmax().events,
      ...tinli().events,
      ...listedByVenueA(),
      ...listedByVenueB(),
    ];
    const known = new Set([...steffenmax().pairs, ...tinli().pairs].map(named));
    const found = merges(build(listed));
    expect(found.filter(it => !known.has(it))).toEqual([]);
    expect(found.length).toBe(50);
  });

  it('merges no game with one of the day before', () => {
    const listed = [...nbaOfVenueA(), ...steffenmax().events, ...tinli().events];
    const moved = listed.map(event => (isGame(event) ? aDayLater(event) : event));
    expect(merges(build(moved)).filter(it => /-\d\d[A-Z]{3}\d\d/.test(it))).toEqual([]);
  });

  it('keeps each outcome with its team when a venue names them the other way round', () => {
    const { pairs, events } = steffenmax();
    const listed = nbaOfVenueA();
    const turned = events.map(event => ({ ...event, title: event.title.split(' at ').reverse().join(' at ') }));
    const conditions = new Set(listed.flatMap(({ markets }) => markets.map(({ marketId }) => marketId)));
    const present = pairs
      .filter(({ conditionId }) => conditions.has(conditionId))
      .map(named)
      .sort();
    // The ticker contradicts the title on the home team: only the home team is lost.
    expect([...merges(build([...listed, ...turned]))].sort()).toEqual(present);
    const both = listed.map(event => ({ ...event, title: event.title.split(' vs. ').reverse().join(' vs. ') }));
    expect([...merges(build([...both, ...events]))].sort()).toEqual(present);
  });
});
