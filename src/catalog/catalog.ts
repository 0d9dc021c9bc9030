// The catalog (contract §6): everything that can be traded at either venue, each question once. Immutable; a newer catalog replaces it.
// Pure.

import type { UnixMillis } from '../domain/numbers.ts';
import type { CatalogMarket } from './catalog-market.ts';

export interface CatalogParticipant {
  readonly name: string;
  readonly role: 'HOME' | 'AWAY' | 'COMPETITOR';
}

export interface CatalogEvent {
  readonly id: string;
  readonly name: string;
  /** Ids. */
  readonly sport: string;
  readonly competition: string;
  readonly startsAt: UnixMillis;
  readonly isOver: boolean;
  readonly participants: readonly CatalogParticipant[];
  readonly matching: Matching;
}

/** Evidence for the match of an event, for operators who doubt it. */
export interface Matching {
  /** The venues' names of the event. */
  readonly keys: readonly string[];
  /** Percent; 100 for an event of one venue. */
  readonly confidence: number;
  readonly evidence: readonly string[];
}

export interface Catalog {
  /** Ordered by (startsAt, id). */
  readonly events: readonly CatalogEvent[];
  /** Every market of both venues, by id. */
  readonly markets: readonly CatalogMarket[];
}

/** Compares events by (startsAt, id). */
export function inTime(a: CatalogEvent, b: CatalogEvent): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);
}
