// An order and a fill as venue B reports them, by REST or on the stream (venue-b.md §5.6, §6, §10.4). Both use the same field names. `side`
// and `action` are older words for `book_side`. Both give a fill the same id, made of the trade and the order. An account that trades with
// itself has two fills of one trade. Pure.

import { countOf, isUnsaid, type JsonObject, textOf } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import { priceInFrame } from '../../../core/domain/order-frame.ts';
import type { OrderRequest, VenueBOrderRequest } from '../../../core/domain/order-request.ts';
import { type Filled, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { unknownWord } from '../../../core/metrics/unknown-words.ts';
import { unreadRow } from '../../unread-rows.ts';
import type { EndReason, UnreadRow, VenueFill, VenueOrder } from '../../venue.ts';
import { venueAddressOf, venueIdOf } from '../../wire-values.ts';
import { moneyOf, priceOf, sizeOf, timeOf } from './amounts.ts';
import type { BookSide } from './order-body.ts';

export interface OrderRecord extends VenueOrder {
  readonly state: 'rests' | 'gone';
  /** The sum in terms of YES; the owner of the order converts it. Null if the sums are missing or impossible for the order. */
  readonly stated: Filled | null;
  readonly side: BookSide;
  /** The price of YES. */
  readonly limit: Ticks;
  readonly filled: MicroShares;
  readonly remaining: MicroShares;
  readonly initial: MicroShares;
  readonly expiresAt: UnixMillis | null;
  /** The shard of the order's market; null if not stated. */
  readonly shard: number | null;
  /** The order ended in the moment in which it was made, as the record of a refusal does (venue-b.md §5.1). */
  readonly isAtOnce: boolean;
}

/** Null if the row is unreadable, or the venue does not know the order's state. */
export function orderRecordOf(order: JsonObject): OrderRecord | null {
  const venueOrderId = venueIdOf(order.order_id);
  const address = venueAddressOf(order.ticker);
  const filled = sizeOf(order.fill_count_fp);
  const remaining = sizeOf(order.remaining_count_fp);
  const side = bookSideOf(order);
  const limit = priceOf(order.yes_price_dollars);
  const state = stateOf(order.status);
  if (venueOrderId === '' || address === '' || state === null) return null;
  if (filled === null || remaining === null || side === null || limit === null) return null;
  const initial = sizeOf(order.initial_count_fp) ?? ((filled + remaining) as MicroShares);
  if (!Number.isSafeInteger(initial)) return null;
  const clientOrderId = textOf(order.client_order_id);
  return {
    venueOrderId,
    clientOrderId: clientOrderId === '' ? null : clientOrderId,
    address,
    state,
    stated: statedOf(order, { side, limit, size: filled }),
    reason: reasonIn(order),
    side,
    limit,
    filled,
    remaining,
    initial,
    expiresAt: timeOf(order.expiration_ts_ms, order.expiration_time),
    shard: countOf(order.exchange_index),
    isAtOnce: isMadeAndEnded(order),
  };
}

/** Compares the texts of the times, which count microseconds. */
function isMadeAndEnded({ status, created_time: madeAt, last_update_time: endedAt }: JsonObject): boolean {
  return status === 'canceled' && textOf(madeAt) !== '' && madeAt === endedAt;
}

/** The readable names in an unreadable order. */
export function unreadOrderOf(order: JsonObject): UnreadRow {
  const named = namesIn(order);
  const [id] = named.orders;
  return unreadRow('order', id?.venueOrderId || (id?.clientOrderId ?? ''), order, named);
}

/** The readable names in an order or a fill: its order and its market. */
export function namesIn(record: JsonObject): Pick<UnreadRow, 'orders' | 'addresses'> {
  const venueOrderId = venueIdOf(record.order_id);
  const clientOrderId = venueIdOf(record.client_order_id) || null;
  const address = venueAddressOf(record.market_ticker) || venueAddressOf(record.ticker);
  return {
    orders: venueOrderId === '' && clientOrderId === null ? [] : [{ venueOrderId, clientOrderId }],
    addresses: address === '' ? [] : [address],
  };
}

/**
 * The record as a `VenueOrder`, with its request in terms of YES. The venue states an expiry as the only time in force; GTC stands for
 * others.
 */
export function venueOrderOf(record: OrderRecord): VenueOrder {
  const { venueOrderId, clientOrderId, address, state, stated, reason, side, limit, initial, expiresAt } = record;
  const until = { expiresAt, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' } as const;
  const request: VenueBOrderRequest = {
    venue: 'venue_b',
    ticker: address,
    side: 'YES',
    action: side === 'bid' ? 'BUY' : 'SELL',
    size: initial,
    price: limit,
    ...(expiresAt === null ? { timeInForce: 'GTC' } : { timeInForce: 'GTD', terms: until }),
  };
  return { venueOrderId, clientOrderId, address, state, stated, reason, request };
}

/** Reasons by `last_update_reason` (venue-b.md §10.4). */
const END_REASONS: ReadonlyMap<string, EndReason> = new Map([
  ['ExpiryCancel', 'EXPIRED'],
  ['CloseCancel', 'MARKET_CLOSED'],
  ['SelfTradeCancel', 'SELF_TRADE'],
  ['HaltCancel', 'VENUE'],
  ['MarginCancel', 'VENUE'],
  ['PostOnlyCrossCancel', 'VENUE'],
  ['ReduceOnlyCancel', 'VENUE'],
]);
/** Reasons of an update that ends no order. */
const CHANGE_REASONS: readonly string[] = ['Decrease', 'Amend', 'Trade'];

/** Only the stream states a reason. Absent if not stated, as for a cancel by us or with the order's group. */
export function statedReasonIn(order: JsonObject): EndReason | undefined {
  const reason = textOf(order.last_update_reason);
  const stated = END_REASONS.get(reason);
  if (stated === undefined && !CHANGE_REASONS.includes(reason)) unknownWord('venue_b', 'last_update_reason', reason);
  return order.status === 'canceled' ? stated : undefined;
}

/** The stated reason, or the one that the order's times show, if it outlived its own. Absent if there is neither. */
function reasonIn(order: JsonObject): EndReason | undefined {
  const stated = statedReasonIn(order);
  if (stated !== undefined || order.status !== 'canceled') return stated;
  const expiresAt = timeOf(order.expiration_ts_ms, order.expiration_time);
  const endedAt = timeOf(order.last_updated_ts_ms, order.last_update_time);
  if (expiresAt === null || endedAt === null) return undefined;
  return endedAt >= expiresAt ? 'EXPIRED' : 'VENUE';
}

function stateOf(status: unknown): 'rests' | 'gone' | null {
  switch (status) {
    case 'resting':
      return 'rests';
    case 'canceled':
    case 'executed':
      return 'gone';
    case 'unknown':
      return null;
    default:
      unknownWord('venue_b', 'order_status', status);
      return null;
  }
}

/** The newer words come first (venue-b.md §3.1). A sale of NO is a bid for YES, so each pair of older words also gives a side. */
function bookSideOf(record: JsonObject): BookSide | null {
  const { book_side, outcome_side, purchased_side, side, action } = record;
  if (book_side === 'bid' || book_side === 'ask') return book_side;
  const bought = isUnsaid(outcome_side) ? purchased_side : outcome_side;
  if (bought === 'yes') return 'bid';
  if (bought === 'no') return 'ask';
  if ((side !== 'yes' && side !== 'no') || (action !== 'buy' && action !== 'sell')) {
    unknownWord('venue_b', 'order_side', book_side ?? bought ?? side ?? action);
    return null;
  }
  return (side === 'yes') === (action === 'buy') ? 'bid' : 'ask';
}

/** The fills as taker and as maker, together. */
function statedOf(
  order: JsonObject,
  { side, limit, size }: { readonly side: BookSide; readonly limit: Ticks; readonly size: MicroShares },
): Filled | null {
  if (size === 0) return NOTHING_FILLED;
  const paid = sum(order.taker_fill_cost_dollars, order.maker_fill_cost_dollars);
  const fees = sum(order.taker_fees_dollars, order.maker_fees_dollars);
  if (paid === null || paid === 0 || fees === null) return null;
  const cost = recordedCost({ side, limit, size, cost: BigInt(paid) * COST_PER_MICRO_DOLLAR });
  return cost === null ? null : { size, cost, fees };
}

/** Null if neither is stated. */
function sum(taken: unknown, given: unknown): MicroDollars | null {
  const amounts = [taken, given].filter(amount => !isUnsaid(amount)).map(moneyOf);
  if (amounts.length === 0 || amounts.includes(null)) return null;
  const total = amounts.reduce((sum: number, amount) => sum + amount!, 0);
  return Number.isSafeInteger(total) ? (total as MicroDollars) : null;
}

/** The fill with its price in terms of YES; the owner of the order converts it. Null if unreadable. */
export function fillRecordOf(fill: JsonObject): VenueFill | null {
  const venueTradeId = venueIdOf(fill.trade_id) || venueIdOf(fill.fill_id);
  const venueOrderId = venueIdOf(fill.order_id);
  const address = venueAddressOf(fill.market_ticker) || venueAddressOf(fill.ticker);
  const side = bookSideOf(fill);
  const [price, size] = [priceOf(fill.yes_price_dollars), sizeOf(fill.count_fp)];
  const fee = isUnsaid(fill.fee_cost) ? (0 as MicroDollars) : moneyOf(fill.fee_cost);
  const executedAt = timeIn(fill);
  if (venueTradeId === '' || venueOrderId === '' || address === '' || side === null) return null;
  if (price === null || size === null || size === 0 || fee === null || executedAt === null) return null;
  const clientOrderId = textOf(fill.client_order_id);
  return {
    fillId: `${venueTradeId}.${venueOrderId}`,
    venueTradeId,
    venueOrderId,
    clientOrderId: clientOrderId === '' ? null : clientOrderId,
    address,
    price,
    addressPrice: price,
    size,
    positionChange: (side === 'bid' ? size : -size) as MicroShares,
    fee,
    liquidity: typeof fill.is_taker === 'boolean' ? (fill.is_taker ? 'TAKER' : 'MAKER') : null,
    settlement: 'CONFIRMED',
    executedAt,
  };
}

/** The readable names in an unreadable fill. */
export function unreadFillOf(fill: JsonObject): UnreadRow {
  const tradeId = venueIdOf(fill.trade_id) || venueIdOf(fill.fill_id);
  const named = namesIn(fill);
  const orderId = named.orders[0]?.venueOrderId ?? '';
  return unreadRow('fill', tradeId && `${tradeId}.${orderId}`, fill, { ...named, tradeId, at: timeIn(fill) });
}

function timeIn(fill: JsonObject): UnixMillis | null {
  return timeOf(fill.ts_ms, fill.created_time) ?? timeOf(undefined, fill.ts);
}

/** The fill in the frame of its order. */
export function fillInFrame(request: OrderRequest, fill: VenueFill): VenueFill {
  return { ...fill, price: priceInFrame(request, fill.addressPrice) };
}

/**
 * A cost by the venue's statement. The sums of an order record are costs of the order's own side: YES for a bid, NO for an ask, as real
 * orders show. No source says which side the average price in the answer to a new ask means. An order never fills at a price worse than its
 * limit: that excludes a reading, and often leaves one.
 */
interface StatedCost {
  readonly side: BookSide;
  /** The price of YES. */
  readonly limit: Ticks;
  readonly size: MicroShares;
  /** The cost in ticks × micro-shares. */
  readonly cost: bigint;
}

/**
 * The cost from an order record (venue-b.md §5.6), in terms of YES, in ticks × micro-shares. Null if no ask at this limit can have that
 * cost.
 */
export function recordedCost(order: StatedCost): bigint | null {
  if (order.side === 'bid') return order.cost;
  const yes = whole(order) - order.cost;
  return isSaleOf(order, yes) ? yes : null;
}

/**
 * The cost from the average price in the answer to a new order, in terms of YES, in ticks × micro-shares. Null if both sides are possible.
 */
export function answeredCost(order: StatedCost): bigint | null {
  const { cost } = order;
  if (order.side === 'bid') return cost;
  const readings = [cost, whole(order) - cost].filter(yes => isSaleOf(order, yes));
  return readings.length > 0 && readings.every(yes => yes === readings[0]) ? readings[0]! : null;
}

function whole({ size }: StatedCost): bigint {
  return BigInt(TICKS_PER_DOLLAR) * BigInt(size);
}

/** Whether a sale of YES can have this cost. */
function isSaleOf(order: StatedCost, yes: bigint): boolean {
  return yes >= BigInt(order.limit) * BigInt(order.size) && yes <= whole(order);
}
