// The requests that an account may still send to its venue, as the gateway counts them by the venue's rate limits. Pure.

import type { Venue } from './market.ts';

/** Requests of one kind. */
export interface RequestBudget {
  /** Requests that can be sent now. */
  readonly left: number;
  /** The most requests at once. */
  readonly burst: number;
  /** Requests that come back each second, up to `burst`; at most three decimals. */
  readonly perSecond: number;
}

export interface VenueBudget {
  readonly venue: Venue;
  readonly orders: RequestBudget;
  readonly cancels: RequestBudget;
  /** Null if the venue states no limit of the account. */
  readonly reads: RequestBudget | null;
}

const KINDS = ['orders', 'cancels', 'reads'] as const;

/**
 * `venue_b;orders=7;orders-ps=10;…`: a structured field (RFC 9651) with the requests that are left and those that come back each second.
 */
export function budgetText(budget: VenueBudget): string {
  let text: string = budget.venue;
  for (const kind of KINDS) {
    const requests = budget[kind];
    if (requests !== null) text += `;${kind}=${requests.left};${kind}-ps=${requests.perSecond}`;
  }
  return text;
}
