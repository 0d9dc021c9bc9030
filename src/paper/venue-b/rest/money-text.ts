// Texts of balances at venue B: dollars in steps of $0.0001, or whole cents; the rest is cut off (venue-b.md §6).
// Thread of the paper exchanges.

import type { MicroDollars, Ticks } from '../../../domain/numbers.ts';
import { priceText } from '../wire-text.ts';

export const MICROS_PER_CENT = 10_000;
export const MICROS_PER_CENTICENT = 100;

/** `98.0186`. */
export function balanceText(amount: MicroDollars): string {
  return priceText(Math.floor(amount / MICROS_PER_CENTICENT) as Ticks);
}

export function centsOf(amount: MicroDollars): number {
  return Math.floor(amount / MICROS_PER_CENT);
}
