// What the main thread asks of an order worker, and what it hears. A kind of task is one line in each of the two and a case
// in task-runner.ts.

import type { SignatureCheck } from '../auth/check.ts';
import type { Snapshot } from '../catalog/snapshot-writer.ts';
import type { ActorLimits } from '../domain/actor-limits.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { Result } from '../domain/result.ts';
import type { MetricsParts } from '../runtime/metrics.ts';
import type { OrderDeskData } from './order-desk.ts';

export type OrderTask = VerifyTask | OperateTask | CloseTask;

/** Answers by the kind of task. */
export interface OrderAnswers {
  /** In the order of the checks. */
  readonly verify: readonly boolean[];
  /** Null: the signature is wrong, and nothing was done. */
  readonly operate: OperationReply | null;
  readonly close: null;
}
export type OrderAnswer = OrderAnswers[OrderTask['kind']];

/** Several checks at once: they share the cost of crossing to another thread and back. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly checks: readonly HandedCheck[];
}

export interface HandedCheck {
  /** Its signature should have memory of its own: a message to a thread takes the whole buffer behind a view along. */
  readonly check: SignatureCheck;
  /** By monotonicUs(): when the pool accepted it. */
  readonly acceptedAtUs: number;
}

/** One operation on orders, done in the same crossing in which its signature is checked. When the thread dies it is given to another. */
export interface OperateTask {
  readonly kind: 'operate';
  /** Null: it has been found right. */
  readonly handed: HandedCheck | null;
  readonly operation: OrderOperation;
  /** By monotonicUs(): when the request was there. */
  readonly startedAtUs: number;
  /** When this request was first given to a thread that then died; normally null. What that thread did counts as done for this caller. */
  readonly triedAt: UnixMillis | null;
}

/** The last one of a thread: everything that it has open is closed. */
interface CloseTask {
  readonly kind: 'close';
}

export interface Caller {
  readonly podId: string;
  /** The full one: orders of all pods lie in one store. */
  readonly actorId: string;
  readonly keyId: string;
}

interface Asked {
  readonly venue: Venue;
  readonly caller: Caller;
}

interface PageAsked extends Asked {
  /** That of the request: a page token is good for no other. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

export interface SubmitOperation extends Asked {
  readonly name: 'submit';
  /** Or what is wrong with it. */
  readonly body: Result<JsonObject, string>;
  readonly bodySha256Hex: string;
  readonly idempotencyKey: string;
  /** Whether an order could be placed there when it was asked for: if not, the answer of an earlier one can still be had. */
  readonly isTradable: boolean;
  /** Of the caller, as the keys had them when it was asked for: another process may change them. */
  readonly limits: ActorLimits;
  /** Unix milliseconds, of `SVC-Not-After-Millis`. */
  readonly notAfter: number | null;
}

export interface OneOrderOperation extends Asked {
  readonly name: 'get' | 'cancel';
  /** As in the path. */
  readonly orderId: string;
}

export interface ListOperation extends PageAsked {
  readonly name: 'list';
}

interface FillsOperation extends PageAsked {
  readonly name: 'fills';
  readonly orderId: string;
}

interface CancelAllOperation extends Asked {
  readonly name: 'cancel-all';
  /** Token id or ticker; null: all. */
  readonly address: string | null;
  /** Of those, the ones that this signing key has made; null: all. */
  readonly keyId: string | null;
}

/** Arms the dead man's switch of the caller's key, or disarms it. */
export interface CancelAfterOperation {
  readonly name: 'cancel-after';
  readonly caller: Caller;
  readonly body: JsonObject;
}

interface BalanceOperation extends Asked {
  readonly name: 'balance';
}

export interface PositionsOperation extends Asked {
  readonly name: 'positions';
  /** Token id or ticker; null: all. */
  readonly address: string | null;
}

/** The older family's list, of both venues. */
export interface OlderOrdersOperation extends Omit<PageAsked, 'venue'> {
  readonly name: 'older-orders';
}

/** Of the catalog: of both venues, and of no account. */
export interface CatalogAsked {
  readonly caller: Caller;
  /** Null: nothing is listed anywhere. */
  readonly catalog: Snapshot | null;
  /** Where the caller's pod can place orders now. */
  readonly tradable: readonly Venue[];
}

/** The older family's balance, of both venues. */
export interface OlderBalancesOperation {
  readonly name: 'older-balances';
  readonly caller: Caller;
  /** Full ids of all actors of the caller's pod. */
  readonly actorIds: readonly string[];
}

/** A page of the catalog. */
export interface CatalogOperation extends CatalogAsked, Omit<PageAsked, 'venue'> {
  readonly name: 'markets' | 'events';
}

export interface EventMarketsOperation extends CatalogAsked {
  readonly name: 'event-markets';
  /** As in the path. */
  readonly eventId: string;
}

export type OrderOperation =
  | SubmitOperation
  | OneOrderOperation
  | ListOperation
  | FillsOperation
  | CancelAllOperation
  | CancelAfterOperation
  | BalanceOperation
  | PositionsOperation
  | OlderOrdersOperation
  | CatalogOperation
  | EventMarketsOperation
  | OlderBalancesOperation;

/** What an operation is answered with. */
export interface OperationReply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Of a switch that could not be recorded: whether the store has an earlier one of its key. */
  readonly unrecordedSwitch?: { readonly hasRecord: boolean };
}

/** What tasks are done with, on whatever thread. */
export interface TaskRunnerData {
  readonly metrics: MetricsParts;
  /** Null: signatures are checked, and nothing else. */
  readonly desk: OrderDeskData | null;
}

/** What an order worker is started with. */
export interface OrderWorkerData extends TaskRunnerData {
  /** Of a PulseBoard: it takes a place there. */
  readonly pulses: SharedArrayBuffer;
  readonly pulseMs: number;
}
