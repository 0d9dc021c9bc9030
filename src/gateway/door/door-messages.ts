// Messages between main and the door on the engine's thread: signature checks beyond the first of a turn, and counts of cancelOnDisconnect.
// Also the names of the door's figures in shared memory.

import type { TlsFiles } from '../../config.ts';
import type { SignatureCheck } from '../../core/auth/check.ts';
import type { Result } from '../../core/domain/result.ts';
import type { ListenFault } from '../../core/net/listen.ts';
import type { PoolFailure } from '../checks/check-pool.ts';
import type { CheckLane, Urgency } from '../checks/check-queue.ts';
import type { DisconnectingKey } from '../stream/order-disconnects.ts';

export interface NumberedCheck {
  readonly type: 'check';
  readonly number: number;
  readonly check: SignatureCheck;
  readonly lane: CheckLane;
  readonly urgency: Urgency;
}

export type FromDoor =
  /** The door is open. `port` is its TCP port, or 0 if it has no TCP port. */
  | { readonly type: 'open'; readonly port: number }
  | { readonly type: 'refused'; readonly of: ListenFault; readonly message: string }
  | NumberedCheck
  /** The answer to `renewTls`. `refusal` says why the former certificate stays in use. Null means that the new certificate is used. */
  | { readonly type: 'renewed'; readonly refusal: string | null }
  /** Changes in the counts of cancelOnDisconnect. */
  | { readonly type: 'arm' | 'disarm' | 'lose'; readonly key: DisconnectingKey }
  /** The door is closed: no request is in flight and no connection is open. */
  | { readonly type: 'closed' };

export type ToDoor =
  | { readonly type: 'checked'; readonly number: number; readonly outcome: Result<boolean, PoolFailure> }
  | { readonly type: 'renewTls'; readonly files: TlsFiles }
  | { readonly type: 'close' };

/** The names of the door's counts in shared memory. The counts are at most a second old. */
export const DOOR_FIGURES = ['connections', 'connectionsRefused', 'requestsInFlight', 'sessions'] as const;
