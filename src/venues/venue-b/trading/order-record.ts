// An order as venue B lists it, by REST or on the stream (venue-b.md §5.6, §10.4): the same field names in both. `side` and
// `action` are older words for `book_side`. Pure.

import { isUnsaid, type JsonObject, textOf } from '../../../domain/json.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, type Ticks } from '../../../domain/numbers.ts';
import type { VenueBOrderRequest } from '../../../domain/order-request.ts';
import { type Filled, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import { unreadRow } from '../../listed.ts';
import type { UnreadRow, VenueOrder } from '../../venue.ts';
import { venueAddressOf, venueIdOf } from '../../venue-names.ts';
import { moneyOf, priceOf, sizeOf } from './amounts.ts';
import type { BookSide } from './order-body.ts';
import { recordedCost } from './stated.ts';

export interface OrderRecord extends VenueOrder {
  readonly state: 'rests' | 'gone';
  /** In terms of YES; the owner of the order converts it. Null if the sums are missing or impossible for the order. */
  readonly stated: Filled | null;
  readonly side: BookSide;
  /** Price of YES. */
  readonly limit: Ticks;
  readonly filled: MicroShares;
  readonly remaining: MicroShares;
  readonly initial: MicroShares;
}

/** Null: unreadable, or the venue does not know the order's state. */
export function orderRecordOf(order: JsonObject): OrderRecord | null {
  const venueOrderId = venueIdOf(order.order_id);
  const address = venueAddressOf(order.ticker);
  const [filled, remaining] = [sizeOf(order.fill_count_fp), sizeOf(order.remaining_count_fp)];
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
    side,
    limit,
    filled,
    remaining,
    initial,
  };
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

/** As a `VenueOrder`, with its request in terms of YES. The venue does not state its time in force; GTC stands for it. */
export function venueOrderOf(record: OrderRecord): VenueOrder {
  const { venueOrderId, clientOrderId, address, state, stated, side, limit, initial } = record;
  const request: VenueBOrderRequest = {
    venue: 'venue_b',
    ticker: address,
    side: 'YES',
    action: side === 'bid' ? 'BUY' : 'SELL',
    size: initial,
    price: limit,
    timeInForce: 'GTC',
  };
  return { venueOrderId, clientOrderId, address, state, stated, request };
}

function stateOf(status: unknown): 'rests' | 'gone' | null {
  switch (status) {
    case 'resting':
      return 'rests';
    case 'canceled':
    case 'executed':
      return 'gone';
    default:
      return null;
  }
}

/** Newer words first (venue-b.md §3.1). To sell NO is to bid for YES, so each pair of older words also gives a side. */
export function bookSideOf(record: JsonObject): BookSide | null {
  const { book_side, outcome_side, purchased_side, side, action } = record;
  if (book_side === 'bid' || book_side === 'ask') return book_side;
  const bought = isUnsaid(outcome_side) ? purchased_side : outcome_side;
  if (bought === 'yes') return 'bid';
  if (bought === 'no') return 'ask';
  if ((side !== 'yes' && side !== 'no') || (action !== 'buy' && action !== 'sell')) return null;
  return (side === 'yes') === (action === 'buy') ? 'bid' : 'ask';
}

/** What it filled as taker and as maker, together. */
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
