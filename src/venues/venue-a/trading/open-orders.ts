// An order as venue A shows it, in its list (venue-a.md §3.5) and on the user channel (§6.2). Pure.

import { isObject, isUnsaid, type JsonObject, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import {
  COST_PER_MICRO_DOLLAR,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../../domain/numbers.ts';
import { DUST_SHARES, type Filled, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import { unreadRow } from '../../listed.ts';
import type { UnreadRow, VenueOrder } from '../../venue.ts';
import type { RowReader } from './pages.ts';
import { nearestTicksOf, sharesOf } from './wire-numbers.ts';

export interface ShownOrder extends VenueOrder {
  readonly clientOrderId: null;
  readonly conditionId: string;
  readonly isBuy: boolean;
  /** Of what is over it may be missing: 0. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** Null: it does not say. */
  readonly matched: MicroShares | null;
  /** "Matched", and not all of it, or it does not say how much: the venue says so of what goes on resting, too (venue-a.md §3.1). Only its list of what rests tells. */
  readonly isPartMatched: boolean;
}

const ORDER_ID = /^0x[0-9a-f]{64}$/;
const REFUSED = /^(ORDER_STATUS_)?UNMATCHED_INVALID/i;

/** Null if it cannot be read. */
export function readShownOrder(value: unknown): ShownOrder | null {
  if (!isObject(value)) return null;
  const { venueOrderId, address } = namesIn(value);
  const told = stateOf(textOf(value.type), textOf(value.status));
  // Of a market order it is dollars divided by shares that were rounded.
  const price = nearestTicksOf(value.price);
  const [size, matched] = [sharesOf(value.original_size), matchedOf(value, told)];
  if (venueOrderId === '' || address === '' || told === null || matched === undefined) return null;
  const isOver = told === 'matched' || told === 'cancelled' || told === 'gone';
  const isLimit = ['GTC', 'GTD'].includes(textOf(value.order_type).toUpperCase());
  const mayRest = told === 'matched' && isLimit;
  if ((price === null && !isOver) || (size === null && (!isOver || mayRest))) return null;
  const isPart = mayRest && matched !== null && matched > 0 && size! - matched >= DUST_SHARES;
  const state = isPart ? 'rests' : isOver ? 'gone' : told;
  return {
    venueOrderId,
    clientOrderId: null,
    address,
    state,
    stated: statedOf({ told, isLimit, price, size, matched }),
    conditionId: textOf(value.market),
    isBuy: textOf(value.side).toUpperCase() === 'BUY',
    price: price ?? (0 as Ticks),
    size: size ?? (0 as MicroShares),
    matched,
    isPartMatched: isPart || (mayRest && matched === null),
  };
}

/** What an order names that cannot be read. */
export function unreadOrder(value: unknown): UnreadRow {
  const { venueOrderId, address } = namesIn(isObject(value) ? value : {});
  const orders = venueOrderId === '' ? [] : [{ venueOrderId, clientOrderId: null }];
  return unreadRow('order', venueOrderId, value, { orders, addresses: address === '' ? [] : [address] });
}

function namesIn(value: JsonObject): { readonly venueOrderId: string; readonly address: string } {
  const [id, token] = [textOf(value.id).toLowerCase(), textOf(value.asset_id)];
  return { venueOrderId: ORDER_ID.test(id) ? id : '', address: isTokenId(token) ? token : '' };
}

/** Null: it does not say; undefined: what it says is no number. What was refused or killed has traded nothing, and says nothing (§6.2). */
function matchedOf(value: JsonObject, told: Told | null): MicroShares | null | undefined {
  const { size_matched: matched, order_type: type, status } = value;
  if (!isUnsaid(matched)) return sharesOf(matched) ?? undefined;
  const isFok = textOf(type).toUpperCase() === 'FOK' || /FOK/.test(textOf(status));
  const isKilled = (told === 'cancelled' && isFok) || REFUSED.test(textOf(status));
  return isKilled ? (0 as MicroShares) : null;
}

/** Rows of the list of orders. */
export const ORDER_ROWS: RowReader<ShownOrder> = { read: readShownOrder, idOf: ({ venueOrderId }) => venueOrderId };

/** What the venue holds back for it: what is left of a buy, rounded up. */
export function committedBy({ state, isBuy, price, size, matched }: ShownOrder): MicroDollars {
  const left = size - (matched ?? 0);
  if (!isBuy || state === 'gone' || left <= 0) return 0 as MicroDollars;
  const cost = BigInt(left) * BigInt(price);
  return Number((cost + COST_PER_MICRO_DOLLAR - 1n) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}

type Told = ShownOrder['state'] | 'matched' | 'cancelled';

/** By its beginning: a reason may follow, and a prefix go before (venue-a.md §3.5, §6.2). `cancelled`: by what has just happened. */
function stateOf(type: string, text: string): Told | null {
  if (type.toUpperCase() === 'CANCELLATION') return 'cancelled';
  const status = text.toUpperCase().replace(/^ORDER_STATUS_/, '');
  // What was not matched rests, but for what must not be matched at once and would have been.
  if (status.startsWith('UNMATCHED_INVALID')) return 'gone';
  if (status.startsWith('LIVE') || status.startsWith('UNMATCHED')) return 'rests';
  if (status.startsWith('DELAYED')) return 'delayed';
  if (status.startsWith('MATCHED')) return 'matched';
  return ['CANCELED', 'CANCELLED', 'INVALID', 'EXPIRED'].some(it => status.startsWith(it)) ? 'gone' : null;
}

/**
 * How much has been traded, at the order's limit: what a maker's trades are at, and the worst that a taker's can be. The order of a
 * market order has no such limit that would say anything of what was paid.
 */
function statedOf({
  told,
  isLimit,
  price,
  size,
  matched,
}: {
  readonly told: Told;
  readonly isLimit: boolean;
  readonly price: Ticks | null;
  readonly size: MicroShares | null;
  readonly matched: MicroShares | null;
}): Filled | null {
  if (matched === null) return null;
  // What is matched has traded, and what was cancelled has not traded whole.
  const isContradictory =
    told === 'matched' ? matched === 0 : told === 'cancelled' && matched > 0 && size !== null && matched >= size;
  if (isContradictory) return null;
  if (matched === 0) return NOTHING_FILLED;
  if (!isLimit || price === null || price <= 0 || price >= TICKS_PER_DOLLAR) return null;
  return { size: matched, cost: BigInt(price) * BigInt(matched), fees: NOTHING_FILLED.fees };
}
