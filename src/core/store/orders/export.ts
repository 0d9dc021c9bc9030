// Exports orders, fills and positions as lines of JSON, on the command line. Money, prices and sizes are decimal text. The export contains
// no secret: sent payloads with their signatures stay in the store.

import type { Fill } from '../../domain/fill.ts';
import { type Fraction, fraction, roundHalfEven, times } from '../../domain/fraction.ts';
import { formatMicroShares, formatTicks, type UnixMillis } from '../../domain/numbers.ts';
import type { Replaces } from '../../domain/order.ts';
import { expiresAtOf, type OrderRequest } from '../../domain/order-request.ts';
import type { Filled } from '../../domain/order-sums.ts';
import type { StoredFill, StoredOrder } from '../order-records.ts';
import type { Reader } from '../tables.ts';
import { type OrderTable, readScope } from './keys.ts';
import { OrderReader } from './order-reader.ts';
import { orderCodec } from './order-record.ts';
import { fillCodec, positionCodec } from './records.ts';

/** The numbers of decimals of a dollar in micro-dollars, ticks × micro-shares and ticks. */
const MICRO_DOLLAR_DECIMALS = 6;
export const COST_DECIMALS = 10;
/** The factor that converts ticks to millionths of a dollar. */
const PRICE_DECIMALS_ADDED = fraction(100n);

/** Writes orders with their owners, by id; then fills; then positions. Returns the number of lines. */
export function exportOrders(reader: Reader<OrderTable>, write: (line: string) => void): number {
  const orders = new OrderReader(reader);
  let lines = 0;
  const line = (value: object): void => {
    write(JSON.stringify(value));
    lines += 1;
  };
  for (const { key, value } of orders.rows('orders')) line(orderLine(orderCodec.decode(value, key)));
  for (const { key, value } of orders.rows('fills')) {
    const stored = fillCodec.decode(value, key);
    const nobodys = stored.orderId === null ? readScope(key.subarray(1)) : null;
    const owner = nobodys === null ? {} : { podId: nobodys.owner, venue: nobodys.venue };
    line(fillLine(stored, owner));
  }
  for (const { key, value } of orders.rows('positions')) {
    const { venue, address, size, average, realized, fees, isRedeemable, updatedAt } = positionCodec.decode(value, key);
    line({
      type: 'position',
      actorId: readScope(key).owner,
      venue,
      address,
      size: decimalText(BigInt(size), MICRO_DOLLAR_DECIMALS),
      averagePrice: decimalText(roundHalfEven(times(average, PRICE_DECIMALS_ADDED)), MICRO_DOLLAR_DECIMALS),
      averageTicks: fractionText(average),
      realizedUsd: decimalText(roundHalfEven(realized), COST_DECIMALS),
      realizedTicksMicros: fractionText(realized),
      feesUsd: decimalText(BigInt(fees), MICRO_DOLLAR_DECIMALS),
      isRedeemable,
      updatedAt: isoTime(updatedAt),
    });
  }
  return lines;
}

function orderLine({ order, intent, refusedAs }: StoredOrder): object {
  const { request, filled, stated, createdAt, updatedAt, sentAt, closedAt, cancelRequestedAt, ...named } = order;
  const { idempotencyKey, replaces, replacedBy, ...rest } = named;
  return {
    type: 'order',
    ...rest,
    ...requestFields(request),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    sentAt: sentAt === null ? null : isoTime(sentAt),
    closedAt: closedAt === null ? null : isoTime(closedAt),
    cancelRequestedAt: cancelRequestedAt === null ? null : isoTime(cancelRequestedAt),
    filled: filledFields(filled),
    stated: stated === null ? null : filledFields(stated),
    replaces: replaces === null ? null : replacesFields(replaces),
    replacedBy,
    idempotencyKey,
    refusedAs,
    clientOrderId: intent?.clientOrderId ?? null,
    expectedVenueOrderId: intent?.venueOrderId ?? null,
  };
}

function requestFields(request: OrderRequest): object {
  if (request.venue === 'venue_b' || request.type === 'LIMIT') {
    const { size, price, ...rest } = request;
    return { request: { ...rest, size: formatMicroShares(size), price: formatTicks(price), ...termFields(request) } };
  }
  const { worstPrice, ...rest } = request;
  const worst = worstPrice === null ? null : formatTicks(worstPrice);
  return 'dollars' in rest
    ? { request: { ...rest, dollars: decimalText(BigInt(rest.dollars), MICRO_DOLLAR_DECIMALS), worstPrice: worst } }
    : { request: { ...rest, size: formatMicroShares(rest.size), worstPrice: worst } };
}

/** Returns the fields for those terms of an order that the interface lacks. */
function termFields(request: OrderRequest): object {
  const expiresAt = expiresAtOf(request);
  const until = expiresAt === null ? {} : { expiresAt: isoTime(expiresAt) };
  if (request.venue === 'venue_a' || request.terms === undefined) return until;
  const { postOnly, reduceOnly, selfTrade } = request.terms;
  return { terms: { ...until, postOnly, reduceOnly, selfTrade } };
}

function fillLine({ fill, orderId }: StoredFill, owner: object): object {
  const { price, size, fee, executedAt, ...rest }: Fill = fill;
  return {
    type: 'fill',
    orderId,
    ...owner,
    ...rest,
    price: formatTicks(price),
    size: formatMicroShares(size),
    feesUsd: decimalText(BigInt(fee), MICRO_DOLLAR_DECIMALS),
    executedAt: isoTime(executedAt),
  };
}

function filledFields({ size, cost, fees }: Filled): object {
  return {
    size: formatMicroShares(size),
    costUsd: decimalText(cost, COST_DECIMALS),
    feesUsd: decimalText(BigInt(fees), MICRO_DOLLAR_DECIMALS),
  };
}

function replacesFields({ orderId, total, venueTotal, before }: Replaces): object {
  return {
    orderId,
    total: formatMicroShares(total),
    venueTotal: formatMicroShares(venueTotal),
    before: filledFields(before),
  };
}

function isoTime(at: UnixMillis): string {
  return new Date(at).toISOString();
}

function fractionText({ numerator, denominator }: Fraction): string {
  return `${numerator}/${denominator}`;
}

/** Returns an integer with `decimals` decimals as canonical text (contract §1). */
export function decimalText(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const rest = digits.slice(-decimals).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}${rest === '' ? '' : `.${rest}`}`;
}
