// What can be made to go wrong at a paper exchange, for one key or for all. The exchanges ask at fixed places; what they are told
// is drawn from a seed, so that a run can be repeated.

import { VENUES, type Venue } from '../../domain/market.ts';

/** Whose requests can be struck: the exchanges, and those venues that are only read. */
export const FAULT_VENUES = [...VENUES, 'venue_d', 'venue_e'] as const;
export type FaultVenue = (typeof FAULT_VENUES)[number];

/** What happens to a request. `isApplied`: whether the exchange acts on it all the same. */
export type RequestFault =
  /** The connection is dropped without an answer, before or after the exchange has acted. */
  | { readonly kind: 'lost'; readonly isApplied: boolean }
  /** Nothing is said for so long, then the connection is dropped. */
  | { readonly kind: 'hung'; readonly isApplied: boolean; readonly hangMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly isApplied: boolean }
  | { readonly kind: 'rate-limited' }
  /** Of the rows of its answer those with these texts have these fields instead; or, if more, each comes twice, once so. */
  | {
      readonly kind: 'rows';
      readonly where: Readonly<Record<string, string>>;
      readonly set: Readonly<Record<string, unknown>>;
      readonly isMore: boolean;
    }
  /** On the way there, and on the way back. */
  | { readonly kind: 'delay'; readonly beforeMs: number; readonly afterMs: number };

/** What happens to a message of a stream, after it has its number. */
export type MessageFault = 'drop' | 'duplicate' | 'swap' | 'disconnect';

/** Who and what is asked about. `key`: API key id, empty if there is none. */
export interface Asked {
  readonly venue: FaultVenue;
  readonly key: string;
  /** `POST /order`, method and pattern; or a stream's message type: `fill`. */
  readonly operation: string;
}

/** The places where the exchanges ask. */
export interface Faults {
  /** Null: all goes well. */
  ofRequest(asked: Asked): RequestFault | null;
  ofMessage(asked: Asked): MessageFault | null;
  /** How much the venue's clock is ahead. */
  skewMs(venue: Venue): number;
  /** How far private reads lag behind. */
  staleMs(asked: Pick<Asked, 'key'> & { readonly venue: Venue }): number;
  /** How long after a match or a result it settles; null: as the exchange would by itself. */
  settlementDelayMs(venue: Venue): number | null;
  /** Whether the settlement of the next match fails: for good, or so that it is tried again. */
  ofSettlement(venue: Venue): 'fails' | 'retries' | null;
}

export const NO_FAULTS: Faults = {
  ofRequest: () => null,
  ofMessage: () => null,
  skewMs: () => 0,
  staleMs: () => 0,
  settlementDelayMs: () => null,
  ofSettlement: () => null,
};
