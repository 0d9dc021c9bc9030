// A yes-or-no question outside games. Pure.

import type { VenueEvent, VenueMarket } from '../../venues/discovery.ts';

/** A question about one subject. */
export interface Outright {
  /** Shared by all questions of the same kind: `fifa-world-cup-2026-winner`. */
  readonly id: string;
  readonly name: string;
  /** Null outside of sports. */
  readonly competition: string | null;
  readonly subject: Subject;
  /** A known difference in settlement, where it is not that of a cancelled contest. */
  readonly note?: string;
  /** The words and the end are a venue's and may change, so the market keeps the id that it has at a venue. */
  readonly keepsVenueId?: true;
}

export interface Subject {
  readonly id: string;
  readonly name: string;
}

/** Null if the market asks something else, or in other words. */
export type Rule = (event: VenueEvent, market: VenueMarket) => Outright | null;

/** The year of the two digits in venue B's tickers. */
export function fullYear(year: string): string {
  return year === '' ? '' : `20${year}`;
}
