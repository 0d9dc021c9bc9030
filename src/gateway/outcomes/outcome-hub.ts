// Keeps each followed market of the catalog once, and its streams by interval. Main thread.

import { REPLACED } from '../../catalog/catalog-lists.ts';
import type { CatalogSnapshot } from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { renderBestRoutes } from '../../core/wire/json-parts.ts';
import type { OutcomeMessage, StreamCodec } from '../../core/wire/messages.ts';
import { type Refusal, refusal } from '../api/api-refusals.ts';
import { Outlets, type Publish } from '../stream/outlets.ts';
import { PacedStream } from '../stream/paced-stream.ts';
import { type CatalogMarketRoutes, catalogMarket, catalogMarketsOf, type NoMarket } from './catalog-market.ts';
import { OutcomeMarket, type OutcomeParts } from './outcome-market.ts';

export interface OutcomeHubParts extends OutcomeParts {
  /** The catalog. Null means that no venue is listed. An error means that no venue has been read yet. */
  readonly catalog: () => Result<CatalogSnapshot | null, string>;
  readonly codecs: readonly StreamCodec[];
  readonly publish: Publish;
}

interface OutcomeRefusal {
  readonly code: 'UNKNOWN_MARKET' | 'VENUE_UNAVAILABLE';
  readonly message: string;
}

/** Is called when the catalog no longer has the market. The user must then release the market. */
type OnEnd = (refusal: OutcomeRefusal) => void;

/** One use of a market. It must be released exactly once. */
export interface FollowedMarket {
  readonly market: OutcomeMarket;
  stream(intervalMs: number): PacedStream<OutcomeMessage>;
  release(): void;
}

interface Kept {
  readonly market: OutcomeMarket;
  /** The number that the names of the market's topics contain. */
  readonly index: number;
  readonly streams: Map<number, PacedStream<OutcomeMessage>>;
  readonly users: Set<{ readonly onEnd: OnEnd }>;
}

export class OutcomeHub {
  readonly #parts: OutcomeHubParts;
  readonly #kept = new Map<string, Kept>();
  #opened = 0;

  constructor(parts: OutcomeHubParts) {
    this.#parts = parts;
  }

  follow(id: string, onEnd: OnEnd = () => {}): Result<FollowedMarket, OutcomeRefusal> {
    this.#kept.get(id)?.market.refresh();
    // This look-up comes after the refresh, which drops a market that the newest catalog lacks.
    const known = this.#kept.get(id);
    if (known !== undefined) return ok(this.#use(id, known, onEnd));
    const catalog = this.#parts.catalog();
    if (!catalog.ok) return fail({ code: 'VENUE_UNAVAILABLE', message: catalog.error });
    const market = catalog.value === null ? NOT_LISTED : catalogMarket(catalog.value, id);
    if (market === null) return fail({ code: 'VENUE_UNAVAILABLE', message: REPLACED });
    if ('currentId' in market) return fail(unknownMarket(market, ''));
    this.#opened += 1;
    const newRoutes = this.#newRoutesOf(id, catalog.value);
    const followed = new OutcomeMarket(this.#parts, market, newRoutes, none => this.#end(id, none));
    const kept = { market: followed, index: this.#opened, streams: new Map(), users: new Set<never>() };
    this.#kept.set(id, kept);
    return ok(this.#use(id, kept, onEnd));
  }

  /** The ids of an event's own questions. Null means that there is no such event. */
  marketsOf(eventId: string): Result<readonly string[] | null, string> {
    const catalog = this.#parts.catalog();
    if (!catalog.ok) return catalog;
    const read = catalog.value === null ? { markets: null } : catalogMarketsOf(catalog.value, eventId);
    if (read === null) return fail(REPLACED);
    // A market whose id is one venue's own name is not a question that both venues could ask.
    return ok(read.markets?.map(({ id }) => id).filter(id => !/^venue_[ab]:/.test(id)) ?? null);
  }

  close(): void {
    for (const { market, streams } of this.#kept.values()) {
      market.close();
      for (const stream of streams.values()) stream.close();
    }
    this.#kept.clear();
  }

  /**
   * Returns a function that reads the market from the catalog if the catalog is newer than at the last call. `seen` is the catalog that was
   * read before.
   */
  #newRoutesOf(id: string, seen: CatalogSnapshot | null): () => CatalogMarketRoutes | NoMarket | null {
    let last = seen;
    return () => {
      const catalog = this.#parts.catalog();
      if (!catalog.ok || catalog.value === null || isSameCatalog(catalog.value, last)) return null;
      last = catalog.value;
      return catalogMarket(last, id);
    };
  }

  #use(id: string, kept: Kept, onEnd: OnEnd): FollowedMarket {
    const user = { onEnd };
    kept.users.add(user);
    return {
      market: kept.market,
      stream: intervalMs => this.#streamOf(kept, intervalMs),
      release: () => this.#release(id, kept, user),
    };
  }

  #end(id: string, none: NoMarket): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    for (const { onEnd } of [...(kept?.users ?? [])]) onEnd(unknownMarket(none, ' any more'));
  }

  #streamOf({ market, index, streams }: Kept, intervalMs: number): PacedStream<OutcomeMessage> {
    const known = streams.get(intervalMs);
    if (known !== undefined) return known;
    const { codecs, publish, timers } = this.#parts;
    const outlets = new Outlets(codecs, `o${index}i${intervalMs}`, publish);
    const stream = new PacedStream(intervalMs, market, outlets, timers);
    streams.set(intervalMs, stream);
    market.streams.add(stream);
    return stream;
  }

  #release(id: string, kept: Kept, user: { readonly onEnd: OnEnd }): void {
    kept.users.delete(user);
    if (kept.users.size > 0) return;
    if (this.#kept.get(id) === kept) this.#kept.delete(id);
    for (const stream of kept.streams.values()) stream.close();
    kept.market.close();
  }
}

const NOT_LISTED: NoMarket = { currentId: null };

function unknownMarket({ currentId }: NoMarket, since: string): OutcomeRefusal {
  const now = currentId === null ? '' : `: it is ${currentId} now`;
  return { code: 'UNKNOWN_MARKET', message: `the catalog has no such market${since}${now}` };
}

function isSameCatalog(one: CatalogSnapshot, other: CatalogSnapshot | null): boolean {
  return one.memory === other?.memory && one.generation === other.generation;
}

export type BestOfEvent = (eventId: string) => Promise<Result<readonly object[], Refusal>>;

/**
 * The best routes of all questions of an event, read once, in the order of the markets' ids. The reading subscribes their books for as long
 * as books linger.
 */
export async function bestOfEvent(hub: OutcomeHub, eventId: string): Promise<Result<readonly object[], Refusal>> {
  const ids = hub.marketsOf(eventId);
  if (!ids.ok) return fail(refusal('unavailable', ids.error));
  if (ids.value === null) return fail(refusal('notFound', 'eventId: no such event'));
  const followed = ids.value.flatMap(id => {
    const market = hub.follow(id);
    return market.ok ? [market.value] : [];
  });
  const isWhole = followed.length === ids.value.length;
  if (isWhole) await Promise.all(followed.map(({ market }) => market.ready));
  const markets = followed.map(({ market }) => {
    const { catalogMarket: id, ...best } = market.latest();
    return { id, title: market.title, ...renderBestRoutes(best) };
  });
  for (const { release } of followed) release();
  return isWhole ? ok(markets) : fail(refusal('unavailable', REPLACED));
}
