// A rule of a fault plan: the fault, its targets, its frequency and its duration. Pure.

import type { Asked, FaultVenue, MessageFault, RequestFault } from './faults.ts';

/** Settlement of a match: fails for good, or is retried. At most once per match. */
export type SettlementFault = 'settlement-fails' | 'settlement-retries';

export type PlannedFault = RequestFault | { readonly kind: MessageFault } | { readonly kind: SettlementFault };

export type FaultKind = PlannedFault['kind'];

export interface FaultRule<Fault extends PlannedFault = PlannedFault> {
  /** Null: all venues. */
  readonly venue: FaultVenue | null;
  /** API key id; empty text: requests without a key; null: all. */
  readonly key: string | null;
  /** As in `Asked`; `*` at the end matches any rest; null: everything. */
  readonly operation: string | null;
  readonly fault: Fault;
  /** Probability for each match, 0 … 1. */
  readonly probability: number;
  /** Maximum number of hits. Null: unlimited. */
  readonly countMax: number | null;
  /** Duration from now on. Null: until it is removed. */
  readonly lastsMs: number | null;
}

/** Whether a rule applies to a request. */
export function concerns(rule: FaultRule, { venue, key, operation }: Asked): boolean {
  return (
    (rule.venue === null || rule.venue === venue) &&
    (rule.key === null || rule.key === key) &&
    (rule.operation === null || fits(rule.operation, operation))
  );
}

function fits(pattern: string, operation: string): boolean {
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern;
}
