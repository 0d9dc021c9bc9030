// The forms of an order: as its record, with its intent and the kind of a refusal, and as the snapshot within an event. Pure.

import type { ApiErrorKind } from '../../domain/answer.ts';
import type { Venue } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { CancelReason, Order, OrderErrorCode, OrderStatus, Replaces, VenueError } from '../../domain/order.ts';
import type { Intent, OrderRequest, SelfTrade, VenueBOrderRequest, VenueBTerms } from '../../domain/order-request.ts';
import { type Filled, NOTHING_FILLED } from '../../domain/order-sums.ts';
import type { StoredOrder } from '../order-records.ts';
import { ByteWriter } from './bytes.ts';
import { codec } from './codec.ts';
import {
  always,
  bigInteger,
  bytes,
  compile,
  count,
  type Form,
  fields,
  flag,
  integer,
  name,
  oneOf,
  optional,
  orderId,
  sparse,
  text,
  time,
  words,
} from './schema.ts';

export const venueWords = words<Venue>('venue', { venue_a: 0, venue_b: 1 });
export const statusWords = words<OrderStatus>('status', {
  PENDING: 0,
  SUBMITTED: 1,
  OPEN: 2,
  FILLED: 3,
  CANCELLED: 4,
  REJECTED: 5,
});
/** The numbers of error kinds. A gateway that owns no pod records nothing, so `elsewhere` is never stored. */
export const errorKindWords = words<ApiErrorKind>('kind of error', {
  invalid: 0,
  insufficientBalance: 1,
  unauthenticated: 2,
  forbidden: 3,
  notFound: 4,
  methodNotAllowed: 5,
  notCancellable: 6,
  bodyTooLarge: 7,
  idempotencyConflict: 8,
  limited: 9,
  fault: 10,
  notServed: 11,
  unreadableOutcome: 12,
  unavailable: 13,
  unknownOutcome: 14,
  elsewhere: 15,
});
const errorCodeWords = words<OrderErrorCode>('code of an error', {
  VENUE_REJECTED: 0,
  INVALID_ORDER: 1,
  NOT_FEASIBLE: 2,
  CREDENTIALS_INVALID: 3,
  UNKNOWN: 4,
});
const cancelReasonWords = words<CancelReason>('reason of a cancel', {
  REQUESTED: 0,
  EXPIRED: 1,
  REPLACED: 2,
  DEAD_MAN: 3,
  DISCONNECT: 4,
  PROTECTION: 5,
  STOP: 6,
  MARKET_CLOSED: 7,
  SELF_TRADE: 8,
  VENUE: 9,
  LOSS_LIMIT: 10,
});
const sideWords = words<'BUY' | 'SELL'>('side', { BUY: 0, SELL: 1 });
const outcomeWords = words<'YES' | 'NO'>('outcome', { YES: 0, NO: 1 });
const marketTimeWords = words<'FOK' | 'FAK'>('time in force', { FOK: 0, FAK: 1 });
const venueBTimeWords = words<VenueBOrderRequest['timeInForce']>('time in force', { GTC: 0, IOC: 1, FOK: 2, GTD: 3 });
const selfTradeWords = words<SelfTrade>('self trade', { CANCEL_TAKER: 0, CANCEL_MAKER: 1 });

export const shares = count<MicroShares>();
export const ticks = count<Ticks>();
export const dollars = integer<MicroDollars>();
export const millis = time<UnixMillis>();

type RequestForm = 'limit' | 'market-buy' | 'market-sell' | 'venue-b' | 'limit-until' | 'venue-b-terms';

function formOf(request: OrderRequest): RequestForm {
  if (request.venue === 'venue_b') return request.terms === undefined ? 'venue-b' : 'venue-b-terms';
  if (request.type === 'LIMIT') return request.timeInForce === 'GTC' ? 'limit' : 'limit-until';
  return request.side === 'BUY' ? 'market-buy' : 'market-sell';
}

const VENUE_A_LIMIT = {
  venue: always('venue_a'),
  type: always('LIMIT'),
  tokenId: name,
  side: sideWords,
  size: shares,
  price: ticks,
  postOnly: flag,
};
const VENUE_B = {
  venue: always('venue_b'),
  ticker: name,
  side: outcomeWords,
  action: sideWords,
  size: shares,
  price: ticks,
  timeInForce: venueBTimeWords,
};
const terms = fields<VenueBTerms>({
  expiresAt: optional(millis),
  postOnly: flag,
  reduceOnly: flag,
  selfTrade: selfTradeWords,
});

const request: Form<OrderRequest> = oneOf('form of a request', formOf, {
  limit: [0, fields({ ...VENUE_A_LIMIT, timeInForce: always('GTC') })],
  'market-buy': [
    1,
    fields({
      venue: always('venue_a'),
      type: always('MARKET'),
      side: always('BUY'),
      tokenId: name,
      dollars: count<MicroDollars>(),
      worstPrice: optional(ticks),
      timeInForce: marketTimeWords,
    }),
  ],
  'market-sell': [
    2,
    fields({
      venue: always('venue_a'),
      type: always('MARKET'),
      side: always('SELL'),
      tokenId: name,
      size: shares,
      worstPrice: optional(ticks),
      timeInForce: marketTimeWords,
    }),
  ],
  'venue-b': [3, fields(VENUE_B)],
  'limit-until': [4, fields({ ...VENUE_A_LIMIT, timeInForce: always('GTD'), expiresAt: millis })],
  'venue-b-terms': [5, fields({ ...VENUE_B, terms })],
});

const filled = fields<Filled>({ size: shares, cost: bigInteger, fees: dollars });

export const orderError = optional(fields({ code: errorCodeWords, message: optional(text) }));

const OUTCOME = {
  sentAt: optional(millis),
  closedAt: optional(millis),
  venueOrderId: optional(text),
  filled,
  stated: optional(filled),
  error: orderError,
  isReleased: flag,
  cancelRequestedAt: optional(millis),
  venueError: optional(fields<VenueError>({ code: optional(text), message: text })),
  cancelReason: optional(cancelReasonWords),
  replaces: optional(fields<Replaces>({ orderId, total: shares, venueTotal: shares, before: filled })),
  replacedBy: optional(orderId),
};

/** The form of an order. The bytes have no version of their own: they belong to the form of the enclosing record. */
export const order = fields<Order>({
  orderId,
  podId: name,
  actorId: name,
  keyId: name,
  idempotencyKey: text,
  request,
  status: statusWords,
  createdAt: millis,
  updatedAt: millis,
  ...OUTCOME,
});

const written = new ByteWriter();
const orderCoder = compile(order);
let latest: Order | null = null;

/** The form of an order whose bytes are made once. The row of an order and the event about its latest change follow each other. */
export const writtenOnce: Form<Order> = {
  writing: (value, bind) => `to.raw(${bind(bytesOf)}(${value}));`,
  reading: order.reading,
};

function bytesOf(it: Order): Uint8Array {
  if (it !== latest) {
    latest = null;
    orderCoder.write(written.begin(), it);
    latest = it;
  }
  return written.view();
}

const IDENTITY = { orderId, podId: name, actorId: name, idempotencyKey: text, request, createdAt: millis };

/**
 * The usual values of an order that was just made or answered. The bits of a record on disk depend on these values, so they stand here
 * apart from the defaults of `createOrder`, which may change.
 */
const USUAL = {
  sentAt: null,
  closedAt: null,
  venueOrderId: null,
  filled: NOTHING_FILLED,
  stated: null,
  error: null,
  isReleased: false,
  cancelRequestedAt: null,
  venueError: null,
  cancelReason: null,
  replaces: null,
  replacedBy: null,
} as const satisfies Partial<Order>;

/** The fields of a known order that can change. */
export type OrderMotion = Pick<Order, 'keyId' | 'status' | 'updatedAt' | keyof typeof OUTCOME>;
const MOTION = { keyId: name, status: statusWords, updatedAt: millis, ...OUTCOME };
export const motion: Form<OrderMotion> = sparse<OrderMotion>(MOTION, USUAL);

/** The form of an order in the journal. */
export const madeOrder: Form<Order> = sparse<Order>({ ...IDENTITY, ...MOTION }, USUAL);

export const intent: Form<Intent | null> = optional(
  fields({ payload: bytes, venueOrderId: optional(text), clientOrderId: text }),
);
export const refusedAs = optional(errorKindWords);

export const orderCodec = codec('order', fields<StoredOrder>({ order: writtenOnce, intent, refusedAs }), 3);
