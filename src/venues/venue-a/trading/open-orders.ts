// An order as venue A shows it, in its list (venue-a.md §3.5) and on the user channel (§6.2). Pure.

import { isObject, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import {
  COST_PER_MICRO_DOLLAR,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../../domain/numbers.ts';
import { DUST_SHARES, type Filled, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import type { VenueOrder } from '../../venue.ts';
import type { RowReader } from './pages.ts';
import { nearestTicksOf, sharesOf } from './wire-numbers.ts';

export interface ShownOrder extends VenueOrder {
  readonly clientOrderId: null;
  readonly conditionId: string;
  readonly isBuy: boolean;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly matched: MicroShares;
  /** "Matched", and not all of it: the venue says so of what goes on resting, too (venue-a.md §3.1). Only its list of what rests tells. */
  readonly isPartMatched: boolean;
}

const ORDER_ID = /^0x[0-9a-f]{64}$/;

/** Null if it cannot be read. */
export function readShownOrder(value: unknown): ShownOrder | null {
  if (!isObject(value)) return null;
  const venueOrderId = textOf(value.id).toLowerCase();
  const address = textOf(value.asset_id);
  const told = stateOf(textOf(value.type), textOf(value.status));
  // Of a market order it is dollars divided by shares that were rounded.
  const price = nearestTicksOf(value.price);
  const [size, matched] = [sharesOf(value.original_size), sharesOf(value.size_matched)];
  if (!ORDER_ID.test(venueOrderId) || !isTokenId(address) || told === null) return null;
  if (price === null || size === null || matched === null) return null;
  const isLimit = ['GTC', 'GTD'].includes(textOf(value.order_type).toUpperCase());
  const isPartMatched = told === 'matched' && isLimit && matched > 0 && size - matched >= DUST_SHARES;
  const state = isPartMatched ? 'rests' : told === 'matched' || told === 'cancelled' ? 'gone' : told;
  // What is matched has traded, and what was cancelled has not traded whole.
  const isContradictory = told === 'matched' ? matched === 0 : told === 'cancelled' && matched > 0 && matched >= size;
  const stated = isContradictory ? null : statedOf(isLimit, price, matched);
  return {
    venueOrderId,
    clientOrderId: null,
    address,
    state,
    stated,
    conditionId: textOf(value.market),
    isBuy: textOf(value.side).toUpperCase() === 'BUY',
    price,
    size,
    matched,
    isPartMatched,
  };
}

/** Rows of the list of orders. */
export const ORDER_ROWS: RowReader<ShownOrder> = { read: readShownOrder, idOf: ({ venueOrderId }) => venueOrderId };

/** What the venue holds back for it: what is left of a buy, rounded up. */
export function committedBy({ state, isBuy, price, size, matched }: ShownOrder): MicroDollars {
  if (!isBuy || state === 'gone' || matched >= size) return 0 as MicroDollars;
  const cost = BigInt(size - matched) * BigInt(price);
  return Number((cost + COST_PER_MICRO_DOLLAR - 1n) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}

/** By its beginning: a reason may follow, and a prefix go before (venue-a.md §3.5, §6.2). `cancelled`: by what has just happened. */
function stateOf(type: string, text: string): ShownOrder['state'] | 'matched' | 'cancelled' | null {
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
function statedOf(isLimit: boolean, price: Ticks, matched: MicroShares): Filled | null {
  if (matched === 0) return NOTHING_FILLED;
  if (!isLimit || price <= 0 || price >= TICKS_PER_DOLLAR) return null;
  return { size: matched, cost: BigInt(price) * BigInt(matched), fees: NOTHING_FILLED.fees };
}
