// The identity of an order of venue A: a salt and a time, both derived if possible. So an order that is rebuilt after its record
// was lost has the same digest and is refused as a duplicate (contract §4.6).

import type { UnixMillis } from '../../../domain/numbers.ts';
import type { OrderId } from '../../../domain/order.ts';
import { assert } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';

/** Sent as a JSON number: it must stay exact. */
const SALT_MASK = 2n ** 53n - 1n;
/** The random or derived last digits of a UUID, without its version and variant: 60 bits. */
const DERIVED_DIGITS = 15;
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function saltOf(orderId: OrderId): bigint {
  const digits = orderId.replaceAll('-', '').slice(-DERIVED_DIGITS);
  assert(/^[0-9a-f]{15}$/.test(digits), 'an order id is a UUID');
  return BigInt(`0x${digits}`) & SALT_MASK;
}

/** The time of a UUIDv7; null for any other key. */
export function timeOfKey(idempotencyKey: string): UnixMillis | null {
  const match = UUID_V7.exec(idempotencyKey);
  return match === null ? null : (Number.parseInt(`${match[1]}${match[2]}`, 16) as UnixMillis);
}

/** Times of orders: the key's own if it is near our clock, else now, later than all before. */
export class OrderTimes {
  readonly #now: () => UnixMillis;
  #last = 0;

  constructor(now: () => UnixMillis) {
    this.#now = now;
  }

  of(idempotencyKey: string): UnixMillis {
    const now = this.#now();
    const stated = timeOfKey(idempotencyKey);
    if (stated !== null && Math.abs(stated - now) <= limits.venueAKeyTimeMs) return stated;
    this.#last = Math.max(now, this.#last + 1);
    return this.#last as UnixMillis;
  }
}
