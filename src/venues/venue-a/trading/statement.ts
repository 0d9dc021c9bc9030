// The venue's immediate statement about a matched order: what it gave and what it got, in the order's frame. The units are
// uncertain (venue-a.md §13): decimals in practice, millionths by its own description. The signed amounts decide between them.
// Pure.

import { isObject, textOf } from '../../../domain/json.ts';
import {
  COST_PER_MICRO_DOLLAR,
  type MicroShares,
  parseMicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../../domain/numbers.ts';
import { DUST_SHARES, type Filled, isExact, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import { parseJsonBytes } from '../../venue-json.ts';
import { type FeeTerms, takerFee } from './taker-fee.ts';
import { hasPoint } from './wire-numbers.ts';

/** The signed amounts, both in millionths. */
export interface Signed {
  readonly isBuy: boolean;
  readonly makerAmount: bigint;
}

/** By how much, in millionths, an order may give more than was signed (venue-a.md §9.4). */
const MADE_OVER = BigInt(DUST_SHARES);
const WHOLE = /^\d{1,16}$/;

/** From an intent's payload, which we wrote. */
export function signedOf(payload: Uint8Array): Signed | null {
  const body = parseJsonBytes(payload);
  const order = isObject(body) ? body.order : undefined;
  if (!isObject(order) || !WHOLE.test(textOf(order.makerAmount))) return null;
  return { isBuy: order.side === 'BUY', makerAmount: BigInt(textOf(order.makerAmount)) };
}

/** Null if the statement is missing or impossible. `fees` null: unknown, and counted as none. */
export function statedFill(making: unknown, taking: unknown, signed: Signed, fees: FeeTerms | null): Filled | null {
  const [made, taken] = [textOf(making), textOf(taking)];
  if (isNothing(made) && isNothing(taken)) return NOTHING_FILLED;
  const amounts = readPair(made, taken, signed);
  if (amounts === null) return null;
  const [dollars, shares] = signed.isBuy ? amounts : [amounts[1], amounts[0]];
  const size = Number(shares) as MicroShares;
  const cost = dollars * COST_PER_MICRO_DOLLAR;
  const average = Number(cost / shares) as Ticks;
  if (!Number.isSafeInteger(size) || average >= TICKS_PER_DOLLAR) return null;
  // Fees of the average price, since the levels are reported later. The fills then replace it, and are exact.
  const stated = { size, cost, fees: fees === null ? NOTHING_FILLED.fees : takerFee(fees, average, size) };
  return isExact(stated) ? stated : null;
}

function isNothing(text: string): boolean {
  return text === '' || /^0*(?:\.0*)?$/.test(text);
}

/** Both in the same unit: decimals, unless the order would have given more than was signed. */
function readPair(made: string, taken: string, { makerAmount }: Signed): readonly [bigint, bigint] | null {
  const madeMax = makerAmount + MADE_OVER;
  const decimal = [parseMicroShares(made), parseMicroShares(taken)] as const;
  const isDecimal = hasPoint(made) || hasPoint(taken);
  if (decimal[0] !== null && decimal[1] !== null && BigInt(decimal[0]) <= madeMax)
    return positive(BigInt(decimal[0]), BigInt(decimal[1]));
  if (isDecimal || !WHOLE.test(made) || !WHOLE.test(taken)) return null;
  return BigInt(made) <= madeMax ? positive(BigInt(made), BigInt(taken)) : null;
}

function positive(made: bigint, taken: bigint): readonly [bigint, bigint] | null {
  return made > 0n && taken > 0n ? [made, taken] : null;
}
