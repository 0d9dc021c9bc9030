// Reads venue D's markets by slug: the market, and its order book if a price may stand for an empty side (venues-c-d-e.md
// §2). Thread of the market reads.

import { mirroredQuote } from '../../domain/market-summary.ts';
import { unreachable } from '../../domain/result.ts';
import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND, HTTP_OK } from '../../net/http-status.ts';
import { faulty, groupOfMarkets, type MarketReader, type MarketReading, noSuchMarket } from '../market-read.ts';
import { readBestPrices } from '../market-read-book.ts';
import type { MarketReadHttp } from '../market-read-http.ts';
import { isSlug, readMarketDocument, type VenueDMarket } from './market-document.ts';

export class VenueDMarketReader implements MarketReader {
  readonly #http: MarketReadHttp;

  constructor(http: MarketReadHttp) {
    this.#http = http;
  }

  async read(slug: string): Promise<MarketReading> {
    if (!isSlug(slug)) return noSuchMarket(slug);
    const deadlineMs = this.#http.deadline();
    const answer = await this.#http.get(`/markets/${slug}`, deadlineMs);
    if (answer.type !== 'json') return answer;
    if (answer.status === HTTP_NOT_FOUND) return noSuchMarket(slug);
    if (answer.status !== HTTP_OK) return this.#http.odd(answer);
    const document = readMarketDocument(answer.body);
    switch (document.type) {
      case 'unreadable':
        return this.#unreadable(slug, document.problem);
      case 'group':
        return groupOfMarkets(document.slug, document.members);
      case 'market':
        // The venue also finds markets by their contract addresses.
        if (document.market.slug !== slug) return noSuchMarket(slug);
        return document.market.isDoubtful ? this.#withBook(document.market, deadlineMs) : summary(document.market);
      default:
        return unreachable(document);
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #withBook(market: VenueDMarket, deadlineMs: number): Promise<MarketReading> {
    const [yes, no] = market.outcomes;
    const answer = await this.#http.get(`/markets/${market.slug}/orderbook`, deadlineMs);
    if (answer.type !== 'json') return answer;
    // The book is gone: the doubtful prices of the market are empty sides.
    if (answer.status === HTTP_NOT_FOUND || answer.status === HTTP_BAD_REQUEST) return summary(market);
    if (answer.status !== HTTP_OK) return this.#http.odd(answer);
    // The book is in terms of the YES token, NO orders included.
    const quote = readBestPrices(answer.body, yes.outcomeId);
    if (quote === null) return this.#unreadable(market.slug, 'orderbook');
    return summary({
      ...market,
      outcomes: [
        { ...yes, ...quote },
        { ...no, ...mirroredQuote(quote) },
      ],
    });
  }

  #unreadable(slug: string, problem: string): MarketReading {
    return faulty(this.#http.venue, `${slug}: its ${problem} cannot be read`);
  }
}

function summary({ slug, title, status, outcomes, expiresAt }: VenueDMarket): MarketReading {
  return { type: 'market', market: { venue: 'venue_d', marketId: slug, title, status, outcomes, expiresAt } };
}
