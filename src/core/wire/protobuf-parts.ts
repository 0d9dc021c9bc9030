// The binary form of the parts that messages of the stream share (markets, levels, times, states). Also the messages of the channels orders
// and outcome. Main thread, and clients.

import { LOSS_LIMIT_EVENTS } from '../domain/loss-limit.ts';
import { BOOK_STATES, type BookState, type Level, type MarketKey, marketKey, VENUES } from '../domain/market.ts';
import {
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../domain/numbers.ts';
import { PROTECTION_EVENTS } from '../domain/protection.ts';
import type {
  WireAcknowledgement,
  WireActionEvent,
  WireClientMessage,
  WireDelta,
  WireLevel,
  WireLossLimitEvent,
  WireMarket,
  WireOrderEvent,
  WireOrdersSnapshot,
  WireOutcomeRejection,
  WireOutcomes,
  WireProtectionEvent,
  WireQueueEvent,
  WireRoute,
  WireRouteQuote,
  WireSubscription,
  WireVenueOrder,
  Written,
} from '../generated/protobuf-types.ts';
import { FieldError, readOneOf, readUint64, uint64Of } from './fields.ts';
import {
  type ActionMessage,
  type Delta,
  type LossLimitMessage,
  ORDER_EVENTS,
  ORDERS,
  type OrderMessage,
  type OrdersAcknowledgement,
  type OrdersMessage,
  type OrdersSnapshot,
  OUTCOME,
  type OutcomeMessage,
  type OutcomeRejection,
  type OutcomesAcknowledgement,
  type OutcomesMessage,
  type ProtectionMessage,
  type QueueMessage,
  REJECTION_CODES,
  ROUTE_PROBLEMS,
  type Route,
  type RouteQuote,
} from './messages.ts';
import {
  ACTION,
  FILL,
  LOSS_LIMIT,
  PROTECTION,
  QUEUE,
  VENUE_A_ORDER,
  VENUE_B_ORDER,
  viewFromProto,
  viewToProto,
} from './order-fields.ts';
import type { VenueOrderView } from './order-views.ts';

export function renderTimes({
  venueTime,
  receivedAt,
}: Pick<Delta, 'venueTime' | 'receivedAt'>): Written<Pick<WireDelta, 'venueTimeMs' | 'receivedAtMs'>> {
  return { venueTimeMs: venueTime, receivedAtMs: receivedAt };
}

export function renderLevel({ price, size }: Level): Written<WireLevel> {
  return { priceTicks: price, sizeMicros: size };
}

export function renderMarket(market: MarketKey): Written<WireMarket> {
  return { ...market, venue: VENUES.indexOf(market.venue) + 1 };
}

export function readTimes(wire: Pick<WireDelta, 'venueTimeMs' | 'receivedAtMs'>): {
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
} {
  const venueTime = readUint64(wire.venueTimeMs) as UnixMillis;
  return { venueTime, receivedAt: readUint64(wire.receivedAtMs) as UnixMillis };
}

export function readLevel(wire: WireLevel): Level {
  if (wire.priceTicks > TICKS_PER_DOLLAR) throw new FieldError('price_ticks', `must be at most ${TICKS_PER_DOLLAR}`);
  return { price: wire.priceTicks as Ticks, size: readUint64(wire.sizeMicros) as MicroShares };
}

export function readState(code: number): BookState {
  return readOneOf(BOOK_STATES[code - 1], 'state', BOOK_STATES);
}

export function readMarket(wire: WireMarket | null): MarketKey {
  const venue = readOneOf(wire === null ? undefined : VENUES[wire.venue - 1], 'market.venue', VENUES);
  const address = venue === 'venue_a' ? wire?.tokenId : wire?.ticker;
  if (address === undefined || address === null) throw new FieldError('market.address', 'must be that of its venue');
  return marketKey(venue, address);
}

// The orders channel.

export const CHANNEL_ORDERS = 3;

export function renderOrdersRequest(message: OrdersMessage): Written<WireClientMessage> {
  const id = message.id ?? '';
  if (message.op === 'unsubscribe') return { id, unsubscribe: { channel: CHANNEL_ORDERS } };
  const { from, cancelOnDisconnect, queueStep } = message;
  const options = { ...(cancelOnDisconnect ? { cancelOnDisconnect } : {}), queueStepMicros: queueStep ?? null };
  return { id, subscribe: { channel: CHANNEL_ORDERS, from, ...options } };
}

function sharesText(micros: unknown): string {
  return formatMicroShares(uint64Of(micros) as MicroShares);
}

/** Returns the fields that only requests of this channel have, under their JSON names. */
export function plainOrdersRequest(wire: WireSubscription): object {
  const { cancelOnDisconnect } = wire;
  return {
    ...(Object.hasOwn(wire, 'from') ? { from: uint64Of(wire.from) } : {}),
    ...(cancelOnDisconnect === null ? {} : { cancelOnDisconnect }),
    ...(Object.hasOwn(wire, 'queueStepMicros') ? { queueStep: sharesText(wire.queueStepMicros) } : {}),
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

export function renderLossLimit({ event, scope, lossLimit }: LossLimitMessage): Written<WireLossLimitEvent> {
  return { event, scope, ...viewToProto(LOSS_LIMIT, lossLimit) };
}

export function renderQueue({ venue, orderId, queueAhead }: QueueMessage): Written<WireQueueEvent> {
  return { venue, orderId, ...viewToProto(QUEUE, queueAhead) };
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

export function readLossLimitMessage(wire: WireLossLimitEvent): LossLimitMessage {
  const { event, scope } = wire;
  const lossLimit = viewFromProto(LOSS_LIMIT, wire, 'lossLimit');
  return { type: 'lossLimit', event: readOneOf(event, 'event', LOSS_LIMIT_EVENTS), scope, lossLimit };
}

export function readQueueMessage(wire: WireQueueEvent): QueueMessage {
  const { venue, orderId } = wire;
  const queueAhead = viewFromProto(QUEUE, wire, 'queueAhead');
  return { type: 'queue', venue: readOneOf(venue, 'venue', VENUES), orderId, queueAhead };
}

function readVenueOrder({ order, venueA, venueB }: WireVenueOrder): VenueOrderView {
  if (order === undefined) throw new FieldError('order', 'must be that of a venue');
  return order === 'venueA'
    ? { venue: 'venue_a', order: viewFromProto(VENUE_A_ORDER, venueA, 'order') }
    : { venue: 'venue_b', order: viewFromProto(VENUE_B_ORDER, venueB, 'order') };
}

// The outcome channel.

export const CHANNEL_OUTCOME = 5;

export function renderOutcomesRequest({
  op,
  id,
  catalogMarkets,
  minIntervalMs,
}: OutcomesMessage): Written<WireClientMessage> {
  const options = minIntervalMs === undefined ? {} : { minIntervalMs };
  return { id, [op]: { channel: CHANNEL_OUTCOME, catalogMarkets, ...options } };
}

export function renderOutcomesAcknowledgement({
  id,
  accepted,
  rejected,
}: OutcomesAcknowledgement): Written<WireAcknowledgement> {
  return { id, channel: CHANNEL_OUTCOME, acceptedCatalogMarkets: accepted, rejectedCatalogMarkets: rejected };
}

export function renderOutcomes(message: OutcomeMessage): Written<WireOutcomes> {
  const { catalogMarket, outcomes, omitted, notes } = message;
  return {
    catalogMarket,
    outcomes: outcomes.map(({ name, buy, sell }) => ({
      name,
      buy: buy === null ? null : renderQuote(buy),
      sell: sell === null ? null : renderQuote(sell),
    })),
    omitted: omitted.map(({ route, why }) => ({ route: renderRoute(route), why })),
    notes,
  };
}

function renderQuote({ route, ...quote }: RouteQuote): Written<WireRouteQuote> {
  return {
    route: renderRoute(route),
    priceTicks: quote.price,
    feeMicros: quote.fee,
    netPriceMicros: quote.netPrice,
    sizeMicros: quote.size,
    state: BOOK_STATES.indexOf(quote.state) + 1,
    ageMs: quote.ageMs,
  };
}

function renderRoute({ market, side }: Route): Written<WireRoute> {
  return { market: renderMarket(market), ...(side === null ? {} : { side }) };
}

export function readOutcomesAcknowledgement(
  type: OutcomesAcknowledgement['type'],
  { id, acceptedCatalogMarkets, rejectedCatalogMarkets }: WireAcknowledgement,
): OutcomesAcknowledgement {
  const rejected = rejectedCatalogMarkets.map(readOutcomeRejection);
  return { type, id, channel: OUTCOME, accepted: acceptedCatalogMarkets, rejected };
}

export function readOutcomeRejection({ catalogMarket, code, message }: WireOutcomeRejection): OutcomeRejection {
  return { catalogMarket, code: readOneOf(code, 'rejected.code', REJECTION_CODES), message };
}

export function readOutcomes({ catalogMarket, outcomes, omitted, notes }: WireOutcomes): OutcomeMessage {
  return {
    type: 'outcome',
    catalogMarket,
    outcomes: outcomes.map(({ name, buy, sell }) => ({
      name,
      buy: buy === null ? null : readQuote(buy),
      sell: sell === null ? null : readQuote(sell),
    })),
    omitted: omitted.map(({ route, why }) => ({
      route: readRoute(route),
      why: readOneOf(why, 'omitted.why', ROUTE_PROBLEMS),
    })),
    notes,
  };
}

function readQuote(wire: WireRouteQuote): RouteQuote {
  if (wire.priceTicks > TICKS_PER_DOLLAR) throw new FieldError('price_ticks', `must be at most ${TICKS_PER_DOLLAR}`);
  return {
    route: readRoute(wire.route),
    price: wire.priceTicks as Ticks,
    fee: readUint64(wire.feeMicros) as MicroDollars,
    netPrice: wire.netPriceMicros as MicroDollars,
    size: readUint64(wire.sizeMicros) as MicroShares,
    state: readState(wire.state),
    ageMs: readUint64(wire.ageMs),
  };
}

function readRoute(wire: WireRoute | null): Route {
  if (wire === null) throw new FieldError('route', 'must be a route');
  return {
    market: readMarket(wire.market),
    side: wire.side === null ? null : readOneOf(wire.side, 'side', ['YES', 'NO']),
  };
}
