// An event, with the listings of both venues that are about this event (docs/CATALOG.md). Pure.

import type { Venue } from './market.ts';

/**
 * A listing: a unit of `address` pays a dollar if the outcome with this index happens. With `isNot`, the unit pays if any other outcome
 * happens.
 */
export interface Leg {
  readonly venue: Venue;
  readonly address: string;
  readonly outcome: number;
  readonly isNot: boolean;
}

/** A question of which exactly one outcome happens. */
export interface Question {
  readonly outcomes: readonly string[];
  /** The listings about the question. Each address occurs once. */
  readonly legs: readonly Leg[];
}

/** An event with its questions, which count as independent of each other. */
export interface LinkedEvent {
  readonly id: string;
  readonly questions: readonly Question[];
}

/** Returns the event of a market that is linked to no other market. */
export function aloneEvent(venue: Venue, address: string): LinkedEvent {
  const legs = [{ venue, address, outcome: 0, isNot: false }];
  return { id: `${venue}:${address}`, questions: [{ outcomes: ['pays', 'pays nothing'], legs }] };
}
