// The listing of a replayed market of venue B. A recording of the stream does not state the grid of prices: it follows from the prices.
// Replay thread, and imports of captures.

import { type JsonObject, textOf } from '../../core/domain/json.ts';
import { parseTicks } from '../../core/domain/numbers.ts';

/** Fields of a market's object beside its book. */
export interface VenueBListing {
  readonly ticker: string;
  readonly title: string;
  readonly yesSubTitle: string;
  /** Name and bands of the price grid (venue-b.md §3.2). */
  readonly priceLevelStructure: string;
  readonly priceRanges: readonly { readonly start: string; readonly end: string; readonly step: string }[];
}

/** A grid of one step over the whole dollar, with the venue's name: the coarsest that fits every price. */
export function gridOfPrices(prices: Iterable<string>): Pick<VenueBListing, 'priceLevelStructure' | 'priceRanges'> {
  let [priceLevelStructure, step] = ['linear_cent', '0.0100'];
  for (const price of prices) {
    const ticks = parseTicks(price) ?? 0;
    if (ticks % 10 !== 0) [priceLevelStructure, step] = ['center_centi_edge_centi_cent', '0.0001'];
    else if (ticks % 100 !== 0 && step === '0.0100') [priceLevelStructure, step] = ['deci_cent', '0.0010'];
  }
  return { priceLevelStructure, priceRanges: [{ start: '0.0000', end: '1.0000', step }] };
}

/** All prices that a message of the books' channel names. */
export function pricesOf(message: JsonObject): string[] {
  const levels = [message.yes_dollars_fp, message.no_dollars_fp].filter(Array.isArray).flat();
  return [textOf(message.price_dollars), ...levels.map(level => textOf(Array.isArray(level) ? level[0] : ''))];
}
