// The gateway's own account of its orders: the lines of `crossbook store export`, as the audit needs them.

import type { Venue } from '../../src/core/domain/market.ts';
import { micros } from './decimals.ts';

export interface OrderKept {
  readonly orderId: string;
  readonly podId: string;
  readonly actorId: string;
  readonly venue: Venue;
  readonly isNo: boolean;
  readonly status: string;
  readonly venueOrderId: string | null;
  readonly clientOrderId: string | null;
  readonly expectedVenueOrderId: string | null;
  readonly idempotencyKey: string;
  readonly sentAtMs: number;
  readonly filled: bigint;
}

export interface FillKept {
  readonly fillId: string;
  /** The gateway's order of the fill; null for a fill without a known order. */
  readonly order: OrderKept | null;
  readonly podId: string;
  readonly venue: Venue;
  readonly tradeId: string;
  readonly venueOrderId: string;
  readonly size: bigint;
  /** Size × price of one unit of the address, in 1e-12 dollars. */
  readonly cost: bigint;
  readonly fee: bigint;
  readonly settlement: string;
}

export interface PositionKept {
  readonly owner: string;
  readonly venue: Venue;
  readonly address: string;
  readonly size: bigint;
}

export interface GatewaySeen {
  readonly orders: readonly OrderKept[];
  readonly fills: readonly FillKept[];
  readonly positions: readonly PositionKept[];
}

interface OrderLine extends Omit<OrderKept, 'venue' | 'isNo' | 'sentAtMs' | 'filled'> {
  readonly type: 'order';
  readonly request: { readonly venue: Venue; readonly side: string };
  readonly sentAt: string | null;
  readonly filled: { readonly size: string };
}

interface FillLine {
  readonly type: 'fill';
  readonly orderId: string | null;
  readonly podId: string;
  readonly venue: Venue;
  readonly fillId: string;
  readonly venueTradeId: string;
  readonly price: string;
  readonly size: string;
  readonly feesUsd: string;
  readonly settlement: string;
}

interface PositionLine {
  readonly type: 'position';
  readonly actorId: string;
  readonly venue: Venue;
  readonly address: string;
  readonly size: string;
}

const DOLLAR = 1_000_000n;

export function gatewaySeen(lines: readonly unknown[]): GatewaySeen {
  const all = lines as readonly (OrderLine | FillLine | PositionLine)[];
  const orders = all.filter(line => line.type === 'order').map(orderOf);
  const byId = new Map(orders.map(order => [order.orderId, order]));
  return {
    orders,
    fills: all.filter(line => line.type === 'fill').map(line => fillOf(line, byId)),
    positions: all
      .filter(line => line.type === 'position')
      .map(({ actorId, venue, address, size }) => ({ owner: actorId, venue, address, size: micros(size) })),
  };
}

function orderOf({ request, sentAt, filled, ...order }: OrderLine): OrderKept {
  return {
    ...order,
    venue: request.venue,
    isNo: request.side === 'NO',
    sentAtMs: sentAt === null ? 0 : new Date(sentAt).getTime(),
    filled: micros(filled.size),
  };
}

function fillOf(line: FillLine, orders: ReadonlyMap<string, OrderKept>): FillKept {
  const order = line.orderId === null ? null : orders.get(line.orderId)!;
  const venue = order?.venue ?? line.venue;
  const [size, price] = [micros(line.size), micros(line.price)];
  return {
    fillId: line.fillId,
    order,
    podId: order?.podId ?? line.podId,
    venue,
    tradeId: line.venueTradeId,
    // A fill is named by its trade and its order, and at venue A also by the counter-order.
    venueOrderId: line.fillId.split(venue === 'venue_a' ? ':' : '.')[1] ?? '',
    size,
    cost: size * (order?.isNo ? DOLLAR - price : price),
    fee: micros(line.feesUsd),
    settlement: line.settlement,
  };
}
