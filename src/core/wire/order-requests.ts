// Reads the bodies of submissions from untrusted JSON (interface §2.2, contract §4.1, beyond §1). Every field has a type and a rule, and
// every error has the field's path. Unknown fields are refused, since a mistyped `postonly` must not trade. Engine thread and main thread.

import { limits } from '../../limits.ts';
import { isoMillisOf } from '../domain/iso-time.ts';
import { isObject, type JsonObject } from '../domain/json.ts';
import { TICKER_PATTERN, type Venue } from '../domain/market.ts';
import {
  formatMicroShares,
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TICKS_PER_CENT,
  type Ticks,
  type UnixMillis,
  unixMillisOf,
} from '../domain/numbers.ts';
import type { OrderId } from '../domain/order.ts';
import type { VenueAOrderRequest, VenueBOrderRequest, VenueBTerms } from '../domain/order-request.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import {
  FieldError,
  readBoolean,
  readDecimalText,
  readInteger,
  readName,
  readObject,
  readOneOf,
  readString,
  refuseUnknown,
  resultOf,
} from './fields.ts';

/** Reads an order at venue A. An error names the field and the rule. */
export function readVenueAOrder(body: JsonObject): Result<VenueAOrderRequest, string> {
  return resultOf(() =>
    readOneOf(body.type, 'type', ['LIMIT', 'MARKET']) === 'LIMIT' ? limitOrder(body) : marketOrder(body),
  );
}

export function readVenueBOrder(body: JsonObject): Result<VenueBOrderRequest, string> {
  return resultOf(() => {
    refuseUnknown(body, '', VENUE_B_FIELDS);
    const { type, expiresAt } = readRestingTime(body.timeInForce, ['GTC', 'IOC', 'FOK', 'GTD']);
    const terms = venueBTerms(body, type, expiresAt);
    return {
      venue: 'venue_b',
      ticker: ticker(body.ticker),
      side: readOneOf(body.side, 'side', ['YES', 'NO']),
      action: readOneOf(body.action, 'action', ['BUY', 'SELL']),
      size: eitherSize(body),
      price: eitherPrice(body),
      timeInForce: type,
      ...(terms === null ? null : { terms }),
    };
  });
}

const VENUE_B_FIELDS = [
  ...['ticker', 'side', 'action', 'count', 'size', 'priceCents', 'price', 'timeInForce'],
  ...['postOnly', 'reduceOnly', 'selfTrade'],
];

/** Returns the terms, or null if all have their defaults. */
function venueBTerms(
  body: JsonObject,
  type: VenueBOrderRequest['timeInForce'],
  expiresAt: UnixMillis | null,
): VenueBTerms | null {
  const postOnly = body.postOnly !== undefined && readBoolean(body.postOnly, 'postOnly');
  const reduceOnly = body.reduceOnly !== undefined && readBoolean(body.reduceOnly, 'reduceOnly');
  const selfTrade =
    body.selfTrade === undefined
      ? 'CANCEL_TAKER'
      : readOneOf(body.selfTrade, 'selfTrade', ['CANCEL_TAKER', 'CANCEL_MAKER']);
  const rests = type === 'GTC' || type === 'GTD';
  if (postOnly && !rests) throw new FieldError('postOnly', `must not be with timeInForce ${type}, which never rests`);
  if (reduceOnly && rests) {
    throw new FieldError('reduceOnly', `must be with timeInForce IOC or FOK: the venue takes it with no other`);
  }
  const isPlain = expiresAt === null && !postOnly && !reduceOnly && selfTrade === 'CANCEL_TAKER';
  return isPlain ? null : { expiresAt, postOnly, reduceOnly, selfTrade };
}

/**
 * Reads `{price?, size}`, or at venue B `{price | priceCents, size | count}`, with at least one member. Null keeps the term of the order.
 * The size is the total of both orders.
 */
export function readReplacement(
  venue: Venue,
  body: JsonObject,
): Result<{ readonly price: Ticks | null; readonly total: MicroShares | null }, string> {
  return resultOf(() => {
    const isA = venue === 'venue_a';
    refuseUnknown(body, '', isA ? ['price', 'size'] : ['price', 'priceCents', 'count', 'size']);
    const total = givenSize(body, isA ? SHARES : CONTRACTS);
    if (body.price === undefined && body.priceCents === undefined && total === null)
      throw new FieldError('price', `at least one of price and ${isA ? 'size' : 'count or size'} must be given`);
    if (body.price !== undefined && body.priceCents !== undefined)
      throw new FieldError('price', 'must not be given beside priceCents');
    const priced = body.priceCents === undefined ? null : cents(body.priceCents);
    return {
      price: body.price === undefined ? priced : price(body.price, 'price'),
      total,
    };
  });
}

/** Reads `{timeoutMs}`. 0 disarms the switch. */
export function readCancelAfter(body: JsonObject): Result<number, string> {
  return resultOf(() => {
    refuseUnknown(body, '', ['timeoutMs']);
    if (body.timeoutMs === 0) return 0;
    const { cancelAfterMsMin: min, cancelAfterMsMax: max } = limits;
    return readInteger(body.timeoutMs, 'timeoutMs', { min, max, besides: '0, or ', named: CANCEL_AFTER_LIMITS });
  });
}

const ORDER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Reads an order id from a caller's text: lower-case hex in UUID form. */
export function readOrderId(text: string): OrderId | null {
  return ORDER_ID.test(text) ? (text as OrderId) : null;
}

/** Reads the market for which orders are cancelled. A mistyped market must not look like a market without orders. */
export function readCancelledMarket(venue: Venue, address: string): Result<string, string> {
  if (venue === 'venue_b') return resultOf(() => ticker(address));
  return DIGITS.test(address) ? ok(address) : fail('tokenId: must be decimal digits');
}

const CANCEL_AFTER_LIMITS = ' (cancelAfterMsMin, cancelAfterMsMax)';
const DIGITS = /^\d+$/;
/**
 * The form of a price (contract §1): no exponent, no sign, and at most as many decimals as are stored. The prices 0 and 1 are on no grid;
 * the grid check names the nearest price.
 */
const PRICE = /^(0(\.\d{1,4})?|1(\.0{1,4})?)$/;
const QUANTITY = /^(0|[1-9]\d{0,15})(\.\d{1,2})?$/;
const DECIMAL = /^(\d{1,30})(?:\.(\d{1,30}))?$/;
const MICROS_PER_HUNDREDTH = 10_000;
const MICROS_PER_TICK = 100;

function limitOrder(body: JsonObject): VenueAOrderRequest {
  refuseUnknown(body, '', ['tokenId', 'side', 'type', 'size', 'price', 'postOnly', 'timeInForce']);
  const { type, expiresAt } = readRestingTime(body.timeInForce, ['GTC', 'GTD']);
  return {
    venue: 'venue_a',
    type: 'LIMIT',
    tokenId: token(body.tokenId),
    side: readOneOf(body.side, 'side', ['BUY', 'SELL']),
    size: hundredths(body.size, 'size', SHARES),
    price: price(body.price, 'price'),
    postOnly: body.postOnly === undefined ? false : readBoolean(body.postOnly, 'postOnly'),
    ...(type === 'GTC' ? { timeInForce: type } : { timeInForce: type, expiresAt: expiresAt! }),
  };
}

function marketOrder(body: JsonObject): VenueAOrderRequest {
  refuseUnknown(body, '', ['tokenId', 'side', 'type', 'amount', 'timeInForce', 'worstPrice']);
  const side = readOneOf(body.side, 'side', ['BUY', 'SELL']);
  const amount = hundredths(body.amount, 'amount', side === 'BUY' ? DOLLARS : SHARES);
  const common = {
    venue: 'venue_a',
    type: 'MARKET',
    tokenId: token(body.tokenId),
    worstPrice: body.worstPrice === undefined ? null : price(body.worstPrice, 'worstPrice'),
    timeInForce: timeInForce(body.timeInForce, ['FOK', 'FAK']) ?? 'FOK',
  } as const;
  // Dollars and shares both have six decimals here.
  return side === 'BUY'
    ? { ...common, side, dollars: amount as number as MicroDollars }
    : { ...common, side, size: amount };
}

function ticker(value: unknown): string {
  const text = readName(value, 'ticker', 'marketAddressCharactersMax');
  if (TICKER_PATTERN.test(text)) return text;
  throw new FieldError('ticker', `must match ${TICKER_PATTERN.source}: upper case, segments joined by - or .`);
}

function token(value: unknown): string {
  return readName(value, 'tokenId', 'marketAddressCharactersMax');
}

function price(value: unknown, field: string): Ticks {
  const text = readDecimalText(value, field, '0.53');
  const ticks = PRICE.test(text) ? parseTicks(text) : null;
  if (ticks !== null) return ticks;
  const range = { step: MICROS_PER_TICK, min: MICROS_PER_TICK, max: MICROS_PER_SHARE - MICROS_PER_TICK };
  const hint = inDollars(text) ?? nearestTo(text, range);
  throw new FieldError(field, `must be decimal text between 0 and 1, with at most 4 decimals${hint}`);
}

const CENTS = /^([1-9]\d?)(?:\.(\d{1,2}))?$/;

/** Returns the suggestion for a text that is a price in cents. */
function inDollars(text: string): string | null {
  const [, cents, parts = ''] = CENTS.exec(text) ?? [];
  return cents === undefined ? null : `; prices are in dollars: is 0.${cents.padStart(2, '0')}${parts} meant?`;
}

function cents(value: unknown): Ticks {
  return (readInteger(value, 'priceCents', { min: 1, max: 99 }) * TICKS_PER_CENT) as Ticks;
}

function eitherPrice({ price: dollars, priceCents }: JsonObject): Ticks {
  if (dollars !== undefined && priceCents !== undefined)
    throw new FieldError('price', 'exactly one of price and priceCents must be given');
  if (dollars !== undefined) return price(dollars, 'price');
  if (priceCents !== undefined) return cents(priceCents);
  throw new FieldError('priceCents', 'is missing; exactly one of price (dollars) and priceCents must be given');
}

/** The range of a quantity, in millionths. */
interface Quantity {
  readonly min: number;
  readonly max: number;
  /** The limit that sets the maximum. */
  readonly named: 'sharesPerOrderMax' | 'contractsPerOrderMax' | 'dollarsPerOrderMax';
}

const SHARES: Quantity = {
  min: MICROS_PER_HUNDREDTH,
  max: limits.sharesPerOrderMax * MICROS_PER_SHARE,
  named: 'sharesPerOrderMax',
};
const CONTRACTS: Quantity = {
  min: MICROS_PER_HUNDREDTH,
  max: limits.contractsPerOrderMax * MICROS_PER_SHARE,
  named: 'contractsPerOrderMax',
};
/** A MARKET BUY is for at least one dollar (contract §4.1). */
const DOLLARS: Quantity = {
  min: MICROS_PER_DOLLAR,
  max: limits.dollarsPerOrderMax * MICROS_PER_DOLLAR,
  named: 'dollarsPerOrderMax',
};

/** Reads a quantity with at most two decimals (contract §4.1). The market decides its own minimum. */
function hundredths(value: unknown, field: string, { min, max, named }: Quantity): MicroShares {
  const text = readDecimalText(value, field, '100');
  const micros = QUANTITY.test(text) ? parseMicroShares(text) : null;
  if (micros !== null && micros > 0 && micros <= max) return micros;
  const most = `${limits[named]} (${named})`;
  const nearest = nearestTo(text, { step: MICROS_PER_HUNDREDTH, min, max });
  throw new FieldError(field, `must be decimal text above 0 and up to ${most}, with at most 2 decimals${nearest}`);
}

/**
 * Returns the text of the nearest value that this rule allows, in millionths; the market may still refuse it. Empty if the value is no
 * decimal.
 */
function nearestTo(
  text: string,
  { step, min, max }: { readonly step: number; readonly min: number; readonly max: number },
): string {
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return '';
  const micros = Number(whole) * MICROS_PER_SHARE + Number(decimals.slice(0, 6).padEnd(6, '0'));
  const nearest = Math.min(Math.max(Math.round(micros / step) * step, min), max);
  return `; the nearest such is ${formatMicroShares(nearest as MicroShares)}`;
}

/** Reads `size` or `count` (beyond §10): `count` is whole, as interface §2.2 says, and `size` may have hundredths. */
function eitherSize(body: JsonObject): MicroShares {
  const size = givenSize(body, CONTRACTS);
  if (size !== null) return size;
  throw new FieldError('count', 'is missing; exactly one of count (whole contracts) and size must be given');
}

/** Reads `size` or `count`. Returns null if neither member is given. */
function givenSize({ size, count }: JsonObject, range: Quantity): MicroShares | null {
  if (size === undefined) return count === undefined ? null : contracts(count);
  if (count !== undefined) throw new FieldError('size', 'must not be given beside count');
  return hundredths(size, 'size', range);
}

function contracts(value: unknown): MicroShares {
  const range = { min: 1, max: limits.contractsPerOrderMax, named: ' (contractsPerOrderMax)' };
  return (readInteger(value, 'count', range) * MICROS_PER_SHARE) as MicroShares;
}

/** Returns null if the member is absent. */
function timeInForce<const Type extends string>(value: unknown, types: readonly Type[]): Type | null {
  if (value === undefined) return null;
  const fields = isObject(value) ? value : readObject(value, 'timeInForce');
  refuseUnknown(fields, 'timeInForce', ['type']);
  return readOneOf(fields.type, 'timeInForce.type', types);
}

interface Lasting<Type extends string> {
  readonly type: Type | 'GTC';
  /** The time at which the order ends. Null unless GTD. */
  readonly expiresAt: UnixMillis | null;
}

/** Reads the time in force of an order that may rest. GTC if absent. */
function readRestingTime<const Type extends string>(value: unknown, types: readonly Type[]): Lasting<Type> {
  if (value === undefined) return { type: 'GTC', expiresAt: null };
  const fields = isObject(value) ? value : readObject(value, 'timeInForce');
  refuseUnknown(fields, 'timeInForce', ['type', 'expiresAt']);
  const type = readOneOf(fields.type, 'timeInForce.type', types);
  if (type === 'GTD') return { type, expiresAt: expiry(fields.expiresAt) };
  if (fields.expiresAt === undefined) return { type, expiresAt: null };
  throw new FieldError('timeInForce.expiresAt', 'must be with type GTD only');
}

const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|\+00:00)$/;

/** Reads the time at which a GTD order ends. The time is rounded down, because both venues count whole seconds. */
function expiry(value: unknown): UnixMillis {
  const text = readString(value, 'timeInForce.expiresAt');
  const [, seconds = ''] = UTC_TIME.exec(text) ?? [];
  const millis = unixMillisOf(isoMillisOf(seconds) ?? 0);
  if (millis !== null) return millis;
  const rule = 'must be a time in UTC that ends in Z or +00:00, like "2026-11-20T18:30:00Z"';
  throw new FieldError('timeInForce.expiresAt', `${rule}; a fraction of a second is cut off`);
}
