// Order books on venue B's stream (venue-b.md §10.4): bids of both outcomes, NO at its own prices unless a listener asks for
// YES terms. Deltas are most of the traffic and are written by hand. Thread of the paper exchanges.

import { ASK, BID, type Side } from '../../../core/domain/market.ts';
import type { Ticks } from '../../../core/domain/numbers.ts';
import type { VenueBMarket } from '../market.ts';
import type { VenueBEvent } from '../records.ts';
import { countText, noPriceText, outcomeSide, priceText, timeText } from '../wire-text.ts';
import { isOwn, type Message, once } from './message.ts';

type LevelChange = Extract<VenueBEvent, { type: 'level' }>;

export function deltaMessage({ market, side, price, change, order, at }: LevelChange): Message {
  const write = (usesYesPrice: boolean, about: string): string =>
    `{"market_ticker":"${market.ticker}","market_id":"${market.listing.marketId}",` +
    `"price_dollars":"${shownPrice(side, price, usesYesPrice)}","delta_fp":"${countText(change)}",` +
    `"side":"${outcomeSide(side)}"${about},"ts":"${timeText(at)}","ts_ms":${at}}`;
  const plain = once(() => write(false, ''));
  const inYesTerms = once(() => write(true, ''));
  return {
    type: 'orderbook_delta',
    channel: 'orderbook_delta',
    market,
    owner: null,
    text: ({ caller, usesYesPrice }) => {
      if (order !== null && isOwn(caller, order.owner)) {
        const clientOrderId = JSON.stringify(order.clientOrderId);
        return write(usesYesPrice, `,"client_order_id":${clientOrderId},"subaccount":${order.owner.subaccount}`);
      }
      return usesYesPrice && side === ASK ? inYesTerms() : plain();
    },
  };
}

/** Levels ascend in the outcome's own prices, best last; an empty side has no key. */
export function snapshotText(market: VenueBMarket, usesYesPrice: boolean): string {
  const [yes, no] = [levelsText(market, BID, usesYesPrice), levelsText(market, ASK, usesYesPrice)];
  return (
    `{"market_ticker":"${market.ticker}","market_id":"${market.listing.marketId}"` +
    `${yes === '' ? '' : `,"yes_dollars_fp":[${yes}]`}${no === '' ? '' : `,"no_dollars_fp":[${no}]`}}`
  );
}

function levelsText(market: VenueBMarket, side: Side, usesYesPrice: boolean): string {
  const rows: string[] = [];
  for (const { price, size } of market.levels(side)) {
    rows.push(`["${shownPrice(side, price, usesYesPrice)}","${countText(size)}"]`);
  }
  return rows.reverse().join(',');
}

function shownPrice(side: Side, price: Ticks, usesYesPrice: boolean): string {
  return side === BID || usesYesPrice ? priceText(price) : noPriceText(price);
}
