// Reads an order as venue A shows it, in its list (venue-a.md §3.5) and on the user channel (§6.2). Pure.

import { isAbsent, isObject, type JsonObject, textOf } from '../../../core/domain/json.ts';
import { isTokenId } from '../../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import type { Order } from '../../../core/domain/order.ts';
import { canRest, DUST_SHARES, type Filled, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import { limits } from '../../../limits.ts';
import { unreadRow } from '../../unread-rows.ts';
import type { EndReason, UnreadRow, VenueOrder } from '../../venue.ts';
import type { RowReader } from './pages.ts';
import { nearestTicksOf, sharesOf, timeOf } from './wire-numbers.ts';

export interface ShownOrder extends VenueOrder {
  readonly clientOrderId: null;
  readonly conditionId: string;
  readonly isBuy: boolean;
  /** The limit price. 0 if an order that is over omits it. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** The matched size. Null if not stated. */
  readonly matched: MicroShares | null;
  /**
   * Whether the venue says "matched" with a part of the size, or without a size. The venue also says so of an order that goes on resting
   * (venue-a.md §3.1), so only its list of open orders decides.
   */
  readonly isPartMatched: boolean;
  /** Whether the order was refused because it was post-only and would have traded. */
  readonly isRefused: boolean;
}

const ORDER_ID = /^0x[0-9a-f]{64}$/;
const REFUSED = /^(ORDER_STATUS_)?UNMATCHED_INVALID/i;
const UNMATCHED = /^(ORDER_STATUS_)?UNMATCHED/i;
/** The venue's words for a FAK that was killed without a match. */
const NO_MATCH = /no orders found to match/i;

/** Our record of the order, if the reader knows it. */
type Known = Pick<Order, 'request' | 'sentAt'> | null;

/**
 * Reads an order, or returns null if it is unreadable. `now` decides the state of an order that the venue shows in its book though it
 * cannot rest there.
 */
export function readShownOrder(value: unknown, now: UnixMillis, known: Known = null): ShownOrder | null {
  if (!isObject(value)) return null;
  const { venueOrderId, address } = namesIn(value);
  const said = stateOf(textOf(value.type), textOf(value.status));
  const status = said === 'rests' && isImmediate(value, known) ? unmatched(value, now, known) : said;
  // The venue computes a market order's price as dollars divided by rounded shares, so it may lie between two ticks.
  const price = nearestTicksOf(value.price);
  const size = sharesOf(value.original_size);
  const matched = matchedOf(value, status);
  if (venueOrderId === '' || address === '' || status === null || matched === undefined) return null;
  const isOver = status === 'matched' || status === 'cancelled' || status === 'gone';
  const isLimit = ['GTC', 'GTD'].includes(textOf(value.order_type).toUpperCase());
  const mayRest = status === 'matched' && isLimit;
  if ((price === null && !isOver) || (size === null && (!isOver || mayRest))) return null;
  const isPart = mayRest && matched !== null && matched > 0 && size! - matched >= DUST_SHARES;
  const state = isPart ? 'rests' : isOver ? 'gone' : status;
  return {
    venueOrderId,
    clientOrderId: null,
    address,
    state,
    stated: statedOf({ status, isLimit, price, size, matched }),
    reason: state === 'gone' ? reasonIn(textOf(value.status)) : undefined,
    conditionId: textOf(value.market),
    isBuy: textOf(value.side).toUpperCase() === 'BUY',
    price: price ?? (0 as Ticks),
    size: size ?? (0 as MicroShares),
    matched,
    isPartMatched: isPart || (mayRest && matched === null),
    isRefused: REFUSED.test(textOf(value.status)),
  };
}

/** Returns an unreadable order with the names that are readable. */
export function unreadOrder(value: unknown): UnreadRow {
  const { venueOrderId, address } = namesIn(isObject(value) ? value : {});
  const orders = venueOrderId === '' ? [] : [{ venueOrderId, clientOrderId: null }];
  return unreadRow('order', venueOrderId, value, { orders, addresses: address === '' ? [] : [address] });
}

function namesIn(value: JsonObject): { readonly venueOrderId: string; readonly address: string } {
  const id = textOf(value.id).toLowerCase();
  const token = textOf(value.asset_id);
  return { venueOrderId: ORDER_ID.test(id) ? id : '', address: isTokenId(token) ? token : '' };
}

/**
 * Returns the matched size. Returns null if it is not stated, and undefined if it is not a number. A refused or killed order has no fills,
 * and omits the field (§6.2).
 */
function matchedOf(value: JsonObject, status: ShownStatus | null): MicroShares | null | undefined {
  const { size_matched: matched, order_type: type, status: statusText } = value;
  if (!isAbsent(matched)) return sharesOf(matched) ?? undefined;
  const isFok = textOf(type).toUpperCase() === 'FOK' || /FOK/.test(textOf(statusText));
  const isOver = status === 'cancelled' || status === 'gone';
  const isKilled =
    (status === 'cancelled' && (isFok || NO_MATCH.test(textOf(statusText)))) ||
    (isOver && UNMATCHED.test(textOf(statusText)));
  return isKilled ? (0 as MicroShares) : null;
}

/** Whether the order is FAK or FOK: the venue matches such an order at once, or after its taker delay, and ends it. */
function isImmediate({ order_type: type }: JsonObject, known: Known): boolean {
  return ['FAK', 'FOK'].includes(textOf(type).toUpperCase()) || (known !== null && !canRest(known.request));
}

/**
 * Returns the state of a FAK or FOK order that the venue shows in its book. The row is final once it is older than the longest taker delay
 * and than a lag of the read. Until then the venue may still match the order.
 */
function unmatched({ created_at: createdAt }: JsonObject, now: UnixMillis, known: Known): 'delayed' | 'gone' {
  const madeAt = timeOf(createdAt) || known?.sentAt || now;
  return now - madeAt > limits.venueAImmediateMs ? 'gone' : 'delayed';
}

/** Returns the reader for rows of the list of orders. */
export function orderRows(now: UnixMillis, known: Known = null): RowReader<ShownOrder> {
  return { read: row => readShownOrder(row, now, known), idOf: ({ venueOrderId }) => venueOrderId };
}

/** Returns the money that the venue holds back for the order: the rest of a buy, rounded up. */
export function committedBy({ state, isBuy, price, size, matched }: ShownOrder): MicroDollars {
  const left = size - (matched ?? 0);
  if (!isBuy || state === 'gone' || left <= 0) return 0 as MicroDollars;
  const cost = BigInt(left) * BigInt(price);
  return Number((cost + COST_PER_MICRO_DOLLAR - 1n) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}

/** The words with which a status may begin, and the reasons that they mean (venue-a.md §3.5, §6.2). */
const END_REASONS: readonly (readonly [status: string, reason: EndReason])[] = [
  ['CANCELED_MARKET_RESOLVED', 'MARKET_CLOSED'],
  ['EXPIRED', 'EXPIRED'],
  ['INVALID', 'VENUE'],
];

/** Returns the reason of an order's end. Undefined if it is not stated, as for a cancel by us. */
function reasonIn(text: string): EndReason | undefined {
  const status = text.toUpperCase().replace(/^ORDER_STATUS_/, '');
  return END_REASONS.find(([start]) => status.startsWith(start))?.[1];
}

type ShownStatus = ShownOrder['state'] | 'matched' | 'cancelled';

/**
 * Returns the status by the beginning of the text: a reason may follow, and a prefix may precede it (venue-a.md §3.5, §6.2). `cancelled` is
 * the status of an order whose latest event is a cancellation.
 */
function stateOf(type: string, text: string): ShownStatus | null {
  if (type.toUpperCase() === 'CANCELLATION') return 'cancelled';
  const status = text.toUpperCase().replace(/^ORDER_STATUS_/, '');
  // An unmatched order rests, unless it is a post-only order that would have matched at once.
  if (status.startsWith('UNMATCHED_INVALID')) return 'gone';
  if (status.startsWith('LIVE') || status.startsWith('UNMATCHED')) return 'rests';
  if (status.startsWith('DELAYED')) return 'delayed';
  if (status.startsWith('MATCHED')) return 'matched';
  if (['CANCELED', 'CANCELLED', 'INVALID', 'EXPIRED'].some(it => status.startsWith(it))) return 'gone';
  countUnknown('venue_a', 'order_status', status);
  return null;
}

/**
 * Returns the filled sum at the order's limit, which is the price of a maker's trades, and the worst price of a taker's. For a market
 * order, the limit says nothing about the price that was paid.
 */
function statedOf({
  status,
  isLimit,
  price,
  size,
  matched,
}: {
  readonly status: ShownStatus;
  readonly isLimit: boolean;
  readonly price: Ticks | null;
  readonly size: MicroShares | null;
  readonly matched: MicroShares | null;
}): Filled | null {
  if (matched === null) return null;
  // The status contradicts the size if a matched order has no fills, or a cancelled order is completely filled.
  const isContradictory =
    status === 'matched' ? matched === 0 : status === 'cancelled' && matched > 0 && size !== null && matched >= size;
  if (isContradictory) return null;
  if (matched === 0) return NOTHING_FILLED;
  if (!isLimit || price === null || price <= 0 || price >= TICKS_PER_DOLLAR) return null;
  return { size: matched, cost: BigInt(price) * BigInt(matched), fees: NOTHING_FILLED.fees };
}
