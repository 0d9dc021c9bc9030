// Types of a door: an address on the engine's own thread (src/gateway/door). They describe its place, the state that it shares with main's
// address, and the engine as the door sees it.

import type { MessagePort } from 'node:worker_threads';
import type { TlsFiles, TradeAddress } from '../../config.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { OperationReply, TimedOperation } from '../../core/domain/operation.ts';
import type { PodAccounts } from '../../core/domain/pod-accounts.ts';
import type { VenueBudget } from '../../core/domain/venue-budget.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { KeyStore } from '../../core/store/key-store.ts';
import type { RateProfile } from '../../limits.ts';

export interface DoorData extends TradeAddress {
  readonly tls: TlsFiles | null;
  /** The most connections on TCP, and the most on the Unix socket. */
  readonly connectionsMax: number;
  readonly rateProfile: RateProfile;
  /** The buffer of `SharedRates`. */
  readonly rates: SharedArrayBuffer;
  /** The buffer of `SharedFigures`. */
  readonly figures: SharedArrayBuffer;
  /** Whether the engine's thread itself makes the first signature check of a turn of its event loop. */
  readonly checksHere: boolean;
}

/** The engine, as a door on the engine's thread sees it. */
export interface EngineFront {
  /** The key store, which stays open until the engine closes. */
  readonly keys: KeyStore;
  readonly pods: readonly PodAccounts[];
  readonly metrics: Metrics;
  readonly log: Log;
  /** Returns whether the gateway knows every order that may have been open in the account at the start (contract §4.7). */
  isTradable(podId: string, venue: Venue): boolean;
  /** Returns the rest of the venues' rate limits for the pod. Null means that another gateway trades for the pod. */
  venueBudgets(podId: string): readonly VenueBudget[] | null;
  /** Returns the base URL of the gateway that owns the pod. Null means that this gateway owns it. */
  ownerUrl(): string | null;
  /** Returns whether reads of the account may lack news of the venue. */
  isBehind(podId: string, venue: Venue): boolean;
  /**
   * Performs the operation. Calls `recorded` with the id of an order to be acknowledged, once the order is recorded and before its answer.
   */
  operate(timed: TimedOperation, recorded: ((orderId: string) => void) | undefined): Promise<OperationReply>;
}

/** Opens a door. The port carries the door's messages to and from main, and says whether the door is open. */
export type OpenDoor = (front: EngineFront, data: DoorData, port: MessagePort) => void;
