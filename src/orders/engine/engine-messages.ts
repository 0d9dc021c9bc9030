// Messages between the main thread and the engine thread. turn-messages.ts sends all of a turn as one.

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

/** Start data of the engine. */
export interface EngineData {
  /** Books for valuations and prices. */
  readonly arena: Arena;
  /** Folder of journal and history. */
  readonly folder: string;
  /** The buffer of JournalPositions. */
  readonly positions: SharedArrayBuffer;
  readonly durability: Durability;
  /** The pod's stream, and this gateway as its owner; null: the journal of this machine is the only one. */
  readonly replication: Replication | null;
  readonly pods: readonly BudgetedPod[];
  /** The folder of keys, which names the actors whose orders are adopted. */
  readonly keysFolder: string;
  /** Buffer of KeysHeard; null: the keys are of no stream. */
  readonly keysHeard: SharedArrayBuffer | null;
  /** Time zone of the days of loss limits. */
  readonly dayZone: string;
  /** The buffer of Claims. */
  readonly claims: SharedArrayBuffer;
  /** The buffer of TurnWaits. */
  readonly waits: SharedArrayBuffer;
  /** Whether it polls without a pause. */
  readonly spins: boolean;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

export interface EngineTask {
  readonly data: EngineData;
  readonly port: MessagePort;
}

export interface AskedOperation extends TimedOperation {
  readonly type: 'operate';
  /** The number that Claims gave. */
  readonly number: number;
}

export type ToEngine =
  | AskedOperation
  | { readonly type: 'in-use'; readonly number: number }
  | ({ readonly type: 'cancelled-by-guard' } & CancelledByGuard)
  | { readonly type: 'door'; readonly data: DoorData; readonly port: MessagePort }
  /** Whether main needs the whole events of the actor. */
  | { readonly type: 'follow'; readonly actorId: string; readonly isFollowed: boolean }
  /** The latest catalog; null: there is none. */
  | { readonly type: 'catalog'; readonly snapshot: CatalogSnapshot | null }
  | { readonly type: 'close' };

/**
 * Whether the journal takes records: `refused` while the disk is full, `removed` while journal or history are not in their folder.
 * `unreplicated` while the pod's stream takes none, `failed` until the gateway restarts.
 */
export type Recording = 'taken' | 'refused' | 'removed' | 'unreplicated' | 'failed';

/** The fields of an order that its cancel and its alarms need. */
export interface OpenOrder
  extends Pick<Order, 'orderId' | 'podId' | 'actorId' | 'keyId' | 'status' | 'createdAt' | 'venueOrderId'> {
  readonly request: ShownRequest;
  /** The shares traded so far. */
  readonly traded: MicroShares;
  /** Their cost in ticks × micro-shares, as `Filled` has it. */
  readonly cost: bigint;
}

export function openOrderOf(order: Order, venueOrderId: string | null = order.venueOrderId): OpenOrder {
  const { orderId, podId, actorId, keyId, request, status, createdAt } = order;
  const { size, cost } = traded(order);
  return { orderId, podId, actorId, keyId, request, status, createdAt, venueOrderId, traded: size, cost };
}

/** An event of an actor, as far as main needs it. */
export type OrderNews = {
  readonly actorId: string;
  readonly podId: string;
  readonly cursor: number;
} & (
  | {
      /** The order at the event. */
      readonly order: OpenOrder;
      /** The whole event, if main follows the actor; else null. */
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
  /** Why the first caller wanted it cancelled since the engine stopped answering, and when. */
  readonly reason: CancelReason;
  readonly at: UnixMillis;
}

export type FromEngine =
  /** `thread`: as `ownThread` returns it. */
  | { readonly type: 'open'; readonly thread: string | null }
  /** Journal or history cannot be used; `message` says why. The engine ends. */
  | { readonly type: 'unusable'; readonly message: string }
  | { readonly type: 'reply'; readonly number: number; readonly reply: OperationReply }
  /** The order of a submission that is to be acknowledged is recorded. */
  | { readonly type: 'recorded'; readonly number: number; readonly orderId: string }
  /** At the start a part of the open orders, later orders that are about to be sent. */
  | { readonly type: 'open-orders'; readonly orders: readonly OpenOrder[] }
  | { readonly type: 'switch'; readonly setting: SwitchSetting }
  /** All cancels of the switch are requested. */
  | { readonly type: 'switch-fired'; readonly owner: CancelAfter }
  | ({ readonly type: 'unwanted' } & Unwanted)
  | { readonly type: 'halt'; readonly change: HaltChange }
  /** All stopped scopes, at each change. */
  | { readonly type: 'stops'; readonly scopes: readonly StopScope[] }
  /** Events in the order of their cursors. They come behind the answers of their turn: main knows of an order before its caller does. */
  | { readonly type: 'events'; readonly news: readonly OrderNews[] }
  /** Base URL of the gateway that owns the pod; null: this one does. */
  | { readonly type: 'owner'; readonly url: string | null }
  /** Why the pod of another gateway is not followed any more. */
  | { readonly type: 'follow-stopped'; readonly words: string }
  /** Everything that was open before the start is known now. */
  | { readonly type: 'read'; readonly account: Account }
  | { readonly type: 'news'; readonly account: Account; readonly news: AccountNews }
  | { readonly type: 'recording'; readonly recording: Recording }
  /** Null if reading failed. */
  | { readonly type: 'in-use'; readonly number: number; readonly inUse: InUse | null };
