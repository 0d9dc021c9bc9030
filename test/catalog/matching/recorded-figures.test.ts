// The recorded listings of both venues. First the figures that docs/CATALOG.md states of them. Then titles of competitions that only venue
// A was recorded with. Then every pair against a rule that knows nothing of ours.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import { venueAGames } from '../../../src/catalog/matching/venue-a-games.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { withPairingFigures } from '../../support/make-pairing-figures.ts';
import { recordingsPresent } from '../../support/recordings.ts';
import { everythingListed, tradedAtVenueA } from './recorded.ts';

/** The first words of venue B's series, by the competition at the beginning of venue A's slug. */
const SERIES: Readonly<Record<string, RegExp>> = {
  nba: /^KXNBA/,
  nfl: /^KXNFL/,
  atp: /^KXATP/,
  wta: /^KXWTA/,
  fifwc: /^KXWC/,
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Returns the day of a slug in the form of a ticker. */
function dayInTicker(slug: string): string {
  const [, year = '', month = '', day = ''] = /(\d{4})-(\d{2})-(\d{2})/.exec(slug) ?? [];
  return `${year.slice(2)}${MONTHS[Number(month) - 1]}${day}`;
}

/** Two listings of a game are one if league and day are, and codes begin alike or a word of both titles names each side. */
function isOneNaively(a: VenueEvent, b: VenueEvent): boolean {
  const [, league = '', first = '', second = ''] = /^([a-z0-9]+)-([a-z0-9]+)-([a-z0-9]+)-\d{4}/.exec(a.subTitle) ?? [];
  const [, codes = ''] = /-\d{2}[A-Z]{3}\d{2}([A-Z]+)$/.exec(b.eventId) ?? [];
  const isLeague = SERIES[league]?.test(b.seriesId) === true;
  const isDay = b.eventId.includes(`-${dayInTicker(a.subTitle)}`);
  const start = (code: string) => code.toUpperCase().slice(0, 3);
  const byCodes = [start(first) + start(second), start(second) + start(first)].includes(codes);
  const wordsOf = (event: VenueEvent) =>
    new Set(
      [event.title, ...event.markets.map(it => `${it.title} ${it.label}`)]
        .join(' ')
        .toLowerCase()
        .match(/[a-z]{4,}/g),
    );
  const shared = [...wordsOf(b)].filter(
    word => wordsOf(a).has(word) && !/^(?:will|advance|match|round|game)$/.test(word),
  );
  return isLeague && isDay && (byCodes || shared.length > 1);
}

describe.skipIf(!recordingsPresent)('recorded listings (absent: set CROSSBOOK_DATA)', () => {
  it('have the figures of docs/CATALOG.md', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../../docs/CATALOG.md'), 'utf8');
    expect(withPairingFigures(text)).toBe(text);
  });

  it('are one only where a naive rule agrees', () => {
    const listed = everythingListed();
    const games = buildCatalog(listed, new EventIds()).events.filter(({ id }) => /\d{4}-\d{2}-\d{2}(?:-\d)?$/.test(id));
    const both = games.filter(({ matching }) => matching.keys.length > 1);
    const wrong = both.filter(({ matching: { keys } }) => {
      const end = (key: string) => key.slice(key.lastIndexOf('/') + 1);
      const ofA = listed.filter(
        it =>
          it.venue === 'venue_a' &&
          [it.gameId, it.subTitle.replace(/^[a-z0-9]+-|-more-markets$/g, '')].includes(end(keys[0]!)),
      );
      const ofB = listed.filter(it => it.venue === 'venue_b' && it.eventId.endsWith(`-${end(keys[1]!)}`));
      return !ofA.some(a => ofB.some(b => isOneNaively(a, b)));
    });
    expect(wrong.map(({ id, matching }) => [id, matching.keys])).toEqual([]);
    expect(both.length).toBeGreaterThan(20);
  });

  it('have titles of esports, fights and cricket that name two sides', () => {
    const events = tradedAtVenueA().map(({ slug, title }, at): VenueEvent => {
      const names = { eventId: String(at), title, subTitle: slug, seriesId: '', competition: '', scope: '' };
      return { venue: 'venue_a', ...names, startsAt: null, gameId: '', teams: [], markets: [] };
    });
    const games = venueAGames().of(events);
    const found = games.map(
      ({ competition, opponents }) => `${competition.id}: ${opponents.map(it => it.name).join(', ')}`,
    );
    for (const title of [
      'dota-2: Team Spirit, Vici Gaming',
      'lol: Hanwha Life Esports, Gen.G',
      'cs2: FURIA, Team Vitality',
      'valorant: DRX, Global Esports',
      'ufc: Karine Silva, Jasmine Jasudavicius',
      'ipl: Royal Challengers Bengaluru, Delhi Capitals',
    ]) {
      expect(found).toContain(title);
    }
  });
});
