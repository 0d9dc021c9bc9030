// Cost of shares, exact to the micro-dollar. Size times price exceeds 2^53, so the size is split into two halves. The YES side
// of a match pays the price rounded down, the NO side the rest: together exactly a dollar a share.

import { BID, type Side } from '../../core/domain/market.ts';
import { type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';

/** ⌊price × size⌋ in dollars. Exact for sizes below 2^53: the quotient is, because 1 / 10 000 is over half a unit of it. */
export function yesCost(price: Ticks, size: MicroShares): MicroDollars {
  const whole = Math.floor(size / TICKS_PER_DOLLAR);
  const rest = size - whole * TICKS_PER_DOLLAR;
  return (price * whole + Math.floor((price * rest) / TICKS_PER_DOLLAR)) as MicroDollars;
}

/** The rest of a dollar for each share. */
export function noCost(price: Ticks, size: MicroShares): MicroDollars {
  return (size - yesCost(price, size)) as MicroDollars;
}

/**
 * Maximum cost of opening `size` at `price` or better, for any sequence of fills. Parts of a bid never cost more than the
 * whole. Each part of an ask is rounded up; the smallest parts are multiples of `sizeStep`.
 */
export function worstCost(side: Side, price: Ticks, size: MicroShares, sizeStep: MicroShares): MicroDollars {
  if (side === BID) return yesCost(price, size);
  if (sizeStep % TICKS_PER_DOLLAR === 0) return noCost(price, size);
  const steps = Math.floor(size / sizeStep);
  const rest = (size - steps * sizeStep) as MicroShares;
  return (steps * noCost(price, sizeStep) + noCost(price, rest)) as MicroDollars;
}
