// The catalog as anybody would write it: a list of markets, filtered. The twin of the one in shared memory.

import type { CatalogMarket } from '../../src/catalog/catalog-market.ts';
import type { MarketQuery, Standing } from '../../src/catalog/snapshot-reader.ts';

export class NaiveCatalog {
  readonly #markets: readonly CatalogMarket[];

  constructor(markets: readonly CatalogMarket[]) {
    const byId = new Map(markets.toReversed().map(market => [market.id, market]));
    this.#markets = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** As the API shows them. */
  find(query: MarketQuery): readonly object[] {
    const { terms, venue, executable, after, rowsMax } = query;
    const begins = (said: string, word: string) => (word.length === 1 ? said === word : said.startsWith(word));
    const has = (market: CatalogMarket, word: string) => saidOf(market).some(said => begins(said, word));
    const words = terms.flatMap(term =>
      this.#markets.some(market => has(market, term.whole)) ? [term.whole] : term.words,
    );
    return this.#markets
      .filter(market => after === null || market.id > after)
      .filter(market => words.every(word => has(market, word)))
      .filter(market => venue === null || listingsOf(market).some(({ route }) => route.venue === venue))
      .filter(market => executable === null || listingsOf(market).some(it => takesOrders(it, query)) === executable)
      .slice(0, rowsMax)
      .map(market => shown(market, query));
  }
}

type Listing = CatalogMarket['outcomes'][number]['listings'][number];

function listingsOf({ outcomes }: CatalogMarket): readonly Listing[] {
  return outcomes.flatMap(({ listings }) => listings);
}

function takesOrders({ route, opensAt, closesAt }: Listing, { tradable, now }: Standing): boolean {
  return tradable.includes(route.venue) && opensAt <= now && now < closesAt;
}

/** Words in lower case; the markets of these tests have no accents. */
function saidOf({ id, title, otherWords, outcomes }: CatalogMarket): readonly string[] {
  const routes = outcomes.flatMap(({ listings }) => listings.map(({ route }) => route));
  const ids = [id, ...routes.map(route => (route.venue === 'venue_a' ? route.tokenId : route.ticker))];
  const texts = [title, otherWords, ...outcomes.map(({ name }) => name), ...ids].join(' ').toLowerCase();
  return [...(texts.match(/[a-z0-9]+/g) ?? []), ...ids.map(it => it.toLowerCase())];
}

function shown({ id, title, outcomes, eventId }: CatalogMarket, standing: Standing): object {
  return {
    id,
    title,
    outcomes: outcomes.map(({ name, listings }) => ({
      name,
      listings: listings.map(listing => {
        const { venue, ...address } = listing.route;
        return { venue: venue.toUpperCase(), ...address, executable: takesOrders(listing, standing) };
      }),
    })),
    eventId,
  };
}
