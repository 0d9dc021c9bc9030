// Bodies of orders at venue B (venue-b.md §5): the structs that bodies must have, and the conversion of their texts to the exchange's
// integers. Thread of the paper exchanges.

import type { JsonObject } from '../../../core/domain/json.ts';
import { ASK, BID } from '../../../core/domain/market.ts';
import {
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { Uuids } from '../../ids.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Amendment, NewOrder } from '../records.ts';
import { errorOf, invalidOrder, MARKET_NOT_FOUND, type VenueBError } from './errors.ts';
import type { Struct } from './go-body.ts';
import { isNamed } from './route.ts';

const SIDES = ['bid', 'ask'] as const;
/** The bound of the FIX gateway (venue-b.md §5.1). */
const CLIENT_ORDER_ID_CHARACTERS_MAX = 64;
const PRICE_DECIMALS_MAX = 4;
const COUNT_DECIMALS_MAX = 2;
/** The end of the year 9999: the last time of RFC 3339, the format in which answers state an order's expiry. */
const EXPIRES_S_MAX = 253_402_300_799;

const TIMES_IN_FORCE = {
  good_till_canceled: 'GTC',
  immediate_or_cancel: 'IOC',
  fill_or_kill: 'FOK',
} as const;

const clientOrderId = { type: 'string', charactersMax: CLIENT_ORDER_ID_CHARACTERS_MAX } as const;
const required = { type: 'string', isRequired: true } as const;

export const CREATE_ORDER: Struct = {
  name: 'CreateOrderV2Request',
  fields: {
    ticker: required,
    client_order_id: clientOrderId,
    side: { ...required, oneOf: SIDES },
    count: required,
    price: required,
    time_in_force: { ...required, oneOf: Object.keys(TIMES_IN_FORCE) },
    self_trade_prevention_type: { ...required, oneOf: ['taker_at_cross', 'maker'] },
    post_only: { type: 'bool' },
    reduce_only: { type: 'bool' },
    cancel_order_on_pause: { type: 'bool' },
    expiration_time: { type: 'int' },
    order_group_id: { type: 'string' },
    subaccount: { type: 'int' },
    exchange_index: { type: 'int' },
  },
};

export const AMEND_ORDER: Struct = {
  name: 'AmendOrderV2Request',
  fields: {
    ticker: required,
    side: { ...required, oneOf: SIDES },
    price: required,
    count: required,
    client_order_id: clientOrderId,
    updated_client_order_id: clientOrderId,
    expiration_time: { type: 'int' },
    exchange_index: { type: 'int' },
  },
};

export const DECREASE_ORDER: Struct = {
  name: 'DecreaseOrderV2Request',
  fields: {
    reduce_by: { type: 'string' },
    reduce_to: { type: 'string' },
    market_ticker: { type: 'string' },
    exchange_index: { type: 'int' },
  },
};

const CANCEL_ORDER: Struct = {
  name: 'BatchCancelOrdersV2RequestOrder',
  fields: {
    order_id: required,
    market_ticker: { type: 'string' },
    subaccount: { type: 'int' },
    exchange_index: { type: 'int' },
  },
};

export const CREATE_ORDERS: Struct = {
  name: 'BatchCreateOrdersV2Request',
  fields: { orders: { type: 'array', isRequired: true, items: CREATE_ORDER } },
};

export const CANCEL_ORDERS: Struct = {
  name: 'BatchCancelOrdersV2Request',
  fields: { orders: { type: 'array', isRequired: true, items: CANCEL_ORDER } },
};

/** Returns the request of a valid `CREATE_ORDER`. An order without a client id gets one. */
export function newOrderOf(body: JsonObject, exchange: VenueBExchange, uuids: Uuids): Result<NewOrder, VenueBError> {
  const market = exchange.markets.get(body.ticker as string);
  if (market === undefined || !isNamed(market, body.exchange_index)) return fail(MARKET_NOT_FOUND);
  const price = priceOf(body.price as string);
  if (!price.ok) return price;
  const size = countOf(body.count as string);
  if (!size.ok) return size;
  const timeInForce = TIMES_IN_FORCE[body.time_in_force as keyof typeof TIMES_IN_FORCE];
  const expiresS = (body.expiration_time ?? null) as number | null;
  if (expiresS !== null && timeInForce !== 'GTC') {
    return fail(invalidOrder('expiration_time can only be used with good_till_canceled orders'));
  }
  if (expiresS !== null && expiresS > EXPIRES_S_MAX) return fail(invalidOrder('invalid expiration_time'));
  return ok({
    clientOrderId: textOrNull(body.client_order_id) ?? uuids.next(),
    market,
    side: body.side === 'bid' ? BID : ASK,
    price: price.value,
    size: size.value,
    timeInForce,
    expiresAt: expiresS === null ? null : ((expiresS * 1000) as UnixMillis),
    selfTrade: body.self_trade_prevention_type as NewOrder['selfTrade'],
    postOnly: body.post_only === true,
    reduceOnly: body.reduce_only === true,
    orderGroupId: textOrNull(body.order_group_id),
    isCancelledOnPause: body.cancel_order_on_pause === true,
  });
}

/** Returns the request of a valid `AMEND_ORDER`. */
export function amendmentOf(body: JsonObject): Result<Amendment, VenueBError> {
  const price = priceOf(body.price as string);
  if (!price.ok) return price;
  const total = countOf(body.count as string);
  if (!total.ok) return total;
  const expiresS = (body.expiration_time ?? null) as number | null;
  if (expiresS !== null && expiresS > EXPIRES_S_MAX) return fail(invalidOrder('invalid expiration_time'));
  return ok({
    ticker: body.ticker as string,
    side: body.side === 'bid' ? BID : ASK,
    price: price.value,
    total: total.value,
    expiresAt: expiresS === null ? 'as before' : expiresS === 0 ? null : ((expiresS * 1000) as UnixMillis),
    clientOrderId: textOrNull(body.client_order_id),
    updatedClientOrderId: textOrNull(body.updated_client_order_id),
  });
}

/** Returns the request of a valid `DECREASE_ORDER`. */
export function decreaseOf(
  body: JsonObject,
): Result<{ readonly by: MicroShares } | { readonly to: MicroShares }, VenueBError> {
  const [by, to] = [textOrNull(body.reduce_by), textOrNull(body.reduce_to)];
  if ((by === null) === (to === null))
    return fail(invalidOrder('exactly one of reduce_by and reduce_to must be given'));
  const count = countOf((by ?? to)!);
  if (!count.ok) return count;
  return ok(by === null ? { to: count.value } : { by: count.value });
}

/** Reads a count with at most two decimals. */
export function countOf(text: string): Result<MicroShares, VenueBError> {
  const decimals = decimalsOf(text);
  if (decimals > COUNT_DECIMALS_MAX)
    return fail(invalidOrder(`invalid count: invalid contract precision: -${decimals}`));
  const count = parseMicroShares(text);
  return count === null ? fail(invalidOrder('invalid count')) : ok(count);
}

function priceOf(text: string): Result<Ticks, VenueBError> {
  const decimals = decimalsOf(text);
  if (decimals > PRICE_DECIMALS_MAX) return fail(invalidOrder(`invalid price: invalid dollar precision: -${decimals}`));
  const price = parseTicks(text);
  return price === null ? fail(errorOf(400, 'invalid_price')) : ok(price);
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
