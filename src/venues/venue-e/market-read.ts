// Reads venue E's markets by id (venues-c-d-e.md §3): the market, its group if any, and the order book of its YES token. The
// book of NO is the mirror. Thread of the market reads.

import { isObject, type JsonObject, objectsOf } from '../../core/domain/json.ts';
import { mirroredQuote, NO_QUOTE, type Quote } from '../../core/domain/market-summary.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { MarketReader, MarketReading, ReadFailure } from '../market-read.ts';
import { busy, faulty, groupOfMarkets, noSuchMarket } from '../market-read.ts';
import { type MarketReadHttp, readBestPrices } from '../market-read-http.ts';
import { asMember, idOf, readMarketDocument, unwrap, type VenueEGroup, type VenueEMarket } from './market-document.ts';

/** The answer of a market route. `result` is null if the venue does not know the market. */
type Asked = { readonly type: 'result'; readonly result: JsonObject | null } | ReadFailure;
type Found = { readonly type: 'found'; readonly market: VenueEMarket };

const MARKET_ID = /^[1-9]\d{0,15}$/;

export class VenueEMarketReader implements MarketReader {
  readonly #http: MarketReadHttp;
  readonly #groups: VenueEGroups;

  constructor(http: MarketReadHttp, timers: Timers) {
    this.#http = http;
    this.#groups = new VenueEGroups(http, timers);
  }

  async read(marketId: string): Promise<MarketReading> {
    if (!MARKET_ID.test(marketId)) return noSuchMarket(marketId);
    const deadlineMs = this.#http.deadline();
    const found = await this.#find(marketId, deadlineMs);
    if (found.type !== 'found') return found;
    const { market } = found;
    if (market.status === 'deleted') return noSuchMarket(marketId);
    return this.#withPrices({ ...market, status: market.status }, deadlineMs);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Finds a market or a group. Groups have ids of their own and perhaps routes of their own; so may their members. */
  async #find(marketId: string, deadlineMs: number): Promise<Found | MarketReading> {
    const own = await this.#data(`/market/${marketId}`, deadlineMs);
    if (own.type !== 'result') return own;
    if (own.result !== null) return this.#readMarketOf(own.result, marketId, deadlineMs);
    const categorical = await this.#data(`/market/categorical/${marketId}`, deadlineMs);
    if (categorical.type !== 'result') return categorical;
    if (categorical.result !== null) return this.#readMarketOf(categorical.result, marketId, deadlineMs);
    return this.#findInGroup(marketId, deadlineMs);
  }

  async #readMarketOf(data: JsonObject, marketId: string, deadlineMs: number): Promise<Found | MarketReading> {
    const document = readMarketDocument(data);
    if (document.type === 'unreadable') return this.#http.unreadable(marketId, document.problem);
    if (document.type === 'group')
      return groupOfMarkets(
        marketId,
        document.members.flatMap(it => idOf(it) ?? []),
      );
    const { market, isMember } = document;
    if (market.marketId !== marketId) return this.#http.unreadable(marketId, 'marketId');
    if (!isMember) return { type: 'found', market };
    const found = await this.#groups.groupOf(marketId, deadlineMs);
    if (found.type === 'failed') return found.failure;
    return { type: 'found', market: found.type === 'group' ? asMember(market, found.group) : market };
  }

  /** Finds the market as its group shows it now. */
  async #findInGroup(marketId: string, deadlineMs: number): Promise<Found | MarketReading> {
    const found = await this.#groups.groupOf(marketId, deadlineMs);
    if (found.type === 'failed') return found.failure;
    if (found.type === 'none') return noSuchMarket(marketId);
    const data = await this.#data(`/market/categorical/${found.group.groupId}`, deadlineMs);
    if (data.type !== 'result') return data;
    const group = readMarketDocument(data.result);
    if (group.type !== 'group') return this.#http.unreadable(marketId, 'group');
    const own = group.members.find(member => idOf(member) === marketId);
    if (own === undefined) return noSuchMarket(marketId);
    const document = readMarketDocument(own);
    if (document.type !== 'market') return this.#http.unreadable(marketId, 'group');
    return { type: 'found', market: asMember(document.market, group.group) };
  }

  async #withPrices(
    market: VenueEMarket & { readonly status: Exclude<VenueEMarket['status'], 'deleted'> },
    deadlineMs: number,
  ): Promise<MarketReading> {
    const [yes, no] = market.outcomes;
    const book = await this.#fetch(`/token/orderbook?token_id=${yes.outcomeId}`, deadlineMs);
    if (book.type !== 'result') return book;
    // A missing book counts as empty, because a market that is over may have none.
    const quote: Quote | null = book.result === null ? NO_QUOTE : readBestPrices(book.result, yes.outcomeId);
    if (quote === null) return this.#http.unreadable(market.marketId, 'order book');
    const outcomes = [
      { ...yes, ...quote },
      { ...no, ...mirroredQuote(quote) },
    ];
    return { type: 'market', market: { venue: 'venue_e', ...market, outcomes } };
  }

  /** Reads the result of a market route. */
  async #data(path: string, deadlineMs: number): Promise<Asked> {
    const asked = await this.#fetch(path, deadlineMs);
    if (asked.type !== 'result' || asked.result === null) return asked;
    const { data } = asked.result;
    if (data === null || data === undefined) return { type: 'result', result: null };
    return isObject(data) ? { type: 'result', result: data } : faulty(this.#http.venue, `${path}: cannot be read`);
  }

  async #fetch(path: string, deadlineMs: number): Promise<Asked> {
    const answer = await this.#http.get(path, deadlineMs);
    if (answer.type !== 'json') return answer;
    const unwrapped = unwrap(answer);
    if (unwrapped.type === 'odd') return faulty(this.#http.venue, unwrapped.words);
    return { type: 'result', result: unwrapped.type === 'result' ? unwrapped.result : null };
  }
}

type GroupFound =
  | { readonly type: 'group'; readonly group: VenueEGroup }
  /** The market belongs to no group. */
  | { readonly type: 'none' }
  | { readonly type: 'failed'; readonly failure: ReadFailure };

/** The result of a walk through the list of groups, for markets that the walk did not find. */
interface Walked {
  readonly absence: GroupFound;
  /** Whether an immediate second walk would give the same result. */
  readonly isFinal: boolean;
}

const LIST = '/market?marketType=1&sortBy=1&limit=20&page=';
const NONE: GroupFound = { type: 'none' };

/**
 * Finds the group of a market. No route states it, so this class reads the venue's list of groups, newest first, page by page, until the
 * market appears. On the way it caches all groups.
 */
class VenueEGroups {
  readonly #http: MarketReadHttp;
  readonly #timers: Timers;
  /** Groups by market id. */
  #groups = new Map<string, VenueEGroup>();
  #readAt = Number.NEGATIVE_INFINITY;
  #absence: GroupFound = NONE;
  #walk: Walk | null = null;

  constructor(http: MarketReadHttp, timers: Timers) {
    this.#http = http;
    this.#timers = timers;
  }

  async groupOf(marketId: string, deadlineMs: number): Promise<GroupFound> {
    const ageMs = this.#timers.elapsed() - this.#readAt;
    const ageMaxMs = this.#groups.has(marketId) ? limits.venueEGroupTermsMs : limits.venueEGroupsMs;
    if (ageMs >= ageMaxMs) this.#walk ??= this.#begin();
    for (;;) {
      const group = this.#groups.get(marketId);
      if (group !== undefined) return { type: 'group', group };
      if (this.#walk === null) return this.#absence;
      const isInTime = await this.#pageBefore(this.#walk, deadlineMs);
      if (!isInTime) {
        return { type: 'failed', failure: busy(this.#http.venue, 'its groups of markets are still being read', 1_000) };
      }
    }
  }

  #begin(): Walk {
    const walk: Walk = { page: Promise.withResolvers() };
    void this.#readPages(walk).then(({ absence, isFinal }) => {
      this.#absence = absence;
      if (isFinal) this.#readAt = this.#timers.elapsed();
      this.#walk = null;
      walk.page.resolve();
    });
    return walk;
  }

  /** Waits for the next page. Returns false if no page came in time. */
  async #pageBefore({ page }: Walk, deadlineMs: number): Promise<boolean> {
    const late = Promise.withResolvers<false>();
    const cancel = this.#timers.after(deadlineMs - this.#timers.elapsed(), () => late.resolve(false));
    const isInTime = await Promise.race([page.promise.then(() => true), late.promise]);
    cancel();
    return isInTime;
  }

  async #readPages(walk: Walk): Promise<Walked> {
    const seen = new Map<string, VenueEGroup>();
    for (let page = 1; page <= limits.venueEGroupPagesMax; page += 1) {
      const answer = await this.#http.get(LIST + page, this.#http.deadline());
      if (answer.type !== 'json') return broken(answer);
      const list = unwrap(answer);
      if (list.type === 'odd') return broken(faulty(this.#http.venue, list.words));
      const groups = list.type === 'result' ? objectsOf(list.result.list) : [];
      if (groups.length === 0) {
        // The list is complete now: a market that it does not have belongs to no group.
        this.#groups = seen;
        return { absence: NONE, isFinal: true };
      }
      for (const group of groups) this.#learn(group, seen);
      this.#turnPage(walk);
    }
    const words = `more than ${limits.venueEGroupPagesMax} pages of groups (venueEGroupPagesMax)`;
    return { ...broken(faulty(this.#http.venue, words)), isFinal: true };
  }

  #learn(data: unknown, seen: Map<string, VenueEGroup>): void {
    const document = readMarketDocument(data);
    if (document.type !== 'group') return;
    for (const member of document.members.filter(isObject)) {
      const id = idOf(member);
      if (id === null || seen.size >= limits.venueEGroupMarketsMax) continue;
      seen.set(id, document.group);
      if (this.#groups.has(id) || this.#groups.size < limits.venueEGroupMarketsMax)
        this.#groups.set(id, document.group);
    }
  }

  #turnPage(walk: Walk): void {
    const { page } = walk;
    walk.page = Promise.withResolvers();
    page.resolve();
  }
}

function broken(failure: ReadFailure): Walked {
  return { absence: { type: 'failed', failure }, isFinal: false };
}

interface Walk {
  /** Settles when the present page has been read. */
  page: PromiseWithResolvers<void>;
}
