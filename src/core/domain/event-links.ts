// The listings of both venues that are about one event (docs/CATALOG.md). Pure.

import type { Venue } from './market.ts';

/** A unit of `address` pays a dollar in the outcome with this index; with `isNot`, in every other outcome. */
export interface Leg {
  readonly venue: Venue;
  readonly address: string;
  readonly outcome: number;
  readonly isNot: boolean;
}

/** Exactly one of the outcomes happens. */
export interface Question {
  readonly outcomes: readonly string[];
  /** Each address once. */
  readonly legs: readonly Leg[];
}

/** Questions of an event count as independent of each other. */
export interface LinkedEvent {
  readonly id: string;
  readonly questions: readonly Question[];
}

/** The event of a market that is linked to no other. */
export function aloneEvent(venue: Venue, address: string): LinkedEvent {
  const legs = [{ venue, address, outcome: 0, isNot: false }];
  return { id: `${venue}:${address}`, questions: [{ outcomes: ['pays', 'pays nothing'], legs }] };
}
