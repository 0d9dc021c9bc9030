// Types of an address on the engine's own thread (src/gateway/door): its place, the state that it shares with main's address, and the engine.

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
  /** Connections on TCP, and on the Unix socket. */
  readonly connectionsMax: number;
  readonly rateProfile: RateProfile;
  /** The buffer of SharedRates. */
  readonly rates: SharedArrayBuffer;
  /** The buffer of `SharedFigures`. */
  readonly figures: SharedArrayBuffer;
  /** Whether the engine's thread makes the first check of a turn of its loop. */
  readonly checksHere: boolean;
}

/** The engine, as a door on its thread sees it. */
export interface EngineFront {
  /** Open until the engine closes. */
  readonly keys: KeyStore;
  readonly pods: readonly PodAccounts[];
  readonly metrics: Metrics;
  readonly log: Log;
  /** Whether every order that may have been open there at the start is known (contract §4.7). */
  isTradable(podId: string, venue: Venue): boolean;
  /** The rest of the venues' rate limits for the pod; null if another gateway trades for it. */
  venueBudgets(podId: string): readonly VenueBudget[] | null;
  /** Base URL of the gateway that owns the pod; null: this one does. */
  elsewhere(): string | null;
  /** Whether reads may lack news of the venue. */
  isBehind(podId: string, venue: Venue): boolean;
  /** `recorded`: called with the id of an order to be acknowledged, once it is recorded and before its answer. */
  operate(asked: TimedOperation, recorded: ((orderId: string) => void) | undefined): Promise<OperationReply>;
}

/** Opens a door. The port carries its messages to and from main, and says whether it is open. */
export type OpenDoor = (front: EngineFront, data: DoorData, port: MessagePort) => void;
