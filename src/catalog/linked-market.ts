// Finds a market of the catalog by a venue's name of it. Tells its outcomes, and which units of either venue pay in each. Main and engine
// thread.

import type { Leg } from '../core/domain/event-links.ts';
import { isObject, objectsOf, parseJson, textOf } from '../core/domain/json.ts';
import type { Venue } from '../core/domain/market.ts';
import type { CatalogSnapshot } from '../core/domain/operation.ts';
import { readSnapshot, type SnapshotReader } from './snapshot-reader.ts';

const ANY_STANDING = { tradable: [], now: 0 };

export interface LinkedMarket {
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly { readonly name: string; readonly listings: readonly Omit<Leg, 'outcome'>[] }[];
}

export function marketAt(reader: SnapshotReader, place: number): LinkedMarket {
  const text = parseJson(`${reader.textAt(place, ANY_STANDING)}}`);
  const market = isObject(text) ? text : {};
  const outcomes = objectsOf(market.outcomes).map(it => ({
    name: textOf(it.name),
    listings: objectsOf(it.listings).flatMap(listing => {
      if (listing.venue === 'VENUE_A') {
        const yes = { venue: 'venue_a' as const, address: textOf(listing.tokenId), isNot: false };
        const { noTokenId } = listing;
        return noTokenId === undefined ? yes : [yes, { ...yes, address: textOf(noTokenId), isNot: true }];
      }
      if (listing.venue !== 'VENUE_B') return [];
      return { venue: 'venue_b' as const, address: textOf(listing.ticker), isNot: listing.side === 'NO' };
    }),
  }));
  return { id: textOf(market.id), title: textOf(market.title), outcomes };
}

/** Returns the place of the market that lists the token id or ticker. Returns null if no market does. */
export function placeOf(reader: SnapshotReader, venue: Venue, address: string): number | null {
  const isOf = (place: number): boolean =>
    legsIn(marketAt(reader, place)).some(leg => leg.venue === venue && leg.address === address);
  return reader.havingWord(address.toLowerCase()).find(isOf) ?? null;
}

/** A market's title and outcome. Strangers at the venues write these texts. */
export interface MarketTitle {
  readonly title: string;
  /** The outcome in which the token, or YES of the ticker, pays. */
  readonly outcome: string;
}

/** Returns null if no market lists the token id or ticker, or if the catalog is being replaced. */
export function titleOf(catalog: CatalogSnapshot, venue: Venue, address: string): MarketTitle | null {
  return readSnapshot(catalog, reader => {
    const place = placeOf(reader, venue, address);
    if (place === null) return null;
    const market = marketAt(reader, place);
    // A ticker is also listed for the other side of its market, so the listing for YES is preferred.
    const legs = market.outcomes.flatMap(({ name, listings }) => listings.map(leg => ({ ...leg, name })));
    const own = legs.filter(leg => leg.venue === venue && leg.address === address);
    const { name, isNot } = own.find(leg => !leg.isNot) ?? own[0]!;
    return { title: market.title, outcome: isNot ? `not ${name}` : name };
  });
}

/** Returns the legs of a market, each address once: a ticker is also listed for the other side of its market. */
export function legsIn({ outcomes }: LinkedMarket): readonly Leg[] {
  const legs = outcomes.flatMap(({ listings }, outcome) => listings.map(listing => ({ ...listing, outcome })));
  return [...new Map(legs.reverse().map(leg => [leg.address, leg])).values()];
}
