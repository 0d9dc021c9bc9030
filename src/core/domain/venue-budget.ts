// The requests that an account may still send to its venue, as the gateway counts them by the venue's rate limits. Pure.

import type { Venue } from './market.ts';

/** The budget for requests of one kind. */
export interface RequestBudget {
  /** The number of requests that can be sent now. */
  readonly left: number;
  /** The largest number of requests at once. */
  readonly burst: number;
  /** The number of requests that come back each second, up to `burst`; at most three decimals. */
  readonly perSecond: number;
}

export interface VenueBudget {
  readonly venue: Venue;
  readonly orders: RequestBudget;
  readonly cancels: RequestBudget;
  /** The budget for reads. Null means that the venue states no limit of the account. */
  readonly reads: RequestBudget | null;
}

/**
 * Returns a structured field (RFC 9651) such as `venue_b;orders=7;orders-ps=10;…`: the requests that are left, and those that come back
 * each second.
 */
export function budgetText({ venue, orders, cancels, reads }: VenueBudget): string {
  const ofReads = reads === null ? '' : `;reads=${reads.left};reads-ps=${reads.perSecond}`;
  // join is used, because adding up the parts would take twice the memory.
  const parts = [
    venue,
    ';orders=',
    orders.left,
    ';orders-ps=',
    orders.perSecond,
    ';cancels=',
    cancels.left,
    ';cancels-ps=',
    cancels.perSecond,
    ofReads,
  ];
  return parts.join('');
}
