// An order ↔ bytes: as its record, with the kind of a refusal, and as the snapshot within an event. A separate submission record
// is written once, so that the signed body is not rewritten with every change. Pure.

import type { ApiErrorKind } from '../../domain/api-error.ts';
import type { Intent } from '../../domain/intent.ts';
import type { Venue } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { Order, OrderErrorCode, OrderStatus } from '../../domain/order.ts';
import type { OrderRequest } from '../../domain/order-request.ts';
import type { Filled } from '../../domain/order-sums.ts';
import { unreachable } from '../../domain/result.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { codec, readOptional, remembering, words, writeOptional } from './codec.ts';

export interface OrderRecord {
  readonly order: Order;
  readonly refusedAs: ApiErrorKind | null;
}

/** By order id: the place of its record, and its submission. */
export interface SubmissionRecord {
  readonly actorId: string;
  readonly venue: Venue;
  readonly createdAt: UnixMillis;
  readonly idempotencyKey: string;
  readonly intent: Intent | null;
}

export const venueWords = words<Venue>('venue', { venue_a: 0, venue_b: 1 });
export const statusWords = words<OrderStatus>('status', {
  PENDING: 0,
  SUBMITTED: 1,
  OPEN: 2,
  FILLED: 3,
  CANCELLED: 4,
  REJECTED: 5,
});
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
});
const errorCodeWords = words<OrderErrorCode>('code of an error', {
  VENUE_REJECTED: 0,
  INVALID_ORDER: 1,
  NOT_FEASIBLE: 2,
  CREDENTIALS_INVALID: 3,
  UNKNOWN: 4,
});
const forms = words<'limit' | 'market-buy' | 'market-sell' | 'venue-b'>('form of a request', {
  limit: 0,
  'market-buy': 1,
  'market-sell': 2,
  'venue-b': 3,
});
const sideWords = words<'BUY' | 'SELL'>('side', { BUY: 0, SELL: 1 });
const outcomeWords = words<'YES' | 'NO'>('outcome', { YES: 0, NO: 1 });
const marketTimeWords = words<'FOK' | 'FAK'>('time in force', { FOK: 0, FAK: 1 });
const venueBTimeWords = words<'GTC' | 'IOC' | 'FOK'>('time in force', { GTC: 0, IOC: 1, FOK: 2 });

export const orderCodec = remembering(
  codec<OrderRecord>(
    'order',
    (writer, { order, refusedAs }) => {
      writeOrder(writer, order);
      writeOptional(writer, refusedAs, kind => writer.byte(errorKindWords.code(kind)));
    },
    [
      reader => ({
        order: readOrder(reader),
        refusedAs: readOptional(reader, () => errorKindWords.read(reader)),
      }),
    ],
  ),
);

export const submissionCodec = remembering(
  codec<SubmissionRecord>(
    'submission',
    (writer, { actorId, venue, createdAt, idempotencyKey, intent }) => {
      writer.text(actorId);
      writer.byte(venueWords.code(venue));
      writer.time(createdAt);
      writer.text(idempotencyKey);
      writeIntent(writer, intent);
    },
    [
      reader => ({
        actorId: reader.name(),
        venue: venueWords.read(reader),
        createdAt: reader.time() as UnixMillis,
        idempotencyKey: reader.text(),
        intent: readIntent(reader),
      }),
    ],
  ),
);

/** An order's bytes have no version of their own: they belong to the form of the enclosing record. */
export function writeOrder(writer: ByteWriter, order: Order): void {
  writer.orderId(order.orderId);
  writer.text(order.podId);
  writer.text(order.actorId);
  writer.text(order.keyId);
  writeRequest(writer, order.request);
  writer.byte(statusWords.code(order.status));
  writer.time(order.createdAt);
  writer.time(order.updatedAt);
  writeOutcome(writer, order);
}

export function readOrder(reader: ByteReader): Order {
  // Fields of a literal are evaluated from top to bottom, so they stand in the sequence of the bytes.
  return {
    orderId: reader.orderId(),
    podId: reader.name(),
    actorId: reader.name(),
    keyId: reader.name(),
    request: readRequest(reader),
    status: statusWords.read(reader),
    createdAt: reader.time() as UnixMillis,
    updatedAt: reader.time() as UnixMillis,
    ...readOutcome(reader),
  };
}

/** The fields of a known order that can change. */
export type OrderMotion = Pick<
  Order,
  | 'keyId'
  | 'status'
  | 'updatedAt'
  | 'sentAt'
  | 'closedAt'
  | 'venueOrderId'
  | 'filled'
  | 'stated'
  | 'error'
  | 'isReleased'
  | 'cancelRequestedAt'
>;

export function writeMotion(writer: ByteWriter, motion: OrderMotion): void {
  writer.text(motion.keyId);
  writer.byte(statusWords.code(motion.status));
  writer.time(motion.updatedAt);
  writeOutcome(writer, motion);
}

export function readMotion(reader: ByteReader): OrderMotion {
  return {
    keyId: reader.name(),
    status: statusWords.read(reader),
    updatedAt: reader.time() as UnixMillis,
    ...readOutcome(reader),
  };
}

export function writeIntent(writer: ByteWriter, intent: Intent | null): void {
  writeOptional(writer, intent, ({ payload, venueOrderId, clientOrderId }) => {
    writer.bytes(payload);
    writeOptional(writer, venueOrderId, it => writer.text(it));
    writer.text(clientOrderId);
  });
}

export function readIntent(reader: ByteReader): Intent | null {
  return readOptional(reader, () => ({
    payload: reader.bytes(),
    venueOrderId: readOptional(reader, () => reader.text()),
    clientOrderId: reader.text(),
  }));
}

type Outcome = Omit<OrderMotion, 'keyId' | 'status' | 'updatedAt'>;

function writeOutcome(writer: ByteWriter, order: Outcome): void {
  writeOptional(writer, order.sentAt, at => writer.time(at));
  writeOptional(writer, order.closedAt, at => writer.time(at));
  writeOptional(writer, order.venueOrderId, id => writer.text(id));
  writeFilled(writer, order.filled);
  writeOptional(writer, order.stated, stated => writeFilled(writer, stated));
  writeOptional(writer, order.error, ({ code, message }) => {
    writer.byte(errorCodeWords.code(code));
    writeOptional(writer, message, it => writer.text(it));
  });
  writer.byte(order.isReleased ? 1 : 0);
  writeOptional(writer, order.cancelRequestedAt, at => writer.time(at));
}

function readOutcome(reader: ByteReader): Outcome {
  return {
    sentAt: readOptional(reader, () => reader.time() as UnixMillis),
    closedAt: readOptional(reader, () => reader.time() as UnixMillis),
    venueOrderId: readOptional(reader, () => reader.text()),
    filled: readFilled(reader),
    stated: readOptional(reader, () => readFilled(reader)),
    error: readOptional(reader, () => ({
      code: errorCodeWords.read(reader),
      message: readOptional(reader, () => reader.text()),
    })),
    isReleased: reader.flag(),
    cancelRequestedAt: readOptional(reader, () => reader.time() as UnixMillis),
  };
}

function writeFilled(writer: ByteWriter, { size, cost, fees }: Filled): void {
  writer.count(size);
  writer.bigInteger(cost);
  writer.integer(fees);
}

function readFilled(reader: ByteReader): Filled {
  return { size: reader.count() as MicroShares, cost: reader.bigInteger(), fees: reader.integer() as MicroDollars };
}

function writeRequest(writer: ByteWriter, request: OrderRequest): void {
  if (request.venue === 'venue_b') {
    writer.byte(forms.code('venue-b'));
    writer.text(request.ticker);
    writer.byte(outcomeWords.code(request.side));
    writer.byte(sideWords.code(request.action));
    writer.count(request.size);
    writer.count(request.price);
    writer.byte(venueBTimeWords.code(request.timeInForce));
  } else if (request.type === 'LIMIT') {
    writer.byte(forms.code('limit'));
    writer.text(request.tokenId);
    writer.byte(sideWords.code(request.side));
    writer.count(request.size);
    writer.count(request.price);
    writer.byte(request.postOnly ? 1 : 0);
  } else {
    writer.byte(forms.code(request.side === 'BUY' ? 'market-buy' : 'market-sell'));
    writer.text(request.tokenId);
    writer.count(request.side === 'BUY' ? request.dollars : request.size);
    writeOptional(writer, request.worstPrice, price => writer.count(price));
    writer.byte(marketTimeWords.code(request.timeInForce));
  }
}

function readRequest(reader: ByteReader): OrderRequest {
  const form = forms.read(reader);
  switch (form) {
    case 'venue-b':
      return {
        venue: 'venue_b',
        ticker: reader.name(),
        side: outcomeWords.read(reader),
        action: sideWords.read(reader),
        size: reader.count() as MicroShares,
        price: reader.count() as Ticks,
        timeInForce: venueBTimeWords.read(reader),
      };
    case 'limit':
      return {
        venue: 'venue_a',
        type: 'LIMIT',
        tokenId: reader.name(),
        side: sideWords.read(reader),
        size: reader.count() as MicroShares,
        price: reader.count() as Ticks,
        postOnly: reader.flag(),
        timeInForce: 'GTC',
      };
    case 'market-buy':
    case 'market-sell': {
      const tokenId = reader.name();
      const amount = reader.count();
      const worstPrice = readOptional(reader, () => reader.count() as Ticks);
      const rest = { venue: 'venue_a', type: 'MARKET', tokenId, worstPrice } as const;
      const timeInForce = marketTimeWords.read(reader);
      return form === 'market-buy'
        ? { ...rest, side: 'BUY', dollars: amount as MicroDollars, timeInForce }
        : { ...rest, side: 'SELL', size: amount as MicroShares, timeInForce };
    }
    default:
      return unreachable(form);
  }
}
