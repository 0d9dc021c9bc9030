// Faults of a paper exchange, for one key or for all. The exchanges ask at fixed places; a seed determines the answers, so that a run can
// be repeated. Thread of the paper exchanges.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Timers } from '../../core/runtime/timers.ts';

/** Venues whose requests can be hit: the exchanges, and the read-only ones. */
export const FAULT_VENUES = [...VENUES, 'venue_d', 'venue_e'] as const;
export type FaultVenue = (typeof FAULT_VENUES)[number];

/** The fault of a request. `isApplied`: whether the exchange performs it all the same. */
export type RequestFault =
  /** The connection is dropped without an answer, before or after the exchange performs the request. */
  | { readonly kind: 'lost'; readonly isApplied: boolean }
  /** Silence for this long, then the connection is dropped. */
  | { readonly kind: 'hung'; readonly isApplied: boolean; readonly hangMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly isApplied: boolean }
  | { readonly kind: 'rate-limited' }
  /** Rows of the answer with these texts have these fields instead; with `more` each row comes twice, once changed. */
  | {
      readonly kind: 'rows';
      readonly where: Readonly<Record<string, string>>;
      readonly set: Readonly<Record<string, unknown>>;
      readonly isMore: boolean;
    }
  /** A delay on the way there, and on the way back. */
  | { readonly kind: 'delay'; readonly beforeMs: number; readonly afterMs: number };

/** The fault of a stream's message after it has its sequence number. */
export type MessageFault = 'drop' | 'duplicate' | 'swap' | 'disconnect';

/** Subject of a question. `key`: API key id, empty without one. */
export interface Asked {
  readonly venue: FaultVenue;
  readonly key: string;
  /** `POST /order`, method and pattern; or a stream's message type: `fill`. */
  readonly operation: string;
}

/** The places where the exchanges ask for faults. */
export interface Faults {
  /** Null if there is no fault. */
  ofRequest(asked: Asked): RequestFault | null;
  ofMessage(asked: Asked): MessageFault | null;
  /** How far the venue's clock is ahead. */
  skewMs(venue: Venue): number;
  /** The lag of private reads. */
  staleMs(asked: Pick<Asked, 'key'> & { readonly venue: Venue }): number;
  /** Time from a match or a result to its settlement; null: the exchange's own. */
  settlementDelayMs(venue: Venue): number | null;
  /** Whether the settlement of the next match fails: for good, or with a retry. */
  ofSettlement(venue: Venue): 'fails' | 'retries' | null;
  /** Whether the next transaction of a wallet fails after the chain has taken it, and whether its nonce is used all the same. */
  ofTransaction(): { readonly usesNonce: boolean } | null;
}

/** A venue's clock with a skew: ahead of the simulator's or behind, by the faults of the moment. Delays are not affected. */
export function skewedTimers(timers: Timers, faults: Pick<Faults, 'skewMs'>, venue: Venue): Timers {
  return {
    now: () => (timers.now() + faults.skewMs(venue)) as UnixMillis,
    elapsed: () => timers.elapsed(),
    after: (delayMs, task) => timers.after(delayMs, task),
  };
}
