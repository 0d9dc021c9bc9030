// The search in the catalog, and the market whose ladders are in view. Browser.

import type { CatalogMarket } from '../../core/generated/api-types.ts';
import type { GatewayApi, Refused } from './gateway-api.ts';
import type { Ladders } from './ladders.ts';
import { type OutcomeRoutes, routesOf } from './routes-of-market.ts';
import type { Schedule } from './schedule.ts';
import type { Titles } from './titles.ts';
import { signal } from './view.ts';

const ASKED_MAX = 100;
/** The number of markets that each press of *more* adds. */
const SHOWN_STEP = 12;
const AGAIN_MS = 2_000;
/** The number of outcomes that are shown. A market with more outcomes shows only its first. */
const OUTCOMES_MAX = 3;

interface SearchParts {
  readonly api: GatewayApi;
  readonly ladders: Ladders;
  readonly titles: Titles;
  readonly schedule: Schedule;
  /** Is called when a search has ended. Null means that the search got its answer. */
  readonly ended: (failure: Refused | null) => void;
}

export class Search {
  readonly found = signal<readonly CatalogMarket[]>([]);
  /** The text of the last search. Null means that the first answer has not arrived yet. */
  readonly sought = signal<string | null>(null);
  readonly hasMore = signal(false);
  readonly chosen = signal<CatalogMarket | null>(null);
  readonly outcomes = signal<readonly OutcomeRoutes[]>([]);
  readonly #parts: SearchParts;
  #queries = 0;
  /** The markets that were read and are not shown yet. */
  #rest: readonly CatalogMarket[] = [];
  #pageToken: string | null = null;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Searches. If no market is in view yet, the first result is shown. */
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

  /** Returns null if the search is repeated later, or if another search was made in the meantime. */
  async #ask(
    query: Readonly<Record<string, string | number | boolean>>,
    again: () => Promise<void>,
  ): Promise<readonly CatalogMarket[] | null> {
    const { api, titles, schedule, ended } = this.#parts;
    this.#queries += 1;
    const asked = this.#queries;
    // The list is ordered by the starts of events, which must be read first.
    await schedule.isTried;
    if (asked !== this.#queries) return null;
    const answer = await api.ask('listMarkets', { query });
    if (asked !== this.#queries) return null;
    ended(answer.ok ? null : answer.error);
    if (answer.ok) {
      this.#rest = [];
      this.#pageToken = answer.value.nextPageToken;
      titles.learn(answer.value.markets);
      return answer.value.markets;
    }
    // The gateway may still be reading the first catalog, so the search is repeated.
    if (answer.error.status !== 401) setTimeout(() => asked === this.#queries && void again(), AGAIN_MS);
    return null;
  }

  #show(page: readonly CatalogMarket[]): void {
    const read = [...this.#rest, ...page].toSorted((one, other) => this.#rank(one) - this.#rank(other));
    this.found.value = [...this.found.value, ...read.slice(0, SHOWN_STEP)];
    this.#rest = read.slice(SHOWN_STEP);
    this.hasMore.value = this.#rest.length > 0 || this.#pageToken !== null;
    this.#parts.ladders.list(this.found.value.map(({ id }) => id).slice(0, ASKED_MAX));
  }

  /**
   * The rank of a market in the list. Markets that both venues list come first. Among these, earlier events come before later events, and
   * markets without an event come last.
   */
  #rank(market: CatalogMarket): number {
    const venues = Math.max(0, ...routesOf(market).map(({ routes }) => routes.length));
    const startsAt = this.#parts.schedule.of(market.eventId)?.startsAt;
    return (2 - venues) * 1e14 + (startsAt === undefined ? 1e13 : new Date(startsAt).getTime());
  }
}
