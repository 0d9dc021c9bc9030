// The titles of the markets of orders, positions and events. The catalog is asked once for each token id or ticker. Browser.

import type { CatalogMarket } from '../../core/generated/api-types.ts';
import type { GatewayApi } from './gateway-api.ts';
import { signal } from './view.ts';

export interface Title {
  readonly market: CatalogMarket;
  /** The outcome that a share of the token is for, or that YES of the ticker is for. */
  readonly outcome: string;
}

/** The pause before the catalog is asked again for a market that it does not list. The market may come with the catalog's next reading. */
const UNKNOWN_AGAIN_MS = 60_000;

export class Titles {
  /** The titles by address. Null means that the catalog lists no such market. */
  readonly #titles = signal<ReadonlyMap<string, Title | null>>(new Map());
  readonly #api: GatewayApi;
  readonly #wanted = new Set<string>();
  readonly #askedAtMs = new Map<string, number>();
  #isReading = false;

  constructor(api: GatewayApi) {
    this.#api = api;
  }

  of(address: string): Title | null {
    return this.#titles.value.get(address) ?? null;
  }

  /** Keeps the titles of markets that were read for another purpose. */
  learn(markets: readonly CatalogMarket[]): void {
    const news = markets.flatMap(market => market.outcomes.flatMap(outcome => titlesIn(market, outcome)));
    if (news.length > 0) this.#titles.value = new Map([...this.#titles.value, ...news]);
  }

  /** Reads the missing titles one after the other, so that nothing else waits for many of them. */
  readMissing(addresses: readonly string[]): void {
    for (const address of addresses) if (this.#isDue(address)) this.#wanted.add(address);
    if (!this.#isReading) void this.#read();
  }

  #isDue(address: string): boolean {
    if (this.of(address) !== null) return false;
    return performance.now() - (this.#askedAtMs.get(address) ?? -UNKNOWN_AGAIN_MS) >= UNKNOWN_AGAIN_MS;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    for (const address of this.#wanted) {
      this.#wanted.delete(address);
      if (!this.#isDue(address)) continue;
      const answer = await this.#api.ask('listMarkets', { query: { q: address, pageSize: 5 } });
      if (!answer.ok) break;
      this.#askedAtMs.set(address, performance.now());
      this.learn(answer.value.markets);
    }
    this.#isReading = false;
  }
}

type Outcome = CatalogMarket['outcomes'][number];

function titlesIn(market: CatalogMarket, { name, listings }: Outcome): [string, Title][] {
  return listings.flatMap(it => {
    if (it.venue === 'VENUE_A') {
      const yes: [string, Title] = [it.tokenId, { market, outcome: name }];
      return it.noTokenId === undefined ? [yes] : [yes, [it.noTokenId, { market, outcome: `not ${name}` }]];
    }
    // A NO listing has the ticker of the other outcome, so it is left out.
    return it.venue === 'VENUE_B' && it.side === 'YES' ? [[it.ticker, { market, outcome: name }]] : [];
  });
}
