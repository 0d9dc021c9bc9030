// A submission as it is handed to the life of orders, and everything that it needs on its way. Engine thread.

import type { ActorLimits } from '../domain/actor-limits.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import type { Result } from '../domain/result.ts';
import type { Timers } from '../runtime/timers.ts';
import type { VenueTrading } from '../venues/venue.ts';
import type { Refused } from './answers.ts';
import type { Ledger } from './ledger.ts';

/** Read and found well-formed; nothing about the market or the account has been looked at. */
export interface Submission {
  readonly podId: string;
  readonly actorId: string;
  readonly keyId: string;
  readonly request: OrderRequest;
  readonly idempotencyKey: string;
  readonly bodySha256Hex: string;
  /** Whether a new order may be made; what came of an earlier one is told in any case (contract §4.7). */
  readonly isTradable: boolean;
  /** As they were when it was asked for. */
  readonly limits: ActorLimits;
  /** `SVC-Not-After-Millis`: it must not be handed to the venue later. */
  readonly notAfter: UnixMillis | null;
  /** Asked once, when it is recorded and not yet sent. False: the caller has been answered that nothing is sent of it. */
  readonly claim: () => boolean;
  /** Told as the submission passes a stage, for `Server-Timing`. */
  readonly passed: (stage: 'admit' | 'store' | 'venue' | 'settle') => void;
}

export interface SubmitParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  /** In words, if the pod cannot trade there now. */
  readonly tradingOf: (submission: Submission) => Result<VenueTrading, Refused>;
  readonly podSecretOf: (podId: string) => Uint8Array;
  /** What goes on for a caller who has been answered; may reject with a StoreError. It ends before the store is closed. */
  readonly late: (work: Promise<unknown>) => void;
}
