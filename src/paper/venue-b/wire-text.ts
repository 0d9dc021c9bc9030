// Texts of prices, contracts, money, sides and times at venue B (venue-b.md §3), for REST and stream alike. Thread of
// the paper exchanges.

import { BID, type Side } from '../../core/domain/market.ts';
import {
  complementTicks,
  MICROS_PER_DOLLAR,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';

export const REST_PATH = '/trade-api/v2';
export const STREAM_PATH = '/trade-api/ws/v2';

const MICROS_PER_CENTI = 10_000;
export const MICROS_PER_CENT = 10_000;
export const MICROS_PER_CENTICENT = 100;

/** A price such as `0.5600`. */
export function priceText(price: Ticks): string {
  return `${Math.floor(price / 10_000)}.${String(price % 10_000).padStart(4, '0')}`;
}

/** The price of NO: `0.4400`. */
export function noPriceText(price: Ticks): string {
  return priceText(complementTicks(price));
}

/** Contracts, signed: `-5.00`. */
export function countText(size: MicroShares): string {
  const centi = Math.round(Math.abs(size) / MICROS_PER_CENTI);
  return `${sign(size)}${Math.floor(centi / 100)}.${String(centi % 100).padStart(2, '0')}`;
}

/** Fees and costs, signed: `0.017500`. */
export function moneyText(amount: MicroDollars): string {
  const micros = Math.abs(amount);
  return `${sign(amount)}${Math.floor(micros / MICROS_PER_DOLLAR)}.${String(micros % MICROS_PER_DOLLAR).padStart(6, '0')}`;
}

/** A balance in steps of $0.0001, the rest cut off: `98.0186` (venue-b.md §6). */
export function balanceText(amount: MicroDollars): string {
  return priceText(Math.floor(amount / MICROS_PER_CENTICENT) as Ticks);
}

/** Whole cents, the rest cut off. */
export function centsOf(amount: MicroDollars): number {
  return Math.floor(amount / MICROS_PER_CENT);
}

/** Money on the stream: four decimals if they are exact. */
export function shortMoneyText(amount: MicroDollars): string {
  return moneyText(amount).replace(/00$/, '');
}

function sign(value: MicroShares | MicroDollars): string {
  return value < 0 ? '-' : '';
}

/** `2026-06-11T06:29:20.866Z`, without zeros at the end of the fraction. */
export function timeText(time: UnixMillis): string {
  return new Date(time).toISOString().replace(/\.?0+Z$/, 'Z');
}

export function seconds(time: UnixMillis): number {
  return Math.floor(time / 1_000);
}

export function bookSide(side: Side): 'bid' | 'ask' {
  return side === BID ? 'bid' : 'ask';
}

/** The outcome that an order of that side buys; also the older `side`, whose `action` is always `buy`. */
export function outcomeSide(side: Side): 'yes' | 'no' {
  return side === BID ? 'yes' : 'no';
}
