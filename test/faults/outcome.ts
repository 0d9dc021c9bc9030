// The outcome of one row.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Seen } from './diary.ts';

export interface Outcome {
  readonly group: string;
  readonly fault: string;
  /** Why it was not played; null if it was. */
  readonly skipped: string | null;
  readonly seen: Readonly<Record<Venue, Seen>>;
  /** Warnings of the log, and metrics that rose. */
  readonly reported: readonly string[];
  readonly notes: readonly string[];
  /** Findings of the audits. None: nothing is lost, doubled or contradicted. */
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
