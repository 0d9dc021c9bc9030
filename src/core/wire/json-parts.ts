// The JSON form of the parts that messages of the stream share (markets, levels, times, takers). Also the messages of the channels orders
// and outcome. Main thread, and clients.

import { isoMillisOf } from '../domain/iso-time.ts';
import { LOSS_LIMIT_EVENTS } from '../domain/loss-limit.ts';
import {
  BOOK_STATES,
  type Level,
  type MarketKey,
  marketKey,
  TAKER_BUY,
  TAKER_SELL,
  TAKER_UNKNOWN,
  type TakerSide,
  VENUES,
} from '../domain/market.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
  type UnixMillis,
} from '../domain/numbers.ts';
import { PROTECTION_EVENTS } from '../domain/protection.ts';
import {
  FieldError,
  type Fields,
  readArray,
  readBoolean,
  readCount,
  readObject,
  readOneOf,
  readString,
} from './fields.ts';
import {
  type ActionMessage,
  type LossLimitMessage,
  type OmittedRoute,
  ORDER_EVENTS,
  ORDERS,
  type OrderMessage,
  type OrdersAcknowledgement,
  type OrdersMessage,
  type OrdersSnapshot,
  OUTCOME,
  type OutcomeMessage,
  type OutcomeQuote,
  type OutcomeRejection,
  type OutcomesAcknowledgement,
  type ProtectionMessage,
  type QueueMessage,
  REJECTION_CODES,
  type Rejection,
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
  viewFromJson,
} from './order-fields.ts';
import type { VenueOrderView } from './order-views.ts';

export function readTimes(fields: Fields): { readonly venueTime: UnixMillis; readonly receivedAt: UnixMillis } {
  return {
    venueTime: fields.venueTime === null ? (0 as UnixMillis) : readTime(fields.venueTime, 'venueTime'),
    receivedAt: readTime(fields.receivedAt, 'receivedAt'),
  };
}

function readTime(value: unknown, path: string): UnixMillis {
  const time = isoMillisOf(readString(value, path));
  if (time === null || time < 0) throw new FieldError(path, 'must be an ISO-8601 time');
  return time as UnixMillis;
}

export function readMarket(value: unknown): MarketKey {
  const fields = readObject(value, 'market');
  const venue = readOneOf(fields.venue, 'market.venue', VENUES);
  const address = venue === 'venue_a' ? fields.tokenId : fields.ticker;
  return marketKey(venue, readString(address, venue === 'venue_a' ? 'market.tokenId' : 'market.ticker'));
}

export function readRejection(value: unknown): Rejection {
  const fields = readObject(value, 'rejected');
  return {
    market: readMarket(fields.market),
    code: readOneOf(fields.code, 'rejected.code', REJECTION_CODES),
    message: readString(fields.message, 'rejected.message'),
  };
}

export function readLevel(value: unknown): Level {
  const [price, size] = readArray(value, 'level');
  return { price: readPrice(price), size: readSize(size) };
}

export function readPrice(value: unknown): Ticks {
  const price = parseTicks(readString(value, 'price'));
  if (price === null) throw new FieldError('price', 'must be a decimal from 0 to 1 with at most 4 decimals');
  return price;
}

export function readSize(value: unknown): MicroShares {
  const size = parseMicroShares(readString(value, 'size'));
  if (size === null) throw new FieldError('size', 'must be a decimal with at most 6 decimals');
  return size;
}

export function readTaker(value: unknown): TakerSide {
  if (value === null) return TAKER_UNKNOWN;
  return readOneOf(value, 'takerSide', ['BUY', 'SELL']) === 'BUY' ? TAKER_BUY : TAKER_SELL;
}

// The orders channel.

export function renderOrdersRequest(message: OrdersMessage): object {
  const { op, id, channel } = message;
  const request = { op, ...ofId(id), channel };
  if (message.op === 'unsubscribe') return request;
  const { from, cancelOnDisconnect, queueStep } = message;
  return {
    ...request,
    ...(from === null ? {} : { from }),
    ...(cancelOnDisconnect ? { cancelOnDisconnect } : {}),
    ...(queueStep === undefined ? {} : { queueStep: formatMicroShares(queueStep) }),
  };
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

export function renderLossLimit({ type, event, scope, lossLimit }: LossLimitMessage): object {
  return { type, channel: ORDERS, event, scope, lossLimit };
}

export function renderQueue({ type, venue, orderId, queueAhead }: QueueMessage): object {
  return { type, channel: ORDERS, venue, orderId, queueAhead };
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

export function readLossLimitMessage(fields: Fields): LossLimitMessage {
  return {
    type: 'lossLimit',
    event: readOneOf(fields.event, 'event', LOSS_LIMIT_EVENTS),
    scope: readString(fields.scope, 'scope'),
    lossLimit: viewFromJson(LOSS_LIMIT, fields.lossLimit, 'lossLimit'),
  };
}

export function readQueueMessage(fields: Fields): QueueMessage {
  return {
    type: 'queue',
    venue: readOneOf(fields.venue, 'venue', VENUES),
    orderId: readString(fields.orderId, 'orderId'),
    queueAhead: viewFromJson(QUEUE, fields.queueAhead, 'queueAhead'),
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

// The outcome channel, and the same values in answers of REST.

export function renderOutcome({ type, catalogMarket, ...market }: OutcomeMessage): object {
  return { type, channel: OUTCOME, catalogMarket, ...renderBestRoutes(market) };
}

export function renderBestRoutes({ outcomes, omitted, notes }: Omit<OutcomeMessage, 'type' | 'catalogMarket'>): object {
  return {
    outcomes: outcomes.map(({ name, buy, sell }) => ({ name, buy: renderQuote(buy), sell: renderQuote(sell) })),
    omitted: omitted.map(({ route, why }) => ({ ...renderRoute(route), why })),
    notes,
  };
}

function renderQuote(quote: RouteQuote | null): object | null {
  if (quote === null) return null;
  const { route, price, fee, netPrice, size, state, ageMs } = quote;
  return {
    ...renderRoute(route),
    price: formatTicks(price),
    fee: formatMicroDollars(fee),
    netPrice: formatMicroDollars(netPrice),
    size: formatMicroShares(size),
    state,
    ageMs,
  };
}

/** Returns the route in the form of a listing of the catalog. */
function renderRoute({ market, side }: Route): object {
  if (market.venue === 'venue_a') return { venue: 'VENUE_A', tokenId: market.tokenId };
  return { venue: 'VENUE_B', ticker: market.ticker, side };
}

export function readOutcome(fields: Fields): OutcomeMessage {
  return {
    type: 'outcome',
    catalogMarket: readString(fields.catalogMarket, 'catalogMarket'),
    outcomes: readArray(fields.outcomes, 'outcomes').map(readOutcomeQuote),
    omitted: readArray(fields.omitted, 'omitted').map(readOmitted),
    notes: readArray(fields.notes, 'notes').map(note => readString(note, 'notes')),
  };
}

function readOutcomeQuote(value: unknown): OutcomeQuote {
  const { name, buy, sell } = readObject(value, 'outcomes');
  return { name: readString(name, 'outcomes.name'), buy: readQuote(buy), sell: readQuote(sell) };
}

function readQuote(value: unknown): RouteQuote | null {
  if (value === null) return null;
  const fields = readObject(value, 'outcomes.buy');
  const price = parseTicks(readString(fields.price, 'price'));
  if (price === null) throw new FieldError('price', 'must be a decimal from 0 to 1 with at most 4 decimals');
  return {
    route: readRoute(fields),
    price,
    fee: readMicros(fields.fee, 'fee') as number as MicroDollars,
    netPrice: readMicros(fields.netPrice, 'netPrice') as number as MicroDollars,
    size: readMicros(fields.size, 'size'),
    state: readOneOf(fields.state, 'state', BOOK_STATES),
    ageMs: readCount(fields.ageMs, 'ageMs'),
  };
}

function readMicros(value: unknown, path: string): MicroShares {
  const micros = parseMicroShares(readString(value, path).replace(/^-/, ''));
  if (micros === null) throw new FieldError(path, 'must be a decimal with at most 6 decimals');
  return (String(value).startsWith('-') ? -micros : micros) as MicroShares;
}

function readOmitted(value: unknown): OmittedRoute {
  const fields = readObject(value, 'omitted');
  return { route: readRoute(fields), why: readOneOf(fields.why, 'omitted.why', ROUTE_PROBLEMS) };
}

function readRoute(fields: Fields): Route {
  const venue = readOneOf(fields.venue, 'venue', ['VENUE_A', 'VENUE_B']);
  if (venue === 'VENUE_A') return { market: marketKey('venue_a', readString(fields.tokenId, 'tokenId')), side: null };
  const side = readOneOf(fields.side, 'side', ['YES', 'NO']);
  return { market: marketKey('venue_b', readString(fields.ticker, 'ticker')), side };
}

/** Returns the acknowledgement. The lists of markets are present as on every channel, but empty. */
export function renderOutcomesAcknowledgement({ accepted, rejected, ...rest }: OutcomesAcknowledgement): object {
  const lists = { acceptedCatalogMarkets: accepted, rejectedCatalogMarkets: rejected };
  return { ...rest, accepted: [], rejected: [], ...lists };
}

export function readOutcomesAcknowledgement(
  type: OutcomesAcknowledgement['type'],
  fields: Fields,
): OutcomesAcknowledgement {
  const { id, acceptedCatalogMarkets: accepted, rejectedCatalogMarkets: rejected } = fields;
  return {
    type,
    id: readString(id, 'id'),
    channel: OUTCOME,
    accepted: readArray(accepted, 'acceptedCatalogMarkets').map(it => readString(it, 'acceptedCatalogMarkets')),
    rejected: readArray(rejected, 'rejectedCatalogMarkets').map(readOutcomeRejection),
  };
}

/** Reads the rejections in an error. Returns nothing if the error does not concern the channel outcome. */
export function readOutcomeRejections({ rejectedCatalogMarkets: rejected }: Fields): {
  readonly rejectedCatalogMarkets?: readonly OutcomeRejection[];
} {
  if (rejected === undefined) return {};
  return { rejectedCatalogMarkets: readArray(rejected, 'rejectedCatalogMarkets').map(readOutcomeRejection) };
}

function readOutcomeRejection(value: unknown): OutcomeRejection {
  const fields = readObject(value, 'rejected');
  return {
    catalogMarket: readString(fields.catalogMarket, 'rejected.catalogMarket'),
    code: readOneOf(fields.code, 'rejected.code', REJECTION_CODES),
    message: readString(fields.message, 'rejected.message'),
  };
}
