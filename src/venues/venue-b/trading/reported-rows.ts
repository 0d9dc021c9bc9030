// Orders and fills as venue B reports them, by REST or on the stream (venue-b.md §5.6, §6, §10.4). REST and stream use the same field
// names; `side` and `action` are older words for `book_side`. A fill has the same id in both, made of the trade and the order. An account
// that trades with itself has two fills of one trade. Pure.

import { countOf, isAbsent, type JsonObject, textOf } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import { priceInFrame } from '../../../core/domain/order-frame.ts';
import type { OrderRequest, VenueBOrderRequest } from '../../../core/domain/order-request.ts';
import { type Filled, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import { unreadRow } from '../../unread-rows.ts';
import type { EndReason, UnreadRow, VenueFill, VenueOrder } from '../../venue.ts';
import { venueAddressOf, venueIdOf } from '../../wire-values.ts';
import { moneyOf, priceOf, sizeOf, timeOf } from './amounts.ts';
import type { BookSide } from './order-body.ts';

export interface OrderRecord extends VenueOrder {
  readonly state: 'rests' | 'gone';
  /**
   * The filled sum in terms of YES, which is converted to the frame of the order later. Null if the sums are missing or impossible for the
   * order.
   */
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
  /** Whether the order ended at the moment at which it was made, as the record of a refused order does (venue-b.md §5.1). */
  readonly isAtOnce: boolean;
}

/** Reads an order. Returns null if the row is unreadable, or if the venue does not know the order's state. */
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

/** Whether the order ended when it was made. Compares the times as text, because the text has microseconds. */
function isMadeAndEnded({ status, created_time: madeAt, last_update_time: endedAt }: JsonObject): boolean {
  return status === 'canceled' && textOf(madeAt) !== '' && madeAt === endedAt;
}

/** Returns an unreadable order with the names that are readable. */
export function unreadOrderOf(order: JsonObject): UnreadRow {
  const named = namesIn(order);
  const [id] = named.orders;
  return unreadRow('order', id?.venueOrderId || (id?.clientOrderId ?? ''), order, named);
}

/** Returns the names that are readable in an order or a fill: those of its order and its market. */
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
 * Returns the record as a `VenueOrder`, with its request in terms of YES. An expiry is the only time in force that the venue states; GTC
 * stands for all others.
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

/** The reasons of an order's end by `last_update_reason` (venue-b.md §10.4). */
const END_REASONS: ReadonlyMap<string, EndReason> = new Map([
  ['ExpiryCancel', 'EXPIRED'],
  ['CloseCancel', 'MARKET_CLOSED'],
  ['SelfTradeCancel', 'SELF_TRADE'],
  ['HaltCancel', 'VENUE'],
  ['MarginCancel', 'VENUE'],
  ['PostOnlyCrossCancel', 'VENUE'],
  ['ReduceOnlyCancel', 'VENUE'],
]);
/** The reasons of updates that do not end an order. */
const CHANGE_REASONS: readonly string[] = ['Decrease', 'Amend', 'Trade'];

/**
 * Returns the stated reason of an order's end, which only the stream states. Undefined if it is not stated, as for a cancel by us or with
 * the order's group.
 */
export function statedReasonIn(order: JsonObject): EndReason | undefined {
  const reason = textOf(order.last_update_reason);
  const stated = END_REASONS.get(reason);
  if (stated === undefined && !CHANGE_REASONS.includes(reason)) countUnknown('venue_b', 'last_update_reason', reason);
  return order.status === 'canceled' ? stated : undefined;
}

/**
 * Returns the stated reason of an order's end. Without one, the order's times show whether it outlived its expiry. Undefined if neither is
 * known.
 */
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
      countUnknown('venue_b', 'order_status', status);
      return null;
  }
}

/**
 * Returns the side, from the newer words first (venue-b.md §3.1). A sale of NO is a bid for YES, so each pair of the older words gives a
 * side, too.
 */
function bookSideOf(record: JsonObject): BookSide | null {
  const { book_side, outcome_side, purchased_side, side, action } = record;
  if (book_side === 'bid' || book_side === 'ask') return book_side;
  const bought = isAbsent(outcome_side) ? purchased_side : outcome_side;
  if (bought === 'yes') return 'bid';
  if (bought === 'no') return 'ask';
  if ((side !== 'yes' && side !== 'no') || (action !== 'buy' && action !== 'sell')) {
    countUnknown('venue_b', 'order_side', book_side ?? bought ?? side ?? action);
    return null;
  }
  return (side === 'yes') === (action === 'buy') ? 'bid' : 'ask';
}

/** Returns the sum of the order's fills as taker and as maker. */
function statedOf(
  order: JsonObject,
  { side, limit, size }: { readonly side: BookSide; readonly limit: Ticks; readonly size: MicroShares },
): Filled | null {
  if (size === 0) return NOTHING_FILLED;
  const paid = sumOf(order.taker_fill_cost_dollars, order.maker_fill_cost_dollars);
  const fees = sumOf(order.taker_fees_dollars, order.maker_fees_dollars);
  if (paid === null || paid === 0 || fees === null) return null;
  const cost = recordedCost({ side, limit, size, cost: BigInt(paid) * COST_PER_MICRO_DOLLAR });
  return cost === null ? null : { size, cost, fees };
}

/** Adds the amounts as taker and as maker. Returns null if neither is stated, or if one is unreadable. */
function sumOf(taken: unknown, given: unknown): MicroDollars | null {
  const amounts = [taken, given].filter(amount => !isAbsent(amount)).map(moneyOf);
  if (amounts.length === 0 || amounts.includes(null)) return null;
  const total = amounts.reduce((sum: number, amount) => sum + amount!, 0);
  return Number.isSafeInteger(total) ? (total as MicroDollars) : null;
}

/**
 * Returns a fill with its price in terms of YES, which is converted to the frame of the order later. Returns null if the fill is
 * unreadable.
 */
export function fillRecordOf(fill: JsonObject): VenueFill | null {
  const venueTradeId = venueIdOf(fill.trade_id) || venueIdOf(fill.fill_id);
  const venueOrderId = venueIdOf(fill.order_id);
  const address = venueAddressOf(fill.market_ticker) || venueAddressOf(fill.ticker);
  const side = bookSideOf(fill);
  const [price, size] = [priceOf(fill.yes_price_dollars), sizeOf(fill.count_fp)];
  const fee = isAbsent(fill.fee_cost) ? (0 as MicroDollars) : moneyOf(fill.fee_cost);
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

/** Returns an unreadable fill with the names that are readable. */
export function unreadFillOf(fill: JsonObject): UnreadRow {
  const tradeId = venueIdOf(fill.trade_id) || venueIdOf(fill.fill_id);
  const named = namesIn(fill);
  const orderId = named.orders[0]?.venueOrderId ?? '';
  return unreadRow('fill', tradeId && `${tradeId}.${orderId}`, fill, { ...named, tradeId, at: timeIn(fill) });
}

function timeIn(fill: JsonObject): UnixMillis | null {
  return timeOf(fill.ts_ms, fill.created_time) ?? timeOf(undefined, fill.ts);
}

/** Returns the fill with its price in the frame of its order. */
export function fillInFrame(request: OrderRequest, fill: VenueFill): VenueFill {
  return { ...fill, price: priceInFrame(request, fill.addressPrice) };
}

/**
 * A cost that the venue states. The sums of an order record are costs of the order's own side, as real orders show: YES for a bid, NO for
 * an ask. No source says of which side the average price in the answer to a new ask is. An order never fills at a price worse than its
 * limit, which excludes one of the two sides in most cases.
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
 * Returns the cost from an order record (venue-b.md §5.6), in terms of YES, in ticks × micro-shares. Returns null if no ask at this limit
 * can have that cost.
 */
export function recordedCost(order: StatedCost): bigint | null {
  if (order.side === 'bid') return order.cost;
  const yes = fullCost(order) - order.cost;
  return isSaleOf(order, yes) ? yes : null;
}

/**
 * Returns the cost from the average price in the answer to a new order, in terms of YES, in ticks × micro-shares. Returns null unless
 * exactly one reading is possible.
 */
export function answeredCost(order: StatedCost): bigint | null {
  const { cost } = order;
  if (order.side === 'bid') return cost;
  const readings = [cost, fullCost(order) - cost].filter(yes => isSaleOf(order, yes));
  return readings.length > 0 && readings.every(yes => yes === readings[0]) ? readings[0]! : null;
}

function fullCost({ size }: StatedCost): bigint {
  return BigInt(TICKS_PER_DOLLAR) * BigInt(size);
}

/** Whether a sale of YES can have this cost. */
function isSaleOf(order: StatedCost, yes: bigint): boolean {
  return yes >= BigInt(order.limit) * BigInt(order.size) && yes <= fullCost(order);
}
