// The outcome of one row.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Seen } from './diary.ts';

export interface Outcome {
  readonly group: string;
  readonly fault: string;
  /** The reason why the row was skipped; null if it was played. */
  readonly skipped: string | null;
  readonly seen: Readonly<Record<Venue, Seen>>;
  /** The warnings of the log, and the metrics that rose. */
  readonly reported: readonly string[];
  readonly notes: readonly string[];
  /** The findings of the audits. An empty list means that nothing is lost, doubled or contradicted. */
  readonly wrong: readonly string[];
  readonly tookMs: number;
}

const NOTHING: Seen = { orders: new Map(), cancels: new Map(), unservedMs: 0 };

export const NOTHING_SEEN: Omit<Outcome, 'group' | 'fault'> = {
  skipped: null,
  seen: { venue_a: NOTHING, venue_b: NOTHING },
  reported: [],
  notes: [],
  wrong: [],
  tookMs: 0,
};
