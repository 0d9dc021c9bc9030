// Operations of callers, as they cross threads: orders go to the engine, lists to the history, the catalog to the check pool. Any
// thread.

import type { ActorLimits } from './identity.ts';
import type { JsonObject } from './json.ts';
import { VENUES, type Venue } from './market.ts';
import type { CancelReason } from './order.ts';
import { ok, type Result } from './result.ts';

/** A catalog in shared memory, readable while its memory has this generation. */
export interface CatalogSnapshot {
  readonly memory: SharedArrayBuffer;
  readonly generation: number;
}

export interface Caller {
  readonly podId: string;
  /** The full id: one store holds the orders of all pods. */
  readonly actorId: string;
  readonly keyId: string;
}

interface Asked {
  readonly venue: Venue;
  readonly caller: Caller;
}

interface PageAsked extends Asked {
  /** Path of the request: a page token is valid for this path only. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

/** What the caller calls the key and the deadline of an order: headers of REST, or fields of a message. Errors name them so. */
export interface FieldNames {
  readonly idempotencyKey: string;
  readonly notAfter: string;
}

export interface SubmitOperation extends Asked {
  readonly name: 'submit';
  /** An error says what is wrong with the body. */
  readonly body: Result<JsonObject, string>;
  readonly bodySha256Hex: string;
  readonly idempotencyKey: string;
  /** Whether the venue took orders at the time of the request. If not, the answer of an earlier order is still available. */
  readonly isTradable: boolean;
  /** The caller's limits at the time of the request: another process may change them. */
  readonly limits: ActorLimits;
  /** Unix milliseconds: the caller's own deadline. */
  readonly notAfter: number | null;
  readonly names: FieldNames;
  /** Whether the caller hears that the order is recorded, before its answer. */
  readonly acknowledges: boolean;
}

/** One order of a batch. */
export interface BatchItem {
  /** Without the item's key. */
  readonly body: JsonObject;
  readonly bodySha256Hex: string;
  readonly idempotencyKey: string;
  readonly names: FieldNames;
}

/** Several orders in one request: each is a submission of its own. */
export interface SubmitBatchOperation extends Asked, Pick<SubmitOperation, 'isTradable' | 'limits' | 'notAfter'> {
  readonly name: 'submit-batch';
  readonly items: readonly BatchItem[];
}

/** Replaces an order by a new one, which has the key. */
export interface ReplaceOperation extends Asked, Omit<SubmitOperation, 'name'> {
  readonly name: 'replace';
  /** As in the path; the hash of the body covers it. */
  readonly orderId: string;
}

/** It makes one order. */
export type NewOrderOperation = SubmitOperation | ReplaceOperation;

export interface CancelBatchOperation extends Asked {
  readonly name: 'cancel-batch';
  /** As in the body; none twice. */
  readonly orderIds: readonly string[];
}

export interface OneOrderOperation extends Asked {
  readonly name: 'get' | 'cancel';
  /** As in the path. */
  readonly orderId: string;
}

export interface ListOperation extends PageAsked {
  readonly name: 'list';
}

export interface FillsOperation extends PageAsked {
  readonly name: 'fills';
  readonly orderId: string;
}

export interface CancelAllOperation extends Asked {
  readonly name: 'cancel-all';
  /** Token id or ticker; null: all. */
  readonly address: string | null;
  /** Only orders of this signing key; null: of all keys. */
  readonly keyId: string | null;
  /** Of the orders; REQUESTED if absent. */
  readonly reason?: CancelReason | undefined;
  /** Of the request, checked: a repetition gets the first answer. Null: nothing can repeat it. */
  readonly signature: Uint8Array | null;
}

/** Arms the dead man's switch of the caller's key, or disarms it. */
export interface CancelAfterOperation {
  readonly name: 'cancel-after';
  readonly caller: Caller;
  readonly body: JsonObject;
}

/** Of the caller's actor. */
export interface ProtectionOperation {
  readonly name: 'protection';
  readonly ask: 'list' | 'set' | 'reset' | 'end';
  readonly caller: Caller;
  /** Which, and its terms. */
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

/** The older family's list, over both venues. */
export interface OlderOrdersOperation extends Omit<PageAsked, 'venue'> {
  readonly name: 'older-orders';
}

/** For the catalog: both venues, no account. */
export interface CatalogAsked {
  readonly caller: Caller;
  /** Null: no venue is listed. */
  readonly catalog: CatalogSnapshot | null;
  /** Where the caller's pod can place orders now. */
  readonly tradable: readonly Venue[];
}

/** The older family's balance, over both venues. */
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

/** `*`: all pods; else the id of a pod, or the full id of an actor. */
export type StopScope = string;
export const EVERY_POD: StopScope = '*';

/** `actorId`: its full id. */
export function isInScope(scope: StopScope, { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>): boolean {
  return scope === EVERY_POD || scope === podId || scope === actorId;
}

/** Whether the scope is of that pod, whole or in part. */
export function isOfPod(scope: StopScope, podId: string): boolean {
  return scope === EVERY_POD || scope === podId || scope.startsWith(`${podId}/`);
}

/** Of an operator. `stop`: no new orders in the scope until `resume`, and a cancel of all that are open there. */
export interface StopOperation {
  readonly name: 'stop' | 'resume';
  readonly caller: Caller;
  readonly scope: StopScope;
}

/** For the engine thread. */
export type EngineOperation =
  | StopOperation
  | SubmitOperation
  | SubmitBatchOperation
  | ReplaceOperation
  | OneOrderOperation
  | CancelBatchOperation
  | CancelAllOperation
  | CancelAfterOperation
  | ProtectionOperation
  | BalanceOperation
  | PositionsOperation
  | OlderBalancesOperation;

/** The submissions in an operation: none, itself, or the orders of a batch. */
export function submissionsOf(operation: OrderOperation): readonly SubmitOperation[] {
  if (operation.name === 'submit') return [operation];
  if (operation.name !== 'submit-batch') return [];
  const { items, ...common } = operation;
  return items.map(({ body, ...item }) => ({
    ...common,
    ...item,
    name: 'submit',
    body: ok(body),
    acknowledges: false,
  }));
}

/** The orders that an operation makes. */
export function newOrdersOf(operation: OrderOperation): readonly NewOrderOperation[] {
  return operation.name === 'replace' ? [operation] : submissionsOf(operation);
}

/** Whether it is claimed only when its orders are about to be sent. */
export function isSubmission({ name }: OrderOperation): boolean {
  return name === 'submit' || name === 'submit-batch' || name === 'replace';
}

/** The venues whose orders, fills or positions it reads from the ledger; a balance is read at its venue. */
export function venuesShown(operation: OrderOperation): readonly Venue[] {
  switch (operation.name) {
    case 'get':
    case 'list':
    case 'fills':
    case 'positions':
      return [operation.venue];
    case 'older-orders':
    case 'older-balances':
      return VENUES;
    default:
      return [];
  }
}

/** How many requests it counts for in the rate of its key. */
export function costOf(operation: OrderOperation): number {
  if (operation.name === 'submit-batch') return operation.items.length;
  return operation.name === 'cancel-batch' ? operation.orderIds.length : 1;
}

/** Whether repeating it is harmless, and takes precedence. */
export function isCancel({ name }: OrderOperation): boolean {
  return name === 'cancel' || name === 'cancel-batch' || name === 'cancel-all' || name === 'stop';
}

/** An operation of a caller whose signature is valid. Times by monotonicUs(). */
export interface TimedOperation {
  readonly operation: EngineOperation;
  /** Arrival of the request. */
  readonly startedAtUs: number;
  /** Start and end of the signature check; null: it was checked before the operation. */
  readonly checkedUs: readonly [from: number, to: number] | null;
}

/** For the history thread. */
export type HistoryOperation = ListOperation | FillsOperation | OlderOrdersOperation;

/** For the check pool: lists of the catalog, from shared memory. */
export type CatalogListOperation = CatalogOperation | EventMarketsOperation;

export type OrderOperation = EngineOperation | HistoryOperation | CatalogListOperation;

/** The answer to an operation. */
export interface OperationReply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
}
