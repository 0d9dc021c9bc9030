// Explains a market of the catalog outside of events: the question of each of its listings, and why similar listings ask something else.

import type { CatalogMarket } from '../../catalog/catalog.ts';
import { type Question, readQuestion } from '../../catalog/matching/outrights.ts';
import type { Result } from '../../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';

interface Listing {
  readonly venue: VenueEvent['venue'];
  readonly market: VenueMarket;
  readonly read: Result<Question, string>;
}

/** The market with this id, or with this ticker, condition id or token id. */
export function marketCalled(
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

export function questionLines(market: CatalogMarket, listed: readonly VenueEvent[]): readonly string[] {
  const routes = routesOf(market);
  const all = listed.flatMap(event =>
    event.markets.map(it => ({ venue: event.venue, market: it, read: readQuestion(event, it) })),
  );
  const own = all.filter(it => addressesOf(it.market).some(address => routes.includes(address)));
  const venues = new Set(own.map(({ venue }) => venue));
  const others = venues.size > 1 ? [] : all.filter(({ venue }) => venue !== 'venue_c' && !venues.has(venue));
  const misses = own.flatMap(it => others.flatMap(other => missLines(it, other)));
  return [
    'listed as',
    ...own.flatMap(it => [`  ${nameOf(it)}`, `    ${it.read.ok ? questionText(it.read.value) : it.read.error}`]),
    ...(misses.length === 0 ? [] : ['not matched with', ...misses]),
  ];
}

/** Explains listings that have two of the three facts in common, or the words of their titles. */
function missLines(one: Listing, other: Listing): readonly string[] {
  if (!other.read.ok) {
    return one.market.title === other.market.title ? [`  ${nameOf(other)}`, `    ${other.read.error}`] : [];
  }
  if (!one.read.ok) return [];
  const [mine, its] = [one.read.value, other.read.value];
  const differences = [
    its.asked === mine.asked ? '' : `asks ${its.asked}`,
    its.end === mine.end ? '' : `ends ${its.end}, not ${mine.end}`,
    its.source === mine.source ? '' : `is settled by ${its.source}, not by ${mine.source}`,
  ].filter(it => it !== '');
  const [difference, ...more] = differences;
  if (more.length > 0 && its.asked !== mine.asked) return [];
  return [`  ${nameOf(other)}`, `    ${difference === undefined ? 'is asked twice there' : differences.join('; ')}`];
}

function nameOf({ venue, market }: Listing): string {
  return `${venue} ${market.marketId}  ${market.title}`;
}

function questionText({ asked, end, source }: Question): string {
  return `asks ${asked}, ends ${end}, is settled by ${source}`;
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
