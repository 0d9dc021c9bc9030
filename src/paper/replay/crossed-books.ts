// Finds recorded books whose best bid reaches their best ask. No venue has such a book: the recorder meant its numbers otherwise. Pure.

import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { complementTicks, formatTicks, parseMicroShares, parseTicks, type Ticks } from '../../core/domain/numbers.ts';

/** How each crossed book of the frame reads, in words. `isYesPriced`: NO levels stand at YES prices. */
export function crossedBooksIn(venue: Venue, frame: unknown, isYesPriced: boolean): string[] {
  if (venue === 'venue_a') {
    const books = objectsOf(Array.isArray(frame) ? frame : [frame]).filter(({ event_type: type }) => type === 'book');
    return books.flatMap(book => crossed(textOf(book.asset_id), rowsOf(book.bids), rowsOf(book.asks)));
  }
  const { type, msg } = frame as JsonObject;
  if (type !== 'orderbook_snapshot' || !isObject(msg)) return [];
  const no = pairsOf(msg.no_dollars_fp);
  return crossed(textOf(msg.market_ticker), pairsOf(msg.yes_dollars_fp), isYesPriced ? no : no.map(complementTicks));
}

function crossed(market: string, bids: readonly Ticks[], asks: readonly Ticks[]): string[] {
  if (bids.length === 0 || asks.length === 0) return [];
  const [bid, ask] = [bids.reduce((a, b) => (a > b ? a : b)), asks.reduce((a, b) => (a < b ? a : b))];
  return bid < ask ? [] : [`${market}, bid ${formatTicks(bid)} and ask ${formatTicks(ask)}`];
}

function rowsOf(rows: unknown): Ticks[] {
  return objectsOf(rows).flatMap(({ price, size }) => priceOf(price, size));
}

function pairsOf(rows: unknown): Ticks[] {
  return (Array.isArray(rows) ? rows.filter(Array.isArray) : []).flatMap(([price, size]) => priceOf(price, size));
}

/** The price of a level that has a size. */
function priceOf(price: unknown, size: unknown): Ticks[] {
  const ticks = parseTicks(textOf(price));
  return ticks === null || (parseMicroShares(textOf(size)) ?? 0) === 0 ? [] : [ticks];
}
