// Binary form of the orders channel's messages; protobuf.ts has the others. Main thread, and clients.

import { PROTECTION_EVENTS } from '../domain/protection.ts';
import { FieldError, readOneOf, readUint64, uint64Of } from './fields.ts';
import {
  type ActionMessage,
  ORDER_EVENTS,
  ORDERS,
  type OrderMessage,
  type OrdersAcknowledgement,
  type OrdersMessage,
  type OrdersSnapshot,
  type ProtectionMessage,
} from './messages.ts';
import { ACTION, FILL, PROTECTION, VENUE_A_ORDER, VENUE_B_ORDER, viewFromProto, viewToProto } from './order-fields.ts';
import type { VenueOrderView } from './order-views.ts';
import type {
  WireAcknowledgement,
  WireActionEvent,
  WireClientMessage,
  WireOrderEvent,
  WireOrdersSnapshot,
  WireProtectionEvent,
  WireSubscription,
  WireVenueOrder,
  Written,
} from './protobuf-types.generated.ts';

export const CHANNEL_ORDERS = 3;

export function renderOrdersRequest(message: OrdersMessage): Written<WireClientMessage> {
  const id = message.id ?? '';
  if (message.op === 'unsubscribe') return { id, unsubscribe: { channel: CHANNEL_ORDERS } };
  const { from, cancelOnDisconnect } = message;
  return { id, subscribe: { channel: CHANNEL_ORDERS, from, ...(cancelOnDisconnect ? { cancelOnDisconnect } : {}) } };
}

/** Fields that only requests of this channel have, under their JSON names. */
export function plainOrdersRequest(wire: WireSubscription): object {
  const { cancelOnDisconnect } = wire;
  return {
    ...(Object.hasOwn(wire, 'from') ? { from: uint64Of(wire.from) } : {}),
    ...(cancelOnDisconnect === null ? {} : { cancelOnDisconnect }),
  };
}

export function renderOrdersAcknowledgement({ id, cursor }: OrdersAcknowledgement): Written<WireAcknowledgement> {
  return { id: id ?? '', channel: CHANNEL_ORDERS, cursor };
}

export function renderOrderMessage(message: OrderMessage): Written<WireOrderEvent> {
  const { cursor, event, fill } = message;
  return { cursor, event, ...renderVenueOrder(message), fill: fill === null ? null : viewToProto(FILL, fill) };
}

export function renderAction({ cursor, event, action }: ActionMessage): Written<WireActionEvent> {
  return { cursor, event, ...viewToProto(ACTION, action) };
}

export function renderOrdersSnapshot({ id, cursor, orders, hasMore }: OrdersSnapshot): Written<WireOrdersSnapshot> {
  return { id, cursor, orders: orders.map(renderVenueOrder), hasMore };
}

export function renderProtection({ event, protection }: ProtectionMessage): Written<WireProtectionEvent> {
  return { event, ...viewToProto(PROTECTION, protection) };
}

function renderVenueOrder(view: VenueOrderView): Written<WireVenueOrder> {
  return view.venue === 'venue_a'
    ? { venueA: viewToProto(VENUE_A_ORDER, view.order) }
    : { venueB: viewToProto(VENUE_B_ORDER, view.order) };
}

export function readOrdersAcknowledgement(
  type: OrdersAcknowledgement['type'],
  { id, cursor }: WireAcknowledgement,
): OrdersAcknowledgement {
  const base = { id: id === '' ? null : id, channel: ORDERS, accepted: [], rejected: [] } as const;
  if (type === 'unsubscribed') return { type, ...base, cursor: null };
  return { type, ...base, cursor: readUint64(cursor) };
}

export function readOrderMessage(wire: WireOrderEvent): OrderMessage {
  return {
    type: 'order',
    cursor: readUint64(wire.cursor),
    event: readOneOf(wire.event, 'event', ORDER_EVENTS),
    ...readVenueOrder(wire),
    fill: wire.fill === null ? null : viewFromProto(FILL, wire.fill, 'fill'),
  };
}

export function readActionMessage(wire: WireActionEvent): ActionMessage {
  return {
    type: 'action',
    cursor: readUint64(wire.cursor),
    event: readOneOf(wire.event, 'event', ['ACTION']),
    action: viewFromProto(ACTION, wire, 'action'),
  };
}

export function readOrdersSnapshot({ id, cursor, orders, hasMore }: WireOrdersSnapshot): OrdersSnapshot {
  return { type: 'ordersSnapshot', id, cursor: readUint64(cursor), orders: orders.map(readVenueOrder), hasMore };
}

export function readProtectionMessage(wire: WireProtectionEvent): ProtectionMessage {
  const protection = viewFromProto(PROTECTION, wire, 'protection');
  return { type: 'protection', event: readOneOf(wire.event, 'event', PROTECTION_EVENTS), protection };
}

function readVenueOrder({ order, venueA, venueB }: WireVenueOrder): VenueOrderView {
  if (order === undefined) throw new FieldError('order', 'must be that of a venue');
  return order === 'venueA'
    ? { venue: 'venue_a', order: viewFromProto(VENUE_A_ORDER, venueA, 'order') }
    : { venue: 'venue_b', order: viewFromProto(VENUE_B_ORDER, venueB, 'order') };
}
