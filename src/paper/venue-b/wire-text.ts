// Writes prices, contracts, money, sides and times as venue B's texts (venue-b.md §3), for REST and stream alike. Thread of the paper
// exchanges.

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

/** Writes a price, such as `0.5600`. */
export function priceText(price: Ticks): string {
  return `${Math.floor(price / 10_000)}.${String(price % 10_000).padStart(4, '0')}`;
}

/** Writes the price of NO for a price of YES: `0.4400`. */
export function noPriceText(price: Ticks): string {
  return priceText(complementTicks(price));
}

/** Writes a signed count of contracts, such as `-5.00`. */
export function countText(size: MicroShares): string {
  const centi = Math.round(Math.abs(size) / MICROS_PER_CENTI);
  return `${sign(size)}${Math.floor(centi / 100)}.${String(centi % 100).padStart(2, '0')}`;
}

/** Writes signed fees and costs, such as `0.017500`. */
export function moneyText(amount: MicroDollars): string {
  const micros = Math.abs(amount);
  return `${sign(amount)}${Math.floor(micros / MICROS_PER_DOLLAR)}.${String(micros % MICROS_PER_DOLLAR).padStart(6, '0')}`;
}

/** Writes a balance in steps of $0.0001, with the rest cut off: `98.0186` (venue-b.md §6). */
export function balanceText(amount: MicroDollars): string {
  return priceText(Math.floor(amount / MICROS_PER_CENTICENT) as Ticks);
}

/** Returns whole cents, with the rest cut off. */
export function centsOf(amount: MicroDollars): number {
  return Math.floor(amount / MICROS_PER_CENT);
}

/** Writes money for the stream, with four decimals if four are exact. */
export function shortMoneyText(amount: MicroDollars): string {
  return moneyText(amount).replace(/00$/, '');
}

function sign(value: MicroShares | MicroDollars): string {
  return value < 0 ? '-' : '';
}

/** Writes a time such as `2026-06-11T06:29:20.866Z`. The fraction has no zeros at its end. */
export function timeText(time: UnixMillis): string {
  return new Date(time).toISOString().replace(/\.?0+Z$/, 'Z');
}

export function seconds(time: UnixMillis): number {
  return Math.floor(time / 1_000);
}

export function bookSide(side: Side): 'bid' | 'ask' {
  return side === BID ? 'bid' : 'ask';
}

/** Returns the outcome that an order of this side buys. It is also the older `side`, whose `action` is always `buy`. */
export function outcomeSide(side: Side): 'yes' | 'no' {
  return side === BID ? 'yes' : 'no';
}
