// GET /builder/trades (venue-a.md §3.6): trades of all orders with a builder's code, of any account. In camel case, as the official client
// declares it. Pure.

import { formatMicroShares, formatTicks, type MicroDollars } from '../../../domain/numbers.ts';
import { ZERO_BYTES32 } from '../../../venues/venue-a/abi-words.ts';
import { yesCost } from '../../engine/money.ts';
import type { MakerFill, TradeRecord } from '../records.ts';
import { dollarsText, isoText, secondsText } from './decimal-text.ts';
import { sideText } from './order-views.ts';

/** As one of the two sides sees it. */
interface BuilderTrade extends Omit<MakerFill, 'orderId'> {
  readonly trade: TradeRecord;
  readonly isTaker: boolean;
  readonly dollars: MicroDollars;
}

/** All zero means no code. */
export function* builderTrades(trades: Iterable<TradeRecord>, code: string): Generator<BuilderTrade> {
  const wanted = code.toLowerCase();
  if (wanted === ZERO_BYTES32) return;
  for (const trade of trades) {
    if (trade.builderCode === wanted) yield { ...trade, trade, isTaker: true };
    for (const maker of trade.makers) {
      if (maker.builderCode !== wanted) continue;
      yield { ...maker, trade, isTaker: false, dollars: yesCost(maker.price, maker.size) };
    }
  }
}

export function builderTradeView(it: BuilderTrade): object {
  const { trade, isTaker, token } = it;
  const { market } = trade;
  const fee = isTaker ? dollarsText(trade.takerFee) : '0';
  return {
    id: trade.tradeId,
    tradeType: isTaker ? 'TAKER' : 'MAKER',
    takerOrderHash: trade.takerOrderId,
    builder: it.builderCode,
    market: market.conditionId,
    assetId: market.listing.tokens[token],
    side: sideText(it.isBuy),
    size: formatMicroShares(it.size),
    sizeUsdc: dollarsText(it.dollars),
    price: formatTicks(it.price),
    status: trade.status,
    outcome: market.listing.outcomes[token],
    outcomeIndex: token,
    owner: it.owner,
    maker: it.makerAddress,
    transactionHash: trade.transactionHash,
    matchTime: secondsText(trade.matchedAt),
    bucketIndex: 0,
    fee,
    feeUsdc: fee,
    builderFee: '0',
    builderCode: it.builderCode,
    err_msg: null,
    createdAt: isoText(trade.matchedAt),
    updatedAt: isoText(trade.updatedAt),
  };
}
