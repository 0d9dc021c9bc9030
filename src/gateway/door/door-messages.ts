// Messages between main and the door on the engine's thread: checks of signatures beyond the first of a turn, and counts of
// cancelOnDisconnect. And how busy the door is, in shared memory.

import type { TlsFiles } from '../../config.ts';
import type { SignatureCheck } from '../../core/auth/check.ts';
import type { Result } from '../../core/domain/result.ts';
import type { ListenFault } from '../../core/net/listen.ts';
import type { PoolFailure } from '../checks/check-pool.ts';
import type { CheckLane, Urgency } from '../checks/check-queue.ts';
import type { DisconnectingKey } from '../stream/order-disconnects.ts';

export interface AskedCheck {
  readonly type: 'check';
  readonly number: number;
  readonly check: SignatureCheck;
  readonly lane: CheckLane;
  readonly urgency: Urgency;
}

export type FromDoor =
  /** `port`: on TCP; 0 without. */
  | { readonly type: 'open'; readonly port: number }
  | { readonly type: 'refused'; readonly of: ListenFault; readonly message: string }
  | AskedCheck
  /** `refusal`: why the former certificate stays; null: the new one is used. */
  | { readonly type: 'renewed'; readonly refusal: string | null }
  /** Messages about cancelOnDisconnect. */
  | { readonly type: 'arm' | 'disarm' | 'lose'; readonly key: DisconnectingKey }
  /** No request is in flight and no connection is open. */
  | { readonly type: 'closed' };

export type ToDoor =
  | { readonly type: 'checked'; readonly number: number; readonly outcome: Result<boolean, PoolFailure> }
  | { readonly type: 'renewTls'; readonly files: TlsFiles }
  | { readonly type: 'close' };

/** Counts of the door in shared memory, at most a second old. */
export const DOOR_FIGURES = ['connections', 'connectionsRefused', 'requestsInFlight', 'sessions'] as const;
