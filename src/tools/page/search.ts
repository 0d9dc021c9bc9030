// The search over the catalog, and the market whose ladders are in view. Browser.

import type { CatalogMarket } from '../../core/generated/api-types.ts';
import type { GatewayApi, Refused } from './gateway-api.ts';
import type { Ladders } from './ladders.ts';
import { type OutcomeRoutes, routesOf } from './routes-of-market.ts';
import type { Schedule } from './schedule.ts';
import type { Titles } from './titles.ts';
import { signal } from './view.ts';

const ASKED_MAX = 100;
/** Markets that each press of *more* adds. */
const SHOWN_STEP = 12;
const AGAIN_MS = 2_000;
/** A market with more outcomes shows the first ones. */
const OUTCOMES_MAX = 3;

interface SearchParts {
  readonly api: GatewayApi;
  readonly ladders: Ladders;
  readonly titles: Titles;
  readonly schedule: Schedule;
  /** Null if the search has found its market. */
  readonly ended: (failure: Refused | null) => void;
}

export class Search {
  readonly found = signal<readonly CatalogMarket[]>([]);
  /** The text of the last search; null: the first answer is still due. */
  readonly sought = signal<string | null>(null);
  readonly hasMore = signal(false);
  readonly chosen = signal<CatalogMarket | null>(null);
  readonly outcomes = signal<readonly OutcomeRoutes[]>([]);
  readonly #parts: SearchParts;
  #asked = 0;
  /** Markets that were read and are not shown yet. */
  #rest: readonly CatalogMarket[] = [];
  #pageToken: string | null = null;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** The first market is shown if none is yet. */
  async find(text: string): Promise<void> {
    const q = text.trim();
    const query = { pageSize: ASKED_MAX, ...(q === '' ? { executable: true } : { q }) };
    const page = await this.#ask(query, () => this.find(text));
    if (page === null) return;
    this.sought.value = q;
    this.found.value = [];
    this.#show(page);
    const [first] = this.found.value;
    if (this.chosen.value === null && first !== undefined) this.choose(first);
  }

  async more(): Promise<void> {
    if (this.#rest.length > 0 || this.#pageToken === null) this.#show([]);
    else this.#show((await this.#ask({ pageToken: this.#pageToken }, () => this.more())) ?? []);
  }

  choose(market: CatalogMarket): void {
    const outcomes = routesOf(market).slice(0, OUTCOMES_MAX);
    this.#parts.ladders.show(market.id, outcomes);
    this.chosen.value = market;
    this.outcomes.value = outcomes;
  }

  /** Null: it is asked again later, or another search has been made meanwhile. */
  async #ask(
    query: Readonly<Record<string, string | number | boolean>>,
    again: () => Promise<void>,
  ): Promise<readonly CatalogMarket[] | null> {
    const { api, titles, schedule, ended } = this.#parts;
    this.#asked += 1;
    const asked = this.#asked;
    // The starts of events order the list.
    await schedule.isTried;
    if (asked !== this.#asked) return null;
    const answer = await api.ask('listMarkets', { query });
    if (asked !== this.#asked) return null;
    ended(answer.ok ? null : answer.error);
    if (answer.ok) {
      this.#rest = [];
      this.#pageToken = answer.value.nextPageToken;
      titles.learn(answer.value.markets);
      return answer.value.markets;
    }
    // The first catalog may still be read.
    if (answer.error.status !== 401) setTimeout(() => asked === this.#asked && void again(), AGAIN_MS);
    return null;
  }

  #show(page: readonly CatalogMarket[]): void {
    const read = [...this.#rest, ...page].toSorted((one, other) => this.#rank(one) - this.#rank(other));
    this.found.value = [...this.found.value, ...read.slice(0, SHOWN_STEP)];
    this.#rest = read.slice(SHOWN_STEP);
    this.hasMore.value = this.#rest.length > 0 || this.#pageToken !== null;
    this.#parts.ladders.list(this.found.value.map(({ id }) => id).slice(0, ASKED_MAX));
  }

  /** Markets that both venues list come first, those among them that start first, and events before all else. */
  #rank(market: CatalogMarket): number {
    const venues = Math.max(0, ...routesOf(market).map(({ routes }) => routes.length));
    const startsAt = this.#parts.schedule.of(market.eventId)?.startsAt;
    return (2 - venues) * 1e14 + (startsAt === undefined ? 1e13 : new Date(startsAt).getTime());
  }
}
