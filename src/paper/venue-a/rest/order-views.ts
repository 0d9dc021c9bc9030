// Orders and trades as venue A's REST shows them to their owner (venue-a.md §3.1, §3.5, §3.6). By a builder's code it shows trades of any
// account (GET /builder/trades), in camel case as the official client declares it. Pure.

import { formatMicroShares, formatTicks, type MicroDollars } from '../../../core/domain/numbers.ts';
import { ZERO_BYTES32 } from '../../../venues/venue-a/abi-words.ts';
import { yesCost } from '../../engine/money.ts';
import type { VenueAMarket } from '../market.ts';
import type { Execution, MakerFill, OrderRecord, TokenIndex, TradeRecord } from '../records.ts';
import { dollarsText, isoText, secondsOf, secondsText } from './decimal-text.ts';

/** The answer of POST /order: since July 2026 without transaction hashes, which clients read from /data/trades. */
export function executionView({ order, outcome, filled, paid, trades }: Execution): object {
  const [shares, dollars] = filled === 0 ? ['', ''] : [formatMicroShares(filled), dollarsText(paid)];
  return {
    errorMsg: '',
    orderID: order.orderId,
    takingAmount: order.isBuy ? shares : dollars,
    makingAmount: order.isBuy ? dollars : shares,
    status: outcome,
    success: true,
    ...(trades.length === 0 ? {} : { tradeIDs: trades.map(trade => trade.tradeId) }),
  };
}

export function orderView(order: OrderRecord): object {
  return {
    id: order.orderId,
    status: order.status,
    owner: order.owner,
    maker_address: order.makerAddress,
    market: order.market.conditionId,
    asset_id: order.market.listing.tokens[order.token],
    side: sideText(order.isBuy),
    original_size: formatMicroShares(order.size),
    size_matched: formatMicroShares(order.matched),
    price: formatTicks(order.price),
    associate_trades: order.tradeIds,
    outcome: outcomeOf(order.market, order.token),
    created_at: secondsOf(order.createdAt),
    expiration: String(order.expirationS),
    order_type: order.type,
  };
}

/** `owner`: API key of the reader. Top-level fields are the taker's. */
export function tradeView(trade: TradeRecord, owner: string): object {
  const { market } = trade;
  return {
    id: trade.tradeId,
    taker_order_id: trade.takerOrderId,
    market: market.conditionId,
    asset_id: market.listing.tokens[trade.token],
    side: sideText(trade.isBuy),
    size: formatMicroShares(trade.size),
    fee_rate_bps: '0',
    price: formatTicks(trade.price),
    status: trade.status,
    match_time: secondsText(trade.matchedAt),
    match_time_nano: `${trade.matchedAt}000000`,
    last_update: secondsText(trade.updatedAt),
    outcome: outcomeOf(market, trade.token),
    bucket_index: 0,
    owner: trade.owner,
    maker_address: trade.makerAddress,
    transaction_hash: trade.transactionHash,
    err_msg: null,
    maker_orders: trade.makers.map(maker => makerView(maker, market)),
    trader_side: trade.owner === owner ? 'TAKER' : 'MAKER',
  };
}

export function sideText(isBuy: boolean): 'BUY' | 'SELL' {
  return isBuy ? 'BUY' : 'SELL';
}

function makerView(maker: MakerFill, market: VenueAMarket): object {
  return {
    ...makerCommon(maker, market),
    side: sideText(maker.isBuy),
    ...(maker.builderCode === ZERO_BYTES32 ? {} : { builder_fee: '0', builder_code: maker.builderCode }),
  };
}

/** Fields of a maker in lists and on the stream alike. */
export function makerCommon(maker: MakerFill, market: VenueAMarket): object {
  return {
    order_id: maker.orderId,
    owner: maker.owner,
    maker_address: maker.makerAddress,
    matched_amount: formatMicroShares(maker.size),
    price: formatTicks(maker.price),
    fee_rate_bps: '0',
    asset_id: market.listing.tokens[maker.token],
    outcome: outcomeOf(market, maker.token),
  };
}

function outcomeOf(market: VenueAMarket, token: TokenIndex): string {
  return market.listing.outcomes[token];
}

/** A trade as one of the two sides sees it. */
interface BuilderTrade extends Omit<MakerFill, 'orderId'> {
  readonly trade: TradeRecord;
  readonly isTaker: boolean;
  readonly dollars: MicroDollars;
}

/** A code of zeros means no code. */
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
