// The state of a running gateway, for `crossbook status`. Any thread.

import type { Faults } from '../domain/faults.ts';
import type { Venue } from '../domain/market.ts';

export interface StatusReport {
  readonly version: string;
  readonly pid: number;
  /** The start in Unix milliseconds. */
  readonly startedAt: number;
  /** The readiness that /readyz shows. */
  readonly ready: Readiness;
  /** The scopes that an operator has stopped. */
  readonly stopped: readonly string[];
  readonly faults: Faults;
  readonly venues: readonly VenueStatus[];
  readonly actors: readonly { readonly actorId: string; readonly openOrders: number }[];
  /** Submissions that were answered since the start. Times in milliseconds; null before the first. */
  readonly submissions: { readonly count: number; readonly p50Ms: number | null; readonly p99Ms: number | null };
  /** Some of the gauges of /metrics, by name. */
  readonly gauges: Readonly<Record<string, number>>;
}

export interface Readiness {
  readonly status: string;
  /** Why nothing can be traded. */
  readonly reason?: string;
  /** `ok`, or the fault of the feed of books. */
  readonly feeds: Readonly<Record<Venue, string>>;
}

export interface VenueStatus {
  readonly venue: Venue;
  /** Books in use, by their state. */
  readonly books: Readonly<Record<string, number>>;
  /** Pods with an account there, and whether it can place orders now. */
  readonly accounts: readonly { readonly podId: string; readonly tradable: boolean }[];
}
