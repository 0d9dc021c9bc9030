// The views of orders and fills as tables: each JSON member with the field of proto/orderbook.proto that holds it as an integer. One table
// reads JSON, and converts a view to the binary form and back, so both forms carry one view. Main thread, and clients.

import { SETTLEMENTS } from '../domain/fill.ts';
import { isoMillisOf } from '../domain/iso-time.ts';
import { BOOK_STATES, VENUES } from '../domain/market.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
  TIME_MAX,
  type Ticks,
} from '../domain/numbers.ts';
import {
  CANCEL_REASONS,
  ORDER_ERROR_CODES,
  ORDER_STATUSES,
  type OrderError,
  type VenueError,
} from '../domain/order.ts';
import { WALLET_ACTION_KINDS, WALLET_ACTION_STATUSES } from '../domain/wallet-action.ts';
import type {
  WireActionEvent,
  WireFill,
  WireLossLimitEvent,
  WireOrderError,
  WireProtectionEvent,
  WireQueueEvent,
  WireVenueAOrder,
  WireVenueBOrder,
  WireVenueError,
} from '../generated/protobuf-types.ts';
import {
  FieldError,
  type Fields,
  readBoolean,
  readCount,
  readInt64,
  readObject,
  readOneOf,
  readString,
  readUint64,
} from './fields.ts';
import {
  type ActionView,
  type FillView,
  PROTECTION_STATES,
  type ProtectionView,
  QUEUE_BASES,
  type QueueView,
  type VenueAOrderView,
  type VenueBOrderView,
} from './order-views.ts';
import type { LossLimitView } from './reports.ts';

/** The conversion of one kind of member. `toProto` and `fromProto` are inverse to each other, and never get null. */
interface Kind<Value> {
  fromJson(value: unknown, path: string): Value;
  toProto(value: Value): unknown;
  fromProto(value: unknown, path: string): Value;
}

interface Member<Value, Field extends string = string> {
  /** The name of the field in protobufjs. */
  readonly field: Field;
  fromJson(value: unknown, path: string): Value;
  toProto(value: Value): unknown;
  /** Returns the value of the member. `wire` is the message, with or without the field. */
  fromProto(wire: Fields, path: string): Value;
}

/** The members of a view in the sequence in which they are written, each with a field of the message. */
type Shape<View, Wire = Fields> = {
  readonly [Name in keyof View]-?: Member<View[Name], keyof Wire & string>;
};

export function viewFromJson<View>(shape: Shape<View>, value: unknown, path: string): View {
  const fields = readObject(value, path);
  return eachMember(shape, (name, member) => member.fromJson(fields[name], `${path}.${name}`));
}

/** Returns the fields under their names in protobufjs. */
export function viewToProto<View>(shape: Shape<View>, view: View): object {
  const names = Object.keys(shape) as (keyof View)[];
  return Object.fromEntries(names.map(name => [shape[name].field, shape[name].toProto(view[name])]));
}

export function viewFromProto<View>(shape: Shape<View>, wire: object | null, path: string): View {
  const fields = readObject(wire, path);
  return eachMember(shape, (name, member) => member.fromProto(fields, `${path}.${name}`));
}

/** Builds a view from its members. This relies on `Shape`, which has every member of its view, each with its type. */
function eachMember<View>(shape: Shape<View>, read: (name: string, member: Member<unknown>) => unknown): View {
  const members = Object.entries<Member<unknown>>(shape as Readonly<Record<string, Member<unknown>>>);
  return Object.fromEntries(members.map(([name, member]) => [name, read(name, member)])) as View;
}

const same = <Value>(value: Value): Value => value;

const text: Kind<string> = { fromJson: readString, toProto: same, fromProto: readString };
const boolean: Kind<boolean> = { fromJson: readBoolean, toProto: same, fromProto: readBoolean };
const integer: Kind<number> = { fromJson: readCount, toProto: same, fromProto: readCount };

/** The kind for amounts with six decimals: micro-shares and micro-dollars. */
const micros: Kind<string> = {
  fromJson: readMicrosText,
  toProto: value => parseMicroShares(value),
  fromProto: value => formatMicroShares(readUint64(value) as MicroShares),
};

const signedMicros: Kind<string> = {
  fromJson: (value, path) => {
    const decimal = readString(value, path);
    readMicrosText(decimal.replace(/^-/, ''), path);
    return decimal;
  },
  toProto: value => (value.startsWith('-') ? -parseMicroShares(value.slice(1))! : parseMicroShares(value)),
  fromProto: value => formatMicroShares(readInt64(value) as MicroShares),
};

const ticks: Kind<string> = {
  fromJson: readTicksText,
  toProto: value => parseTicks(value),
  fromProto: (value, path) => {
    const price = readCount(value, path);
    if (price > TICKS_PER_DOLLAR) throw new FieldError(path, `must be at most ${TICKS_PER_DOLLAR}`);
    return formatTicks(price as Ticks);
  },
};

const time: Kind<string> = {
  fromJson: readTimeText,
  toProto: value => isoMillisOf(value)!,
  fromProto: (value, path) => readTimeText(timeText(readUint64(value)), path),
};

const error: Kind<OrderError> = {
  fromJson: (value, path) => viewFromJson(ERROR, value, path),
  toProto: value => viewToProto(ERROR, value),
  fromProto: (value, path) => viewFromProto(ERROR, readObject(value, path), path),
};

const venueError: Kind<VenueError> = {
  fromJson: (value, path) => viewFromJson(VENUE_ERROR, value, path),
  toProto: value => viewToProto(VENUE_ERROR, value),
  fromProto: (value, path) => viewFromProto(VENUE_ERROR, readObject(value, path), path),
};

const timeInForce: Kind<VenueBOrderView['timeInForce']> = {
  fromJson: (value, path) => ({ type: readOneOf(readObject(value, path).type, `${path}.type`, TIMES_IN_FORCE) }),
  toProto: value => value.type,
  fromProto: (value, path) => ({ type: readOneOf(value, path, TIMES_IN_FORCE) }),
};
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD'] as const;

function word<const Word extends string>(words: readonly Word[]): Kind<Word> {
  const read = (value: unknown, path: string) => readOneOf(value, path, words);
  return { fromJson: read, toProto: same, fromProto: read };
}

function as<Field extends string, Value>(field: Field, kind: Kind<Value>): Member<Value, Field> {
  return { field, ...kind, fromProto: (wire, path) => kind.fromProto(wire[field], path) };
}

/** A member that may be null in JSON. Its field is then absent in the binary form. */
function optional<Field extends string, Value>(field: Field, kind: Kind<Value>): Member<Value | null, Field> {
  return {
    field,
    fromJson: (value, path) => (value === null ? null : kind.fromJson(value, path)),
    toProto: value => (value === null ? null : kind.toProto(value)),
    // This looks at own properties, because protobufjs reads an absent 64-bit integer as zero, whether it is optional or not.
    fromProto: (wire, path) => (Object.hasOwn(wire, field) ? kind.fromProto(wire[field], path) : null),
  };
}

const ERROR: Shape<OrderError, WireOrderError> = {
  code: as('code', word(ORDER_ERROR_CODES)),
  message: optional('message', text),
};

const VENUE_ERROR: Shape<VenueError, WireVenueError> = {
  code: optional('code', text),
  message: as('message', text),
};

const LIFE = {
  status: as('status', word(ORDER_STATUSES)),
  venueOrderId: optional('venueOrderId', text),
  createdAt: as('createdAtMs', time),
  updatedAt: as('updatedAtMs', time),
};

const AMOUNTS = {
  averagePrice: optional('averagePriceMicros', micros),
  feesUsd: optional('feesMicros', micros),
  closedAt: optional('closedAtMs', time),
  error: optional('error', error),
};

const ORIGIN = {
  clientOrderId: optional('clientOrderId', text),
  expiresAt: optional('expiresAtMs', time),
  cancelReason: optional('cancelReason', word(CANCEL_REASONS)),
  venueError: optional('venueError', venueError),
};

export const ACTION: Shape<ActionView, WireActionEvent> = {
  actionId: as('actionId', text),
  kind: as('kind', word(WALLET_ACTION_KINDS)),
  tokenId: as('tokenId', text),
  shares: as('sharesMicros', micros),
  amountUsd: as('amountMicros', micros),
  status: as('status', word(WALLET_ACTION_STATUSES)),
  transactionHash: optional('transactionHash', text),
  createdAt: as('createdAtMs', time),
  updatedAt: as('updatedAtMs', time),
  error: optional('error', error),
};

export const VENUE_A_ORDER: Shape<VenueAOrderView, WireVenueAOrder> = {
  orderId: as('orderId', text),
  tokenId: as('tokenId', text),
  side: as('side', word(['BUY', 'SELL'])),
  type: as('type', word(['LIMIT', 'MARKET'])),
  size: optional('sizeMicros', micros),
  price: optional('priceTicks', ticks),
  amount: optional('amountMicros', micros),
  postOnly: optional('postOnly', boolean),
  ...LIFE,
  filledShares: optional('filledMicros', micros),
  ...AMOUNTS,
  ...ORIGIN,
};

export const VENUE_B_ORDER: Shape<VenueBOrderView, WireVenueBOrder> = {
  orderId: as('orderId', text),
  ticker: as('ticker', text),
  side: as('side', word(['YES', 'NO'])),
  action: as('action', word(['BUY', 'SELL'])),
  count: optional('count', integer),
  size: as('sizeMicros', micros),
  priceCents: optional('priceCents', integer),
  price: as('priceTicks', ticks),
  timeInForce: as('timeInForce', timeInForce),
  ...LIFE,
  filledCount: optional('filledMicros', micros),
  ...AMOUNTS,
  ...ORIGIN,
  postOnly: as('postOnly', boolean),
  reduceOnly: as('reduceOnly', boolean),
};

export const FILL: Shape<FillView, WireFill> = {
  fillId: as('fillId', text),
  venueTradeId: as('venueTradeId', text),
  price: as('priceTicks', ticks),
  size: as('sizeMicros', micros),
  feesUsd: as('feesMicros', micros),
  liquidity: optional('liquidity', word(['MAKER', 'TAKER'])),
  settlement: as('settlement', word(SETTLEMENTS)),
  executedAt: as('executedAtMs', time),
};

export const PROTECTION: Shape<ProtectionView, WireProtectionEvent> = {
  venue: as('venue', word(VENUES)),
  address: optional('address', text),
  fillsMax: optional('fillsMax', integer),
  sharesMax: optional('sharesMaxMicros', micros),
  windowMs: as('windowMs', integer),
  state: as('state', word(PROTECTION_STATES)),
  setAt: as('setAtMs', time),
  triggeredAt: optional('triggeredAtMs', time),
  fills: as('fills', integer),
  shares: as('sharesMicros', micros),
};

export const LOSS_LIMIT: Shape<LossLimitView, WireLossLimitEvent> = {
  lossMaxUsd: as('lossMaxMicros', micros),
  lossUsd: as('lossMicros', signedMicros),
  leftUsd: as('leftMicros', micros),
  cancels: as('cancels', boolean),
  since: as('sinceMs', time),
  until: as('untilMs', time),
  reachedAt: optional('reachedAtMs', time),
  positions: as('positions', integer),
  positionsWithOldPrices: as('positionsWithOldPrices', integer),
};

export const QUEUE: Shape<QueueView, WireQueueEvent> = {
  low: as('lowMicros', micros),
  high: optional('highMicros', micros),
  basis: as('basis', word(QUEUE_BASES)),
  book: optional('book', word(BOOK_STATES)),
};

function readMicrosText(value: unknown, path: string): string {
  const decimal = readString(value, path);
  if (parseMicroShares(decimal) === null) throw new FieldError(path, 'must be a decimal with at most 6 decimals');
  return decimal;
}

function readTicksText(value: unknown, path: string): string {
  const decimal = readString(value, path);
  if (parseTicks(decimal) === null) throw new FieldError(path, 'must be a decimal from 0 to 1, at most 4 decimals');
  return decimal;
}

function readTimeText(value: unknown, path: string): string {
  const iso = readString(value, path);
  const time = isoMillisOf(iso);
  if (time === null || time < 0) throw new FieldError(path, 'must be an ISO-8601 time');
  return iso;
}

/** Returns the text of a time; empty beyond the range of Date. */
function timeText(millis: number): string {
  return millis <= TIME_MAX ? new Date(millis).toISOString() : '';
}
