// The best prices of an order book, from levels `{price, size}` in any order, as numbers or decimal text. Pure.

import { isObject } from '../domain/json.ts';
import { isCrossed, type Quote, quoteOf } from '../domain/market-summary.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../domain/numbers.ts';
import { isPositive, ticksOf } from './market-read-numbers.ts';

/** The book of the named token; null if this is no book of `tokenId`. */
export function readBestPrices(book: unknown, tokenId: string): Quote | null {
  if (!isObject(book) || book.tokenId !== tokenId) return null;
  const [bids, asks] = [pricesOf(book.bids), pricesOf(book.asks)];
  if (bids === null || asks === null) return null;
  const quote = quoteOf(
    bids.reduce<Ticks | null>((best, price) => (best === null || price > best ? price : best), null),
    asks.reduce<Ticks | null>((best, price) => (best === null || price < best ? price : best), null),
  );
  return isCrossed(quote) ? null : quote;
}

/** Best price among the levels with a size above 0. */
function pricesOf(levels: unknown): readonly Ticks[] | null {
  if (!Array.isArray(levels)) return levels === null ? [] : null;
  const prices: Ticks[] = [];
  for (const level of levels as unknown[]) {
    const price = isObject(level) ? ticksOf(level.price) : null;
    if (!isObject(level) || price === null || price === 0 || price === TICKS_PER_DOLLAR) return null;
    if (isPositive(level.size)) prices.push(price);
  }
  return prices;
}
