// Reads venue E's markets by id (venues-c-d-e.md §3): the market, its group if any, and the order book of its YES token. The
// book of NO is the mirror. Thread of the market reads.

import { isObject, type JsonObject } from '../../domain/json.ts';
import { mirroredQuote, NO_QUOTE, type Quote } from '../../domain/market-summary.ts';
import type { Timers } from '../../runtime/timers.ts';
import {
  faulty,
  groupOfMarkets,
  type MarketReader,
  type MarketReading,
  noSuchMarket,
  type ReadFailure,
} from '../market-read.ts';
import { readBestPrices } from '../market-read-book.ts';
import type { MarketReadHttp } from '../market-read-http.ts';
import { unwrap } from './envelope.ts';
import { VenueEGroups } from './groups.ts';
import { asMember, idOf, readMarketDocument, type VenueEMarket } from './market-document.ts';

/** Null: the venue does not know it. */
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

  /** Groups have separate ids and perhaps separate routes; so may their members. */
  async #find(marketId: string, deadlineMs: number): Promise<Found | MarketReading> {
    const own = await this.#data(`/market/${marketId}`, deadlineMs);
    if (own.type !== 'result') return own;
    if (own.result !== null) return this.#understand(own.result, marketId, deadlineMs);
    const categorical = await this.#data(`/market/categorical/${marketId}`, deadlineMs);
    if (categorical.type !== 'result') return categorical;
    if (categorical.result !== null) return this.#understand(categorical.result, marketId, deadlineMs);
    return this.#findInGroup(marketId, deadlineMs);
  }

  async #understand(data: JsonObject, marketId: string, deadlineMs: number): Promise<Found | MarketReading> {
    const document = readMarketDocument(data);
    if (document.type === 'unreadable') return this.#unreadable(marketId, document.problem);
    if (document.type === 'group')
      return groupOfMarkets(
        marketId,
        document.members.flatMap(it => idOf(it) ?? []),
      );
    const { market, isMember } = document;
    if (market.marketId !== marketId) return this.#unreadable(marketId, 'marketId');
    if (!isMember) return { type: 'found', market };
    const found = await this.#groups.groupOf(marketId, deadlineMs);
    if (found.type === 'failed') return found.failure;
    return { type: 'found', market: found.type === 'group' ? asMember(market, found.group) : market };
  }

  /** The market as its group shows it now. */
  async #findInGroup(marketId: string, deadlineMs: number): Promise<Found | MarketReading> {
    const found = await this.#groups.groupOf(marketId, deadlineMs);
    if (found.type === 'failed') return found.failure;
    if (found.type === 'none') return noSuchMarket(marketId);
    const data = await this.#data(`/market/categorical/${found.group.groupId}`, deadlineMs);
    if (data.type !== 'result') return data;
    const group = readMarketDocument(data.result);
    if (group.type !== 'group') return this.#unreadable(marketId, 'group');
    const own = group.members.find(member => idOf(member) === marketId);
    if (own === undefined) return noSuchMarket(marketId);
    const document = readMarketDocument(own);
    if (document.type !== 'market') return this.#unreadable(marketId, 'group');
    return { type: 'found', market: asMember(document.market, group.group) };
  }

  async #withPrices(
    market: VenueEMarket & { readonly status: Exclude<VenueEMarket['status'], 'deleted'> },
    deadlineMs: number,
  ): Promise<MarketReading> {
    const [yes, no] = market.outcomes;
    const book = await this.#ask(`/token/orderbook?token_id=${yes.outcomeId}`, deadlineMs);
    if (book.type !== 'result') return book;
    // A market that is over may have no book.
    const quote: Quote | null = book.result === null ? NO_QUOTE : readBestPrices(book.result, yes.outcomeId);
    if (quote === null) return this.#unreadable(market.marketId, 'order book');
    const outcomes = [
      { ...yes, ...quote },
      { ...no, ...mirroredQuote(quote) },
    ];
    return { type: 'market', market: { venue: 'venue_e', ...market, outcomes } };
  }

  /** The result of a market route. */
  async #data(path: string, deadlineMs: number): Promise<Asked> {
    const asked = await this.#ask(path, deadlineMs);
    if (asked.type !== 'result' || asked.result === null) return asked;
    const { data } = asked.result;
    if (data === null || data === undefined) return { type: 'result', result: null };
    return isObject(data) ? { type: 'result', result: data } : faulty(this.#http.venue, `${path}: cannot be read`);
  }

  async #ask(path: string, deadlineMs: number): Promise<Asked> {
    const answer = await this.#http.get(path, deadlineMs);
    if (answer.type !== 'json') return answer;
    const unwrapped = unwrap(answer);
    if (unwrapped.type === 'odd') return faulty(this.#http.venue, unwrapped.words);
    return { type: 'result', result: unwrapped.type === 'result' ? unwrapped.result : null };
  }

  #unreadable(marketId: string, problem: string): ReadFailure {
    return faulty(this.#http.venue, `${marketId}: its ${problem} cannot be read`);
  }
}
