// One token's book for `GET /book` (venue-a.md §4): the hashed fields in the hashed order, with the hash. Levels and hash are those of the
// market channel. Thread of the paper exchanges.

import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';
import { BookPage } from '../stream/book-page.ts';

/** JSON. Levels worst first: bids ascend, asks descend. */
export function bookText(market: VenueAMarket, token: TokenIndex): string {
  const { conditionId, tokens, minOrderSize, isNegRisk } = market.listing;
  const page = new BookPage(market);
  const { bids, asks } = page.sides(token);
  return (
    `{"market":"${conditionId}","asset_id":"${tokens[token]}","timestamp":"${page.timestamp}","hash":"${page.hash(token)}",` +
    `"bids":${bids},"asks":${asks},"min_order_size":"${minOrderSize}","tick_size":"${page.tickSize}",` +
    `"neg_risk":${isNegRisk},"last_trade_price":"${page.lastTradeText}"}`
  );
}
