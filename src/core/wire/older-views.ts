// The older family's views of orders and markets (interface §2.4, contract §7): one order with one market order, fewer fields, and JSON
// numbers. Each number is the decimal text of the signed family, or an integer as such text, and is never computed in doubles. History
// thread, and main thread for markets.

import { fraction, roundHalfEven } from '../domain/fraction.ts';
import type { MarketSummary, OutcomeSummary } from '../domain/market-summary.ts';
import {
  COST_PER_MICRO_DOLLAR,
  formatMicroDollars,
  formatTicks,
  type MicroDollars,
  type Ticks,
} from '../domain/numbers.ts';
import type { Order, OrderStatus } from '../domain/order.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { traded } from '../domain/order-sums.ts';
import { orderView } from './order-views.ts';
import { formatTime } from './time-text.ts';

/** The statuses of interface §2.5. */
export const OLDER_STATUSES = ['pending', 'open', 'partial', 'filled', 'cancelled', 'failed'] as const;
export type OlderStatus = (typeof OLDER_STATUSES)[number];

/** The types of interface §2.4. No order has one of the last three types. */
export const OLDER_TYPES = ['market', 'limit', 'stop', 'stop_limit', 'iceberg'] as const;
export type OlderType = (typeof OLDER_TYPES)[number];

/** A decimal as a JSON number. It is only for the wire, and never computed with. */
type DecimalNumber = number & { readonly unit: 'decimal' };

interface OlderMarketOrder {
  readonly type: OlderType;
  /** `outcomeId` is a token id, `<ticker>:YES` or `<ticker>:NO`. */
  readonly marketInfo: { readonly venue: string; readonly outcomeId: string };
  readonly status: OlderStatus;
  readonly filledAmount: DecimalNumber;
  readonly averagePrice: DecimalNumber | null;
  readonly executionCost: DecimalNumber;
  readonly error: { readonly message: string } | null;
}

interface OlderOrderView {
  readonly orderId: string;
  readonly status: OlderStatus;
  readonly filledAmount: DecimalNumber;
  readonly executionCost: DecimalNumber;
  readonly marketOrders: readonly [OlderMarketOrder];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The statuses of the signed family that may map to each status here. `olderStatus` decides for an order. */
export const STATUSES_OF_OLDER: Readonly<Record<OlderStatus, readonly OrderStatus[]>> = {
  pending: ['PENDING', 'SUBMITTED'],
  open: ['OPEN'],
  partial: ['OPEN'],
  filled: ['FILLED'],
  cancelled: ['CANCELLED'],
  failed: ['REJECTED'],
};

export function olderStatus(order: Order): OlderStatus {
  if (order.status === 'OPEN') return traded(order).size === 0 ? 'open' : 'partial';
  return OLDER_STATUSES.find(status => STATUSES_OF_OLDER[status].includes(order.status))!;
}

/** Returns the type of an order. Venue B has limit orders only. */
export function olderType(request: OrderRequest): 'market' | 'limit' {
  return request.venue === 'venue_a' && request.type === 'MARKET' ? 'market' : 'limit';
}

export function olderOrderView(order: Order): OlderOrderView {
  const { orderId, averagePrice, createdAt, updatedAt, ...view } = orderView(order, true);
  const filled = 'filledShares' in view ? view.filledShares : view.filledCount;
  const amounts = {
    status: olderStatus(order),
    filledAmount: decimal(filled ?? '0'),
    executionCost: decimal(formatMicroDollars(executionCost(order))),
  };
  const marketOrder: OlderMarketOrder = {
    type: olderType(order.request),
    marketInfo: marketInfo(order.request),
    ...amounts,
    averagePrice: averagePrice === null ? null : decimal(averagePrice),
    error: view.error === null ? null : { message: view.error.message ?? view.error.code },
  };
  return { orderId, ...amounts, marketOrders: [marketOrder], createdAt, updatedAt };
}

function marketInfo(request: OrderRequest): OlderMarketOrder['marketInfo'] {
  const { venue } = request;
  return { venue, outcomeId: venue === 'venue_a' ? request.tokenId : `${request.ticker}:${request.side}` };
}

/** Parses canonical text. JSON then writes the number with the same digits. */
function decimal(text: string): DecimalNumber {
  return Number(text) as DecimalNumber;
}

/** Returns the cost of a purchase plus fees, or the proceeds of a sale minus fees. The amount is rounded once, half to even. */
function executionCost(order: Order): MicroDollars {
  const { cost, fees } = traded(order);
  const { request } = order;
  const isSale = (request.venue === 'venue_a' ? request.side : request.action) === 'SELL';
  const executed = Number(roundHalfEven(fraction(cost, COST_PER_MICRO_DOLLAR)));
  return (isSale ? executed - fees : executed + fees) as MicroDollars;
}

export function marketSummaryView(market: MarketSummary): object {
  const { venue, marketId, title, status, outcomes, expiresAt } = market;
  const expirationDate = expiresAt === null ? null : formatTime(expiresAt);
  return { venue, marketId, title, status, outcomes: outcomes.map(outcomeView), expirationDate };
}

function outcomeView({ name, outcomeId, mid, bid, ask }: OutcomeSummary): object {
  return { name, outcomeId, mid: middleNumber(mid), bid: priceNumber(bid), ask: priceNumber(ask) };
}

function priceNumber(price: Ticks | null): number | null {
  return price === null ? null : Number(formatTicks(price));
}

function middleNumber(mid: MicroDollars | null): number | null {
  return mid === null ? null : Number(formatMicroDollars(mid));
}
