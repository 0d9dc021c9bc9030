// Listings for the markets of a recording that the gateway has made. Such a recording has the books of its markets, but no other facts
// about them. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { Recording } from '../../market-data/recording/open-recording.ts';
import type { VenueEvent } from '../../venues/discovery.ts';
import { writeHex } from '../../venues/venue-a/address.ts';
import { complementOfPosition, conditionOfPosition, protocolOf } from '../../venues/venue-a/position-ids.ts';
import { hashOf, tokenOf } from '../catalog/identity.ts';
import type { Catalog } from '../catalog/listings.ts';
import { CENT, catalogOf } from './recorded-catalog.ts';

/**
 * Makes the listings. The first token of a market is the one that was recorded first. At Protocol V1 only `listings` say which tokens
 * belong together.
 */
export function recordingCatalog(recording: Recording, listings: readonly VenueEvent[], now: UnixMillis): Catalog {
  const markets = recording.markets();
  const tickers = markets.flatMap(({ venue, address }) => (venue === 'venue_b' ? [address] : []));
  return catalogOf(recordedPairs(recording, listings), tickers, finePrices(recording, markets.length), now);
}

/** Returns the tokens of each recorded market of venue A, by condition. The token that was recorded first is the first. */
export function recordedPairs(
  recording: Recording,
  listings: readonly VenueEvent[],
): ReadonlyMap<string, readonly [first: string, second: string]> {
  const pairs = pairsOf(listings);
  const conditions = new Map<string, readonly [string, string]>();
  for (const { venue, address } of recording.markets()) {
    if (venue !== 'venue_a') continue;
    const isNew = protocolOf(address) === 'V2';
    const pair = pairs.get(address) ?? {
      conditionId: isNew ? writeHex(conditionOfPosition(address)) : hashOf('recorded condition', address),
      second: isNew ? complementOfPosition(address) : tokenOf('recorded token', address),
    };
    const { conditionId, second } = pair;
    if (!conditions.has(conditionId)) conditions.set(conditionId, [address, second]);
  }
  return conditions;
}

interface Pair {
  readonly conditionId: string;
  /** The other token of the market. */
  readonly second: string;
}

/** Returns the pairs by token of venue A. */
function pairsOf(listings: readonly VenueEvent[]): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const { marketId: conditionId, outcomes } of listings.flatMap(({ markets }) => markets)) {
    const tokens = outcomes.flatMap(({ route }) => (route.venue === 'venue_a' ? [route.tokenId] : []));
    for (const token of tokens) pairs.set(token, { conditionId, second: tokens.find(it => it !== token) ?? token });
  }
  return pairs;
}

/**
 * Returns the markets with a price between whole cents, as far as the events show this. It reads them up to the first book of the last
 * market.
 */
function finePrices(recording: Recording, markets: number): Set<string> {
  const [fine, known] = [new Set<string>(), new Set<string>()];
  let read = 0;
  for (const event of recording.events()) {
    read += 1;
    if (known.size === markets || read > limits.paperRecordedScanMax) break;
    if (event.kind !== 'book' && event.kind !== 'changes') continue;
    const { address } = event.market;
    const levels = event.kind === 'book' ? [...event.bids, ...event.asks] : event.changes;
    if (levels.length > 0) known.add(address);
    if (levels.some(({ price }) => price % CENT !== 0)) fine.add(address);
  }
  return fine;
}
