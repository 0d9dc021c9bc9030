// Puts the figures of the recorded listings into docs/CATALOG.md, between its two markers (`npm run make:pairing-figures`). The recordings
// are not in this repository. On a machine that has them, test/catalog/matching/recorded-figures.test.ts compares the figures.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import type { CatalogEvent } from '../../src/catalog/catalog.ts';
import { COMPETITIONS, competitionOfSeries, competitionOfSlug } from '../../src/catalog/leagues/competitions.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { everythingListed, seriesOfVenueB, sportsOfVenueA } from '../catalog/matching/recorded.ts';

const BEGIN = '<!-- recorded: made by npm run make:pairing-figures -->\n';
const END = '<!-- end of recorded -->\n';
/** The endings of venue B's series whose markets ask who wins. */
const WINNERS = ['GAME', 'MATCH', 'FIGHT'] as const;

/** Returns the text between the markers. */
function pairingFigures(): string {
  const { events, markets } = buildCatalog(everythingListed(), new EventIds());
  const isAt = ({ matching }: CatalogEvent, venue: string): boolean =>
    matching.keys.some(key => key.startsWith(`${venue}/`));
  const rows = COMPETITIONS.flatMap(({ id, name }) => {
    const own = events.filter(({ competition }) => competition === id);
    const [atA, atB] = ['venue_a', 'venue_b'].map(venue => own.filter(event => isAt(event, venue)));
    const both = own.filter(event => isAt(event, 'venue_a') && isAt(event, 'venue_b'));
    return own.length === 0 ? [] : [`| ${name} | ${atA!.length} | ${atB!.length} | ${both.length} |`];
  });
  const outside = markets.filter(({ eventId }) => eventId === null);
  const venuesOf = (market: (typeof markets)[number]): ReadonlySet<string> =>
    new Set(market.outcomes.flatMap(({ listings }) => listings.map(({ route }) => route.venue)));
  const [ofA, ofB] = (['venue_a', 'venue_b'] as const).map(it => outside.filter(market => venuesOf(market).has(it)));
  const ofBoth = outside.filter(market => venuesOf(market).size > 1);
  const [sports, series] = [sportsOfVenueA(), seriesOfVenueB().filter(it => WINNERS.some(word => it.endsWith(word)))];
  const knownSports = sports.filter(it => competitionOfSlug(it) !== null);
  const knownSeries = series.filter(it => competitionOfSeries(it, WINNERS) !== null);
  return [
    '| competition | events at A | events at B | at both |',
    '|---|--:|--:|--:|',
    ...rows,
    `| markets without an event | ${ofA!.length} | ${ofB!.length} | ${ofBoth.length} |`,
    '',
    `Venue A listed ${sports.length} sports in November 2025, and the tables have ${knownSports.length} of them. Venue B had ${series.length} series of winners in`,
    `August 2026, and the tables have ${knownSeries.length} of them.`,
    '',
  ].join('\n');
}

/** Returns docs/CATALOG.md with the figures. Throws if the page lacks the markers. */
export function withPairingFigures(text: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('docs/CATALOG.md lacks the markers of the recorded listings');
  return text.slice(0, begin + BEGIN.length) + pairingFigures() + text.slice(end);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(import.meta.dirname, '../../docs/CATALOG.md');
  writeFileSync(path, withPairingFigures(readFileSync(path, 'utf8')));
}
