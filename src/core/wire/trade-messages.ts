// The messages of /v1/trade as values (beyond §4), the reading of requests from untrusted values, and the JSON form. Both codecs decode
// into the same plain value, so they accept and refuse the same messages, with the same texts. Main thread, the engine's
// (src/gateway/door), and clients.

import { limits } from '../../limits.ts';
import { isObject, type JsonObject, parseJson } from '../domain/json.ts';
import type { Venue } from '../domain/market.ts';
import { isPlainText } from '../domain/plain-text.ts';
import { fail, ok, type Result, unreachable } from '../domain/result.ts';
import {
  FieldError,
  type Fields,
  readArray,
  readBoolean,
  readCount,
  readName,
  readObject,
  readOneOf,
  readString,
  readVenue,
  refuseUnknown,
} from './fields.ts';
import { jsonValue, memberText, refuseDoubledKey, utf8Text } from './json-text.ts';
import type { MessageRefusal } from './messages.ts';
import { replyMembers } from './replies.ts';

export type TradeRequest =
  | TradeSubmit
  | TradeBatch
  | TradeReplace
  | TradeOfOrder<'cancel'>
  /** Asks for the queue ahead of a working order. */
  | TradeOfOrder<'queue'>
  | {
      readonly op: 'cancel-all';
      readonly id: string;
      readonly venue: Venue /** Token id or ticker; null: all. */;
      readonly market: string | null;
    }
  | { readonly op: 'cancel-on-disconnect'; readonly id: string; readonly enabled: boolean }
  /** Asks for the requests that each rate leaves. */
  | { readonly op: 'limits'; readonly id: string }
  | { readonly op: 'ping'; readonly id: string };

export interface TradeSubmit {
  readonly op: 'submit';
  readonly id: string;
  readonly venue: Venue;
  readonly idempotencyKey: string;
  /** The caller's deadline in Unix milliseconds. Null means that the caller states no deadline. */
  readonly notAfter: number | null;
  /** Whether the message `accepted` is sent once the order is recorded. */
  readonly ack: boolean;
  /** The JSON text of the order: the body of the same submission over REST. */
  readonly order: Uint8Array;
}

interface TradeBatch {
  readonly op: 'batch';
  readonly id: string;
  readonly venue: Venue;
  /** The caller's deadline for all orders of the batch, as in a submission. */
  readonly notAfter: number | null;
  /** The number of orders. */
  readonly orders: number;
  /** The JSON text of the orders: the body of the same batch over REST. */
  readonly body: Uint8Array;
}

export interface TradeReplace extends Omit<TradeSubmit, 'op'> {
  readonly op: 'replace';
  /** The id of the order to be replaced. `order` is the body of its replacement over REST. */
  readonly orderId: string;
}

/** A request about one order of the actor. */
export interface TradeOfOrder<Op extends 'cancel' | 'queue'> {
  readonly op: Op;
  readonly id: string;
  readonly venue: Venue;
  /** The order's id. Null if the request names the order by its idempotency key. */
  readonly orderId: string | null;
  /** The idempotency key of the order's submission. Null if the request names the order by its id. */
  readonly idempotencyKey: string | null;
}

/** A message to the client. `id` null means that the id of the request could not be read. */
export type TradeMessage =
  | { readonly type: 'accepted'; readonly id: string; readonly orderId: string }
  | TradeResult
  | {
      readonly type: 'error';
      readonly id: string | null;
      readonly code: 'INVALID_REQUEST' | 'TOO_MANY_IN_FLIGHT';
      readonly message: string;
    }
  | { readonly type: 'pong'; readonly id: string };

/** The answer that REST would have given to the request. */
interface TradeResult {
  readonly type: 'result';
  readonly id: string;
  /** The HTTP status. */
  readonly status: number;
  /** The JSON text of the body, which is an object. */
  readonly body: string;
  /** Whether the body is an order, which stands under `order`. Otherwise the body's members stand in the message. */
  readonly isOrder: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface TradeCodec {
  readonly subprotocol: 'crossbook.v1.json' | 'crossbook.v1.proto';
  readonly isBinary: boolean;
  /** Decodes a request; never throws. */
  decode(bytes: Uint8Array): Result<TradeRequest, MessageRefusal>;
  encode(message: TradeMessage): Uint8Array | string;
  /**
   * Writes a client's request from its plain value `{op, id, …}`. Throws a FieldError for a value that this form cannot hold. The gateway
   * would refuse such a value anyway.
   */
  encodeRequest(request: JsonObject): Uint8Array | string;
  /** Reads an answer into its plain value `{type, id, …}`, for clients. Throws on bytes that no codec of this form has written. */
  decodeMessage(bytes: Uint8Array): JsonObject;
}

/** A request as a plain value `{op, id, …}`, and the JSON texts of its orders. */
export interface PlainRequest {
  readonly value: unknown;
  /** Returns the text of a member that is present. */
  readonly textOf: (member: 'order' | 'orders') => string;
}

const OPS = [
  'submit',
  'batch',
  'replace',
  'cancel',
  'cancel-all',
  'cancel-on-disconnect',
  'queue',
  'limits',
  'ping',
] as const;

/**
 * Reads a request. Never throws: each fault becomes a refusal that names the field and the rule, with the message's id if the id could be
 * read.
 */
export function readTradeRequest(read: () => PlainRequest): Result<TradeRequest, MessageRefusal> {
  let id: string | null = null;
  try {
    const { value, textOf } = read();
    const fields = readObject(value, 'message');
    id = readName(fields.id, 'id', 'streamIdCharactersMax');
    return ok(readFields(fields, id, textOf));
  } catch (error) {
    const message = error instanceof FieldError ? error.message : `message: cannot be read (${String(error)})`;
    return fail({ id, code: 'INVALID_REQUEST', message });
  }
}

function readFields(fields: Fields, id: string, textOf: PlainRequest['textOf']): TradeRequest {
  const op = readOneOf(fields.op, 'op', OPS);
  switch (op) {
    case 'submit':
      refuseUnknown(fields, '', ['op', 'id', 'venue', 'idempotencyKey', 'notAfter', 'ack', 'order']);
      return readSubmit(fields, id, textOf);
    case 'replace':
      refuseUnknown(fields, '', ['op', 'id', 'venue', 'orderId', 'idempotencyKey', 'notAfter', 'ack', 'order']);
      return { ...readSubmit(fields, id, textOf), op, orderId: readString(fields.orderId, 'orderId') };
    case 'batch':
      refuseUnknown(fields, '', ['op', 'id', 'venue', 'notAfter', 'orders']);
      return {
        op,
        id,
        venue: readVenue(fields.venue, 'venue'),
        notAfter: fields.notAfter === undefined ? null : readCount(fields.notAfter, 'notAfter'),
        orders: readArray(fields.orders, 'orders').length,
        body: Buffer.from(`{"orders":${textOf('orders')}}`),
      };
    case 'cancel':
    case 'queue':
      refuseUnknown(fields, '', ['op', 'id', 'venue', 'orderId', 'idempotencyKey']);
      if ((fields.orderId === undefined) === (fields.idempotencyKey === undefined)) {
        throw new FieldError('orderId', 'exactly one of orderId and idempotencyKey must be given');
      }
      return {
        op,
        id,
        venue: readVenue(fields.venue, 'venue'),
        orderId: fields.orderId === undefined ? null : readString(fields.orderId, 'orderId'),
        idempotencyKey: fields.idempotencyKey === undefined ? null : readIdempotencyKey(fields.idempotencyKey),
      };
    case 'cancel-all': {
      refuseUnknown(fields, '', ['op', 'id', 'venue', 'market']);
      const market =
        fields.market === undefined ? null : readName(fields.market, 'market', 'marketAddressCharactersMax');
      return { op, id, venue: readVenue(fields.venue, 'venue'), market };
    }
    case 'cancel-on-disconnect':
      refuseUnknown(fields, '', ['op', 'id', 'enabled']);
      return { op, id, enabled: readBoolean(fields.enabled, 'enabled') };
    case 'limits':
    case 'ping':
      refuseUnknown(fields, '', ['op', 'id']);
      return { op, id };
    default:
      return unreachable(op);
  }
}

function readSubmit(fields: Fields, id: string, textOf: PlainRequest['textOf']): TradeSubmit {
  readObject(fields.order, 'order');
  return {
    op: 'submit',
    id,
    venue: readVenue(fields.venue, 'venue'),
    idempotencyKey: readIdempotencyKey(fields.idempotencyKey),
    notAfter: fields.notAfter === undefined ? null : readCount(fields.notAfter, 'notAfter'),
    ack: fields.ack === undefined ? false : readBoolean(fields.ack, 'ack'),
    order: Buffer.from(textOf('order')),
  };
}

/** Reads the idempotency key of interface §4.1. */
function readIdempotencyKey(value: unknown): string {
  const key = readString(value, 'idempotencyKey');
  const problem = idempotencyKeyProblem(key);
  if (problem !== null) throw new FieldError('idempotencyKey', problem);
  return key;
}

/** Returns the rule that the key breaks, or null if it breaks none. */
export function idempotencyKeyProblem(key: string): string | null {
  const length = Buffer.byteLength(key);
  if (length === 0 || length > limits.idempotencyKeyBytesMax) {
    return `required, 1 to ${limits.idempotencyKeyBytesMax} bytes (idempotencyKeyBytesMax)`;
  }
  return isPlainText(key) ? null : 'must not hold control characters or marks of direction';
}

// The JSON form of /v1/trade: one message per text frame.

export const tradeJsonCodec: TradeCodec = {
  subprotocol: 'crossbook.v1.json',
  isBinary: false,
  decode: bytes =>
    readTradeRequest(() => {
      const text = utf8Text(bytes);
      const value = jsonValue(text);
      refuseDoubledKey(text);
      return { value, textOf: name => memberText(text, name) };
    }),
  encode: messageText,
  encodeRequest: request => JSON.stringify(request),
  decodeMessage: bytes => {
    const message = parseJson(utf8Text(bytes));
    if (!isObject(message)) throw new FieldError('message', 'must be an object');
    return message;
  },
};

function messageText(message: TradeMessage): string {
  switch (message.type) {
    case 'accepted':
    case 'pong':
      return JSON.stringify(message);
    case 'error': {
      const { type, id, code, message: words } = message;
      return JSON.stringify({ type, ...(id === null ? {} : { id }), code, message: words });
    }
    case 'result':
      return `{"type":"result","id":${JSON.stringify(message.id)},${replyMembers(message, message.isOrder)}}`;
    default:
      return unreachable(message);
  }
}
