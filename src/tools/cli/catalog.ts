// `crossbook catalog` explains an event of the catalog, and lists the venues' listings that could not be read. It builds the catalog from
// its store as the gateway does. The gateway may run at the same time.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalog } from '../../catalog/build-catalog.ts';
import type { CatalogEvent, CatalogMarket } from '../../catalog/catalog.ts';
import { openCatalogStore, type StoredCatalog } from '../../catalog/catalog-store.ts';
import { EventIds } from '../../catalog/matching/event-ids.ts';
import { type Question, readQuestion } from '../../catalog/matching/outrights.ts';
import { CONFIDENCE_MIN } from '../../catalog/matching/pair-evidence.ts';
import { venueAGames } from '../../catalog/matching/venue-a-games.ts';
import { venueBGames } from '../../catalog/matching/venue-b-games.ts';
import { type NearMiss, nearMisses, unreadListings } from '../../catalog/unread-listings.ts';
import { NOT_PLAIN } from '../../core/domain/plain-text.ts';
import type { Result } from '../../core/domain/result.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket } from '../../venues/discovery.ts';
import { dataDirOf, UsageError, withSubcommands } from './command-io.ts';

export const CATALOG_USAGE = `  catalog explain EVENT
      EVENT  the id of an event; or a market by its id, ticker, condition id or token id, with or without an event
      prints what each venue lists of the event, why the listings are one event, and the markets with their routes. For an event that only
      one venue lists, prints the similar listings of the other venue and why they do not match
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
  catalog unread [--date DAY]
      prints the listings of games that could not be read, and why; how many games both venues list; and the markets of versions that
      crossbook does not trade, which have no day
      --date DAY         only listings of this day, such as 2026-11-20
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook catalog explain nba-bos-lal-2026-11-20
    crossbook catalog unread --date 2026-11-20
`;

export const catalogCommand = withSubcommands('catalog', {
  explain: {
    positionals: ['EVENT'],
    run: async (args, io) => {
      const known = await readStore(dataDirOf(args, io));
      for (const fault of known.faults) io.err(`left out: ${fault}\n`);
      io.out(explanation(known, args.positionals[0]!));
    },
  },
  unread: {
    options: ['date'],
    run: async (args, io) => {
      const date = dayOf(args.one('date'));
      const known = await readStore(dataDirOf(args, io));
      for (const fault of known.faults) io.err(`left out: ${fault}\n`);
      io.out(unreadText(known, date));
      if (known.faults.length > 0) throw new StoreError(`${known.faults.length} listings are left out`);
    },
  },
});

function dayOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given) && new Date(given).toJSON()?.startsWith(given) === true;
  if (!isDay) throw new UsageError(`--date: must be a day such as 2026-11-20, is ${given}`);
  return given;
}

function unreadText({ events }: StoredCatalog, date: string | null): string {
  const { unread, untraded, counts } = unreadListings(events, date);
  const inOrder = [...unread].sort((one, another) => (one.date < another.date ? -1 : 1));
  return printed([
    ...untradedLines(untraded),
    ...inOrder.flatMap(({ date, events, why }) => [
      `${date}  ${why}`,
      ...events.map(({ venue, eventId, subTitle, title }) => `  ${venue} ${eventId} ${subTitle}: ${title}`),
    ]),
    `${unread.length} games could not be read; of those that were read:`,
    ...counts.map(
      it =>
        `  ${it.competition}: ${it.both} at both venues, ${it.onlyVenueA} at venue_a only, ${it.onlyVenueB} at venue_b only`,
    ),
  ]);
}

function untradedLines(events: readonly VenueEvent[]): string[] {
  return events.flatMap(({ venue, untraded = [] }) =>
    untraded.flatMap(({ marketId, title, why }) => [`not traded: ${why}`, `  ${venue} ${marketId}: ${title}`]),
  );
}

async function readStore(dataDir: string): Promise<StoredCatalog> {
  const folder = join(dataDir, 'catalog');
  if (!existsSync(join(folder, 'data.mdb'))) throw new UsageError(`--data-dir: ${dataDir} holds no catalog`);
  const { store, known } = openCatalogStore(folder);
  await store.close();
  return known;
}

function explanation({ ids, events: listed, ended }: Omit<StoredCatalog, 'faults'>, asked: string): string {
  const eventIds = new EventIds(ids);
  const id = eventIds.current(asked);
  const { events, markets } = buildCatalog(listed, eventIds);
  const event = [...events, ...ended.map(it => it.event)].find(it => it.id === id);
  if (event === undefined) {
    const market = marketCalled(asked, markets, listed);
    const untraded = untradedLines(listed.filter(it => it.untraded?.some(({ marketId }) => marketId === asked)));
    if (market === null && untraded.length > 0) return printed(untraded);
    if (market === null) throw new UsageError(`EVENT: ${asked} is neither an event nor a market of the catalog`);
    if (market.eventId === null) return printed([...marketLines(market), ...questionLines(market, listed)]);
    return explanation({ ids, events: listed, ended }, market.eventId);
  }
  const own = markets.filter(({ eventId }) => eventId === id);
  return printed([
    ...(id === asked ? [] : [`${asked} turned out to be ${id}`]),
    ...eventLines(event),
    ...missLines(missesOf(event, events, listed)),
    ...own.flatMap(marketLines),
  ]);
}

/** Explains why listings of the event were not joined. Empty for an event that both venues list, and for an event that is no game. */
function missesOf(
  { matching }: CatalogEvent,
  events: readonly CatalogEvent[],
  listed: StoredCatalog['events'],
): readonly NearMiss[] {
  const [key, ...more] = matching.keys;
  if (key === undefined || more.length > 0) return [];
  const [own, other] = key.startsWith('venue_a/')
    ? (['venue_a', 'venue_b'] as const)
    : (['venue_b', 'venue_a'] as const);
  const readers = { venue_a: venueAGames(), venue_b: venueBGames() };
  const of = (venue: typeof own) => listed.filter(event => event.venue === venue);
  const game = readers[own].of(of(own)).find(it => it.key === key);
  if (game === undefined) return [];
  const twins = new Map(
    events.flatMap(it => (it.matching.keys.length > 1 ? it.matching.keys.map(name => [name, it.id]) : [])),
  );
  const theirs = of(other);
  return nearMisses(game, readers[other].of(theirs), readers[other].unread(theirs), it => twins.get(it.key) ?? null);
}

function missLines(misses: readonly NearMiss[]): string[] {
  if (misses.length === 0) return [];
  return ['not matched with', ...misses.flatMap(({ key, what, why }) => [`  ${key}  ${what}`, `    ${why}`])];
}

function printed(lines: readonly string[]): string {
  return lines.map(line => `${line.replace(NOT_PLAIN, '?')}\n`).join('');
}

function eventLines({ id, name, competition, startsAt, isOver, participants, matching }: CatalogEvent): string[] {
  const { keys, confidence, evidence } = matching;
  return [
    id,
    `  ${name}, ${competition}, ${isOver ? 'ended; was to start' : 'starts'} ${new Date(startsAt).toISOString()}`,
    ...participants.map(it => `  ${it.role.toLowerCase()}: ${it.name}`),
    'listed as',
    ...keys.map(key => `  ${key}`),
    ...(evidence.length === 0
      ? ['matched with nothing']
      : [`matched with confidence ${confidence} (at least ${CONFIDENCE_MIN})`, ...evidence.map(fact => `  ${fact}`)]),
  ];
}

function marketLines({ id, title, outcomes, notes }: CatalogMarket): string[] {
  return [
    `${id}  ${title}`,
    ...outcomes.flatMap(({ name, listings }) => [
      `  ${name}`,
      ...listings.map(({ route }) => `    ${routeText(route)}`),
    ]),
    ...notes.map(note => `  note: ${note}`),
  ];
}

function routeText(route: OutcomeRoute): string {
  if (route.venue === 'venue_c') return `venue_c ${route.strikeId}`;
  return route.venue === 'venue_a' ? `venue_a ${route.tokenId}` : `venue_b ${route.ticker} ${route.side}`;
}

interface Listing {
  readonly venue: VenueEvent['venue'];
  readonly market: VenueMarket;
  readonly read: Result<Question, string>;
}

/** The market with this id, or the market that has this ticker, condition id or token id. */
function marketCalled(
  name: string,
  markets: readonly CatalogMarket[],
  listed: readonly VenueEvent[],
): CatalogMarket | null {
  const byId = markets.find(({ id }) => id === name);
  if (byId !== undefined) return byId;
  const listing = listed
    .flatMap(event => event.markets)
    .find(it => it.marketId === name || addressesOf(it).includes(name));
  const address = listing && addressesOf(listing)[0];
  return markets.find(market => routesOf(market).some(it => it === address)) ?? null;
}

function questionLines(market: CatalogMarket, listed: readonly VenueEvent[]): readonly string[] {
  const routes = routesOf(market);
  const all = listed.flatMap(event =>
    event.markets.map(it => ({ venue: event.venue, market: it, read: readQuestion(event, it) })),
  );
  const own = all.filter(it => addressesOf(it.market).some(address => routes.includes(address)));
  const venues = new Set(own.map(({ venue }) => venue));
  const others = venues.size > 1 ? [] : all.filter(({ venue }) => venue !== 'venue_c' && !venues.has(venue));
  const misses = own.flatMap(it => others.flatMap(other => missesOfPair(it, other)));
  return [
    'listed as',
    ...own.flatMap(it => [`  ${nameOf(it)}`, `    ${it.read.ok ? questionText(it.read.value) : it.read.error}`]),
    ...(misses.length === 0 ? [] : ['not matched with', ...misses]),
  ];
}

/** Explains why two listings were not joined that have two of the three facts in common, or the words of their titles. */
function missesOfPair(one: Listing, other: Listing): readonly string[] {
  if (!other.read.ok) {
    return one.market.title === other.market.title ? [`  ${nameOf(other)}`, `    ${other.read.error}`] : [];
  }
  if (!one.read.ok) return [];
  const [mine, its] = [one.read.value, other.read.value];
  const differences = [
    its.slug === mine.slug ? '' : `asks ${its.slug}`,
    its.end === mine.end ? '' : `ends ${its.end}, not ${mine.end}`,
    its.source === mine.source ? '' : `is settled by ${its.source}, not by ${mine.source}`,
  ].filter(it => it !== '');
  const [difference, ...more] = differences;
  if (more.length > 0 && its.slug !== mine.slug) return [];
  return [`  ${nameOf(other)}`, `    ${difference === undefined ? 'is asked twice there' : differences.join('; ')}`];
}

function nameOf({ venue, market }: Listing): string {
  return `${venue} ${market.marketId}  ${market.title}`;
}

function questionText({ slug, end, source }: Question): string {
  return `asks ${slug}, ends ${end}, is settled by ${source}`;
}

function routesOf({ outcomes }: CatalogMarket): readonly string[] {
  return outcomes.flatMap(({ listings }) => listings.map(({ route }) => addressOf(route)));
}

function addressesOf({ outcomes }: VenueMarket): readonly string[] {
  return outcomes.map(({ route }) => addressOf(route));
}

function addressOf(route: VenueMarket['outcomes'][number]['route']): string {
  if (route.venue === 'venue_c') return route.strikeId;
  return route.venue === 'venue_a' ? route.tokenId : route.ticker;
}
