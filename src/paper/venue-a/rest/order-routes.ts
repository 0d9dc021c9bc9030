// Order routes of venue A (venue-a.md §3.1–3.3): POST /order and /orders, and the four cancels. In the mode `instant` every posted order
// counts as matched whole at once, without key, signature or engine. So a load test measures only the gateway. Only the order's id is real,
// because the gateway computes the id too. Thread of the paper exchanges.

import { isObject, stringsOf } from '../../../core/domain/json.ts';
import { formatMicroShares, formatTicks, type MicroDollars, type MicroShares } from '../../../core/domain/numbers.ts';
import type { Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { ZERO_BYTES32 } from '../../../venues/venue-a/abi-words.ts';
import { type ChainId, exchangeOf } from '../../../venues/venue-a/exchanges.ts';
import { orderDigest, orderId } from '../../../venues/venue-a/order-signing.ts';
import { readSignedOrder } from '../../../venues/venue-a/signed-order.ts';
import { yesCost } from '../../engine/engine-types.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { Cancellation, Execution, MakerFill, NewOrder, OrderRecord, TokenIndex, TradeRecord } from '../records.ts';
import {
  INVALID_ORDER_PAYLOAD,
  type OrderAdmission,
  RESTARTING,
  refusedOrder,
  TRADING_DISABLED,
} from './order-admission.ts';
import {
  type Caller,
  dollarsText,
  errorReply,
  INVALID_PAYLOAD,
  isoText,
  l2,
  ok,
  type PrivateCall,
  publicPost,
  replyOf,
  type SignerLimits,
  secondsOf,
  secondsText,
  type VenueAError,
  type VenueARoute,
} from './route.ts';

interface OrderRouteParts {
  readonly exchange: VenueAExchange;
  readonly admission: OrderAdmission;
  readonly signers: SignerLimits;
}

export function orderRoutes({ exchange, admission, signers }: OrderRouteParts): VenueARoute[] {
  const place = (body: unknown, caller: Caller): object | VenueAError => {
    const admitted = admission.admit(body, caller);
    if (!admitted.ok) return admitted.error;
    const execution = exchange.place(admitted.value.order);
    if (execution.ok) return executionView(execution.value);
    return refusedOrder(execution.error, admitted.value, () => holdingOf(exchange, admitted.value.order));
  };
  const unlessRestarting = (act: () => Reply): Reply => (exchange.mode === 'restarting' ? replyOf(RESTARTING) : act());
  const unlessDown = (act: () => Reply): Reply =>
    exchange.mode === 'disabled' ? replyOf(TRADING_DISABLED) : unlessRestarting(act);
  const placed = ({ caller }: PrivateCall, cost: number, act: () => Reply) =>
    signers.replyIfWithinRate('orders', caller.address, cost, () => unlessRestarting(act));
  const cancelled = ({ caller }: PrivateCall, cost: number, cancel: () => Cancellation) =>
    signers.replyIfWithinRate('cancels', caller.address, cost, () => unlessDown(() => cancellationReply(cancel())));
  return [
    l2('post', '/order', call =>
      placed(call, 1, () => {
        const answer = place(call.body, call.caller);
        return isError(answer) ? replyOf(answer) : ok(answer);
      }),
    ),
    l2('post', '/orders', call => {
      const { body, caller } = call;
      if (!Array.isArray(body) || body.length === 0) return errorReply(400, 'Invalid order payload');
      const max = limits.paperVenueAOrdersPerBatchMax;
      if (body.length > max) return errorReply(400, `Too many orders in payload: ${body.length}, max allowed: ${max}`);
      return placed(call, body.length, () => batchReply(body.map(leg => place(leg, caller))));
    }),
    l2('delete', '/order', call => {
      const orderId = isObject(call.body) ? call.body.orderID : undefined;
      if (!isOrderId(orderId)) return errorReply(400, 'Invalid orderID');
      return cancelled(call, 1, () => exchange.cancels.cancel(call.caller.apiKey, [orderId]));
    }),
    l2('delete', '/orders', call => {
      if (!Array.isArray(call.body)) return INVALID_PAYLOAD;
      const max = limits.paperVenueACancelsPerBatchMax;
      if (call.body.length > max) return errorReply(400, `Too many orders in payload, max allowed: ${max}`);
      if (!call.body.every(isOrderId)) return errorReply(400, 'Invalid orderID');
      const orderIds = [...new Set(stringsOf(call.body))];
      return cancelled(call, orderIds.length, () => exchange.cancels.cancel(call.caller.apiKey, orderIds));
    }),
    l2('delete', '/cancel-all', call => {
      const { apiKey } = call.caller;
      let cost = 1;
      for (const _order of exchange.openOrders(apiKey, 0)) cost += 1;
      return cancelled(call, cost, () => exchange.cancels.cancelAll(apiKey, null, null));
    }),
    l2('delete', '/cancel-market-orders', call => {
      const meant = massCancelOf(exchange, call.body);
      return meant === null ? INVALID_PAYLOAD : cancelled(call, 1, () => meant(call.caller.apiKey));
    }),
  ];
}

/**
 * Returns a function that cancels the orders that the body of a mass cancel means. Null means that the body cannot be read: it must not
 * count as a cancel of all orders.
 */
function massCancelOf(exchange: VenueAExchange, body: unknown): ((apiKey: string) => Cancellation) | null {
  const { market = '', asset_id = '' } = isObject(body) ? body : { market: null };
  if (typeof market !== 'string' || typeof asset_id !== 'string') return null;
  const token = asset_id === '' ? null : exchange.tokens.get(asset_id);
  const wanted = market === '' ? (token?.market ?? null) : exchange.markets.get(market);
  // A market that is not listed has no orders to cancel.
  if (token === undefined || wanted === undefined || (token !== null && token.market !== wanted))
    return () => ({ canceled: [], notCanceled: new Map() });
  return apiKey => exchange.cancels.cancelAll(apiKey, wanted, token?.index ?? null);
}

function holdingOf(exchange: VenueAExchange, { isBuy, wallet, market, token }: NewOrder): number {
  return isBuy ? exchange.collateral(wallet) : exchange.shares(wallet, market, token);
}

function isError(answer: object): answer is VenueAError {
  return 'body' in answer;
}

/** Answers a batch. Its orders are independent. A refused order has no order id, but still `success`, as at the venue. */
function batchReply(answers: readonly (object | VenueAError)[]): Reply {
  // If the mode of the venue refuses one order, it refuses all of them.
  const mode = answers.find(answer => isError(answer) && answer.status === 503);
  if (mode !== undefined && answers.every(isError)) return replyOf(mode as VenueAError);
  return ok(answers.map(answer => (isError(answer) ? failedLeg(answer) : answer)));
}

function failedLeg({ body }: VenueAError): object {
  return { errorMsg: body.error, orderID: '', takingAmount: '', makingAmount: '', status: '', success: true };
}

function isOrderId(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}

function cancellationReply({ canceled, notCanceled }: Cancellation): Reply {
  return ok({ canceled, not_canceled: Object.fromEntries(notCanceled) });
}

export function instantOrderRoutes(exchange: Pick<VenueAExchange, 'tokens'>, chainId: ChainId): VenueARoute[] {
  const fill = (body: unknown) => (isObject(body) ? matchedWhole(body.order, exchange, chainId) : null);
  return [
    publicPost('/order', ({ body }) => {
      const answer = fill(body);
      return answer === null ? replyOf(INVALID_ORDER_PAYLOAD) : ok(answer);
    }),
    publicPost('/orders', ({ body }) => {
      const answers = Array.isArray(body) ? body.slice(0, limits.paperVenueAOrdersPerBatchMax).map(fill) : [null];
      return answers.includes(null) ? replyOf(INVALID_ORDER_PAYLOAD) : ok(answers);
    }),
  ];
}

function matchedWhole(json: unknown, { tokens }: Pick<VenueAExchange, 'tokens'>, chainId: ChainId): object | null {
  const signed = readSignedOrder(json);
  if (!signed.ok) return null;
  const { order } = signed.value;
  const market = tokens.get(String(order.tokenId))?.market;
  const exchange = exchangeOf(market?.protocol ?? 'V1', chainId, market?.listing.isNegRisk ?? false);
  const orderID = orderId(orderDigest(order, exchange));
  return {
    errorMsg: '',
    orderID,
    takingAmount: formatMicroShares(Number(order.takerAmount) as MicroShares),
    makingAmount: formatMicroShares(Number(order.makerAmount) as MicroShares),
    status: 'matched',
    success: true,
    transactionsHashes: [orderID],
    tradeIDs: [tradeIdOf(orderID)],
  };
}

/** Returns a UUID that only this order has. */
function tradeIdOf(orderID: string): string {
  return orderID.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Writes the answer to POST /order. Since July 2026 it has no transaction hashes; clients read them from /data/trades. */
function executionView({ order, outcome, filled, paid, trades }: Execution): object {
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

/** Writes a trade. `owner` is the API key of the reader. The fields at the top level are the taker's. */
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

/** Returns the fields of a maker that lists and the stream share. */
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

/** A trade as its taker or one of its makers sees it. */
interface BuilderTrade extends Omit<MakerFill, 'orderId'> {
  readonly trade: TradeRecord;
  readonly isTaker: boolean;
  readonly dollars: MicroDollars;
}

/** Yields the trades with a builder's code. A code of zeros means no builder. */
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
