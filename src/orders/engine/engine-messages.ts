// Messages between the main thread and the engine thread. turn-messages.ts sends all messages of a turn as one list.

import type { MessagePort } from 'node:worker_threads';
import type { Durability } from '../../config.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { CatalogSnapshot, OperationReply, StopScope, TimedOperation } from '../../core/domain/operation.ts';
import type { CancelReason, Order, OrderId } from '../../core/domain/order.ts';
import type { ShownRequest } from '../../core/domain/order-request.ts';
import { traded } from '../../core/domain/order-sums.ts';
import type { MetricsParts } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import type {
  Account,
  ActionEventRecord,
  ActorEventRecord,
  CancelAfter,
  OrderEventRecord,
} from '../../core/store/order-records.ts';
import type { Arena } from '../../market-data/book/memory.ts';
import type { BudgetedPod } from '../../venues/pod-budgets.ts';
import type { AccountNews } from '../life/account-parts.ts';
import type { SwitchSetting } from '../life/cancel-after.ts';
import type { InUse } from '../life/markets-in-use.ts';
import type { DoorData } from './engine-door.ts';
import type { HaltChange } from './halt-change.ts';
import type { Replication } from './replica.ts';

/** The data with which the engine starts. */
export interface EngineData {
  /** The shared memory of the books, for valuations and prices. */
  readonly arena: Arena;
  /** The folder of journal and history. */
  readonly folder: string;
  /** The buffer of `JournalPositions`. */
  readonly positions: SharedArrayBuffer;
  readonly durability: Durability;
  /** The pod's stream, and this gateway as its owner. Null means that the journal of this machine is the only copy. */
  readonly replication: Replication | null;
  readonly pods: readonly BudgetedPod[];
  /** The folder of keys. The keys name the actors whose orders are adopted. */
  readonly keysFolder: string;
  /** The buffer of `KeysAge`. Null means that the keys come from no stream. */
  readonly keysAge: SharedArrayBuffer | null;
  /** The time zone in which the days of loss limits begin. */
  readonly dayZone: string;
  /** The buffer of `Claims`. */
  readonly claims: SharedArrayBuffer;
  /** The buffer of `TurnWaits`. */
  readonly waits: SharedArrayBuffer;
  /** Whether the engine's thread polls without a pause. */
  readonly spins: boolean;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

export interface EngineTask {
  readonly data: EngineData;
  readonly port: MessagePort;
}

export interface NumberedOperation extends TimedOperation {
  readonly type: 'operate';
  /** The number that `Claims` gave the operation. */
  readonly number: number;
}

export type ToEngine =
  | NumberedOperation
  | { readonly type: 'in-use'; readonly number: number }
  | ({ readonly type: 'cancelled-by-guard' } & CancelledByGuard)
  | { readonly type: 'door'; readonly data: DoorData; readonly port: MessagePort }
  /** Whether main needs the whole events of the actor. */
  | { readonly type: 'follow'; readonly actorId: string; readonly isFollowed: boolean }
  /** The latest catalog. A null snapshot means that there is no catalog. */
  | { readonly type: 'catalog'; readonly snapshot: CatalogSnapshot | null }
  | { readonly type: 'close' };

/**
 * Whether the journal takes records. It is `refused` while the disk is full, and `removed` while journal or history are not in their
 * folder. It is `unreplicated` while the pod's stream takes no records, and `failed` until the gateway restarts.
 */
export type Recording = 'taken' | 'refused' | 'removed' | 'unreplicated' | 'failed';

/** The fields of an order that main needs to cancel the order and to raise alarms about it. */
export interface OpenOrder
  extends Pick<Order, 'orderId' | 'podId' | 'actorId' | 'keyId' | 'status' | 'createdAt' | 'venueOrderId'> {
  readonly request: ShownRequest;
  /** The shares traded so far. */
  readonly traded: MicroShares;
  /** The cost of the traded shares in ticks × micro-shares, as in `Filled`. */
  readonly cost: bigint;
}

export function openOrderOf(order: Order, venueOrderId: string | null = order.venueOrderId): OpenOrder {
  const { orderId, podId, actorId, keyId, request, status, createdAt } = order;
  const { size, cost } = traded(order);
  return { orderId, podId, actorId, keyId, request, status, createdAt, venueOrderId, traded: size, cost };
}

/** The part of an actor's event that main needs. */
export type OrderNews = {
  readonly actorId: string;
  readonly podId: string;
  readonly cursor: number;
} & (
  | {
      /** The order, as it was at the event. */
      readonly order: OpenOrder;
      /** The whole event if main follows the actor. Null means that main does not follow the actor. */
      readonly record: OrderEventRecord | null;
    }
  | { readonly order: null; readonly record: ActionEventRecord }
);

export function newsOf(record: ActorEventRecord, isFollowed: boolean): OrderNews {
  const { actorId, cursor } = record;
  if (record.event === 'ACTION') return { actorId, podId: record.action.podId, cursor, order: null, record };
  const order = openOrderOf(record.order);
  return { actorId, podId: order.podId, cursor, order, record: isFollowed ? record : null };
}

/** Open orders of one actor that the engine cancels by itself. */
export interface Unwanted {
  readonly actorId: string;
  readonly orderIds: readonly OrderId[];
  readonly reason: CancelReason;
}

/** An order that the guard has cancelled, or found ended at its cancel. */
export interface CancelledByGuard {
  readonly order: OpenOrder;
  /** The reason of the first caller that wanted the order cancelled since the engine stopped answering, and the time of its request. */
  readonly reason: CancelReason;
  readonly at: UnixMillis;
}

export type FromEngine =
  /** The engine takes operations. `thread` is the result of `ownThreadId`. */
  | { readonly type: 'open'; readonly thread: string | null }
  /** Journal or history cannot be used, for the reason in `message`. The engine ends. */
  | { readonly type: 'unusable'; readonly message: string }
  | { readonly type: 'reply'; readonly number: number; readonly reply: OperationReply }
  /** The order of a submission that is to be acknowledged has been recorded. */
  | { readonly type: 'recorded'; readonly number: number; readonly orderId: string }
  /** At the start these are a part of the open orders. Later they are orders about to be sent. */
  | { readonly type: 'open-orders'; readonly orders: readonly OpenOrder[] }
  | { readonly type: 'switch'; readonly setting: SwitchSetting }
  /** All cancels of the switch are requested. */
  | { readonly type: 'switch-fired'; readonly owner: CancelAfter }
  | ({ readonly type: 'unwanted' } & Unwanted)
  | { readonly type: 'halt'; readonly change: HaltChange }
  /** All stopped scopes, at each change. */
  | { readonly type: 'stops'; readonly scopes: readonly StopScope[] }
  /**
   * Events in the order of their cursors. They stand behind the answers of their turn, and main knows of an order before the order's caller
   * does.
   */
  | { readonly type: 'events'; readonly news: readonly OrderNews[] }
  /** The base URL of the gateway that owns the pod. Null means that this gateway owns it. */
  | { readonly type: 'owner'; readonly url: string | null }
  /** Why this gateway no longer follows the pod of another gateway. */
  | { readonly type: 'follow-stopped'; readonly words: string }
  /** Every order that was open in the account before the start is known now. */
  | { readonly type: 'read'; readonly account: Account }
  | { readonly type: 'news'; readonly account: Account; readonly news: AccountNews }
  | { readonly type: 'recording'; readonly recording: Recording }
  /** The markets in use. A null `inUse` means that they could not be read. */
  | { readonly type: 'in-use'; readonly number: number; readonly inUse: InUse | null };
