// JSON form of the orders channel's messages; json.ts has the others. Main thread, and clients.

import { VENUES } from '../domain/market.ts';
import { PROTECTION_EVENTS } from '../domain/protection.ts';
import { type Fields, readArray, readBoolean, readCount, readObject, readOneOf, readString } from './fields.ts';
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
import { ACTION, FILL, PROTECTION, VENUE_A_ORDER, VENUE_B_ORDER, viewFromJson } from './order-fields.ts';
import type { VenueOrderView } from './order-views.ts';

export function renderOrdersRequest(message: OrdersMessage): object {
  const { op, id, channel } = message;
  const request = { op, ...ofId(id), channel };
  if (message.op === 'unsubscribe') return request;
  const { from, cancelOnDisconnect } = message;
  return { ...request, ...(from === null ? {} : { from }), ...(cancelOnDisconnect ? { cancelOnDisconnect } : {}) };
}

export function renderOrdersAcknowledgement(acknowledgement: OrdersAcknowledgement): object {
  const { type, id, channel, accepted, rejected, cursor } = acknowledgement;
  return { type, ...ofId(id), channel, accepted, rejected, ...(cursor === null ? {} : { cursor }) };
}

export function renderOrderMessage({ type, cursor, event, venue, order, fill }: OrderMessage): object {
  return { type, channel: ORDERS, cursor, event, venue, order, ...(fill === null ? {} : { fill }) };
}

export function renderAction({ type, cursor, event, action }: ActionMessage): object {
  return { type, channel: ORDERS, cursor, event, action };
}

export function renderOrdersSnapshot({ type, id, cursor, orders, hasMore }: OrdersSnapshot): object {
  return { type, ...ofId(id), channel: ORDERS, cursor, orders, hasMore };
}

export function renderProtection({ type, event, protection }: ProtectionMessage): object {
  return { type, channel: ORDERS, event, protection };
}

function ofId(id: string | null): object {
  return id === null ? {} : { id };
}

export function readOrdersAcknowledgement(type: OrdersAcknowledgement['type'], fields: Fields): OrdersAcknowledgement {
  const base = { id: readId(fields), channel: ORDERS, accepted: [], rejected: [] } as const;
  return type === 'subscribed'
    ? { type, ...base, cursor: readCount(fields.cursor, 'cursor') }
    : { type, ...base, cursor: null };
}

export function readOrderMessage(fields: Fields): OrderMessage {
  return {
    type: 'order',
    cursor: readCount(fields.cursor, 'cursor'),
    event: readOneOf(fields.event, 'event', ORDER_EVENTS),
    ...readVenueOrder(fields),
    fill: fields.fill === undefined ? null : viewFromJson(FILL, fields.fill, 'fill'),
  };
}

export function readActionMessage(fields: Fields): ActionMessage {
  return {
    type: 'action',
    cursor: readCount(fields.cursor, 'cursor'),
    event: readOneOf(fields.event, 'event', ['ACTION']),
    action: viewFromJson(ACTION, fields.action, 'action'),
  };
}

export function readOrdersSnapshot(fields: Fields): OrdersSnapshot {
  return {
    type: 'ordersSnapshot',
    id: readId(fields),
    cursor: readCount(fields.cursor, 'cursor'),
    orders: readArray(fields.orders, 'orders').map(order => readVenueOrder(readObject(order, 'orders'))),
    hasMore: readBoolean(fields.hasMore, 'hasMore'),
  };
}

export function readProtectionMessage(fields: Fields): ProtectionMessage {
  return {
    type: 'protection',
    event: readOneOf(fields.event, 'event', PROTECTION_EVENTS),
    protection: viewFromJson(PROTECTION, fields.protection, 'protection'),
  };
}

function readVenueOrder({ venue, order }: Fields): VenueOrderView {
  return readOneOf(venue, 'venue', VENUES) === 'venue_a'
    ? { venue: 'venue_a', order: viewFromJson(VENUE_A_ORDER, order, 'order') }
    : { venue: 'venue_b', order: viewFromJson(VENUE_B_ORDER, order, 'order') };
}

function readId({ id }: Fields): string | null {
  return id === undefined ? null : readString(id, 'id');
}
