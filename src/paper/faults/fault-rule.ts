// What a rule of a fault plan says: which fault, whom and what it strikes, how often and for how long. Pure.

import type { Asked, FaultVenue, MessageFault, RequestFault } from './faults.ts';

/** The settlement of a match: gone for good, or tried once more. Struck once for each match. */
export type SettlementFault = 'settlement-fails' | 'settlement-retries';

export type PlannedFault = RequestFault | { readonly kind: MessageFault } | { readonly kind: SettlementFault };

export type FaultKind = PlannedFault['kind'];

export interface FaultRule<Fault extends PlannedFault = PlannedFault> {
  /** Null: all. */
  readonly venue: FaultVenue | null;
  /** API key id; the empty text: who has none; null: everybody. */
  readonly key: string | null;
  /** As in `Asked`; with `*` at its end, everything that begins so; null: everything. */
  readonly operation: string | null;
  readonly fault: Fault;
  /** Of each time that it could strike: 0 … 1. */
  readonly probability: number;
  /** How often it strikes at most. Null: without end. */
  readonly countMax: number | null;
  /** For how long from now on. Null: until it is taken away. */
  readonly lastsMs: number | null;
}

/** Whether a rule is about what is asked. */
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
