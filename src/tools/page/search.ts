// The search over the catalog, and the market whose ladders are in view. Browser.

import type { CatalogMarket } from '../../core/generated/api-types.ts';
import type { GatewayApi, Refused } from './gateway-api.ts';
import type { Ladders } from './ladders.ts';
import { type OutcomeRoutes, routesOf } from './routes-of-market.ts';
import { signal } from './view.ts';

const ASKED_MAX = 100;
const SHOWN_MAX = 12;
const AGAIN_MS = 2_000;
/** A market with more outcomes shows the first ones. */
const OUTCOMES_MAX = 3;

export class Search {
  readonly found = signal<readonly CatalogMarket[]>([]);
  readonly chosen = signal<CatalogMarket | null>(null);
  readonly outcomes = signal<readonly OutcomeRoutes[]>([]);
  readonly #api: GatewayApi;
  readonly #ladders: Ladders;
  /** Null if the search has found its market. */
  readonly #ended: (failure: Refused | null) => void;
  #asked = 0;

  constructor(api: GatewayApi, ladders: Ladders, ended: (failure: Refused | null) => void) {
    this.#api = api;
    this.#ladders = ladders;
    this.#ended = ended;
  }

  /** Markets that both venues list come first. The first one is shown if none is yet. */
  async find(text: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const q = text.trim();
    const query = { pageSize: ASKED_MAX, ...(q === '' ? { executable: true } : { q }) };
    const answer = await this.#api.ask('listMarkets', { query });
    // A later search has been made meanwhile.
    if (asked !== this.#asked) return;
    if (!answer.ok) {
      this.#ended(answer.error);
      // The first catalog may still be read.
      if (answer.error.status !== 401) setTimeout(() => asked === this.#asked && void this.find(text), AGAIN_MS);
      return;
    }
    this.#ended(null);
    const found = answer.value.markets.toSorted((one, other) => venuesOf(other) - venuesOf(one)).slice(0, SHOWN_MAX);
    this.found.value = found;
    if (this.chosen.value === null && found[0] !== undefined) this.choose(found[0]);
  }

  choose(market: CatalogMarket): void {
    const outcomes = routesOf(market).slice(0, OUTCOMES_MAX);
    this.#ladders.show(
      market.id,
      outcomes.flatMap(({ routes }) => routes),
    );
    this.chosen.value = market;
    this.outcomes.value = outcomes;
  }
}

/** How many venues list an outcome of it. */
function venuesOf(market: CatalogMarket): number {
  return Math.max(0, ...routesOf(market).map(({ routes }) => routes.length));
}
