// Reads venue A's markets by condition id: the market, and the books of both its tokens (venue-a.md §4). Thread of the market reads.

import { isCrossed, NO_QUOTE, type OutcomeSummary, type Quote, quoteOf } from '../../core/domain/market-summary.ts';
import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND } from '../../core/net/http-status.ts';
import { type MarketReader, type MarketReading, noSuchMarket, type ReadFailure } from '../market-read.ts';
import type { MarketReadHttp } from '../market-read-http.ts';
import { readBookDocument } from './book-document.ts';
import { readMarketDocument, type VenueAMarket, type VenueAToken } from './market-document.ts';
import { conditionKey } from './position-ids.ts';

type Quoted = { readonly type: 'quote'; readonly quote: Quote } | ReadFailure;

const CONDITION_ID = /^0x(?:[0-9a-f]{2}){31,32}$/;

export class VenueAMarketReader implements MarketReader {
  readonly #http: MarketReadHttp;

  constructor(http: MarketReadHttp) {
    this.#http = http;
  }

  async read(conditionId: string): Promise<MarketReading> {
    if (!CONDITION_ID.test(conditionId)) return noSuchMarket(conditionId);
    const deadlineMs = this.#http.deadline();
    const answer = await this.#http.find(`/markets/${conditionId}`, deadlineMs, [HTTP_NOT_FOUND, HTTP_BAD_REQUEST]);
    if (answer === null) return noSuchMarket(conditionId);
    if (answer.type !== 'json') return answer;
    const document = readMarketDocument(answer.body);
    if (document.type === 'tokenless') return noSuchMarket(conditionId);
    if (document.type === 'unreadable') return this.#http.unreadable(conditionId, document.problem);
    if (conditionKey(document.market.conditionId) !== conditionKey(conditionId))
      return this.#http.unreadable(conditionId, 'condition_id');
    return this.#withPrices(document.market, deadlineMs);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #withPrices(market: VenueAMarket, deadlineMs: number): Promise<MarketReading> {
    const { conditionId, title, status, tokens, hasBooks, expiresAt } = market;
    const quotes = await Promise.all(tokens.map(token => (hasBooks ? this.#quoteOf(token, deadlineMs) : NO_BOOK)));
    const outcomes: OutcomeSummary[] = [];
    for (const [index, { name, tokenId }] of tokens.entries()) {
      const quoted = quotes[index]!;
      if (quoted.type !== 'quote') return quoted;
      outcomes.push({ name, outcomeId: tokenId, ...quoted.quote });
    }
    return { type: 'market', market: { venue: 'venue_a', marketId: conditionId, title, status, outcomes, expiresAt } };
  }

  async #quoteOf({ tokenId }: VenueAToken, deadlineMs: number): Promise<Quoted> {
    const answer = await this.#http.find(`/book?token_id=${tokenId}`, deadlineMs, [HTTP_NOT_FOUND]);
    if (answer === null) return NO_BOOK;
    if (answer.type !== 'json') return answer;
    const book = readBookDocument(answer.body);
    if (book === null || book.tokenId !== tokenId) return this.#http.unreadable(tokenId, 'book');
    // Levels come worst first, so the best is the last.
    const quote = quoteOf(book.bids.at(-1)?.price ?? null, book.asks.at(-1)?.price ?? null);
    return isCrossed(quote) ? this.#http.unreadable(tokenId, 'book') : { type: 'quote', quote };
  }
}

const NO_BOOK: Quoted = { type: 'quote', quote: NO_QUOTE };
