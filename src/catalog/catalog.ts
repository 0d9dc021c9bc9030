// The catalog (contract §6): what can be traded at either venue, each question once. Immutable; a newer one takes its place. Pure.

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

/** Why an event is what it is: for whoever doubts it. */
export interface Matching {
  /** The venues' names of it. */
  readonly keys: readonly string[];
  /** Of a hundred; of one venue's event always that. */
  readonly confidence: number;
  readonly evidence: readonly string[];
}

export interface Catalog {
  /** Ordered by (startsAt, id). */
  readonly events: readonly CatalogEvent[];
  /** Every market of both venues, ordered by id. */
  readonly markets: readonly CatalogMarket[];
}

/** The order of events. */
export function inTime(a: CatalogEvent, b: CatalogEvent): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);
}
