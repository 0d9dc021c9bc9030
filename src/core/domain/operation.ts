// The operations of callers, as they cross threads. Orders go to the engine, lists to the history, requests for the catalog to the check
// pool. Any thread.

import type { FeeModel } from './fees.ts';
import type { ActorLimits, ActorRate } from './identity.ts';
import type { JsonObject } from './json.ts';
import type { LossTerms } from './loss-limit.ts';
import { VENUES, type Venue } from './market.ts';
import type { MicroShares } from './numbers.ts';
import type { CancelReason } from './order.ts';
import { ok, type Result } from './result.ts';
import type { WalletActionKind } from './wallet-action.ts';

/** A catalog in shared memory. The catalog is readable while its memory has this generation. */
export interface CatalogSnapshot {
  readonly memory: SharedArrayBuffer;
  readonly generation: number;
}

export interface Caller {
  readonly podId: string;
  /** The full id of the actor, because one store holds the orders of all pods. */
  readonly actorId: string;
  readonly keyId: string;
}

interface Operation {
  readonly venue: Venue;
  readonly caller: Caller;
}

interface PagedOperation extends Operation {
  /** The path of the request: a page token is valid for this path only. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

/** The caller's names for the key and the deadline of an order: headers of REST, or fields of a message. Errors use these names. */
export interface FieldNames {
  readonly idempotencyKey: string;
  readonly notAfter: string;
}

export interface SubmitOperation extends Operation {
  readonly name: 'submit';
  /** The body of the request. An error says why the body is invalid. */
  readonly body: Result<JsonObject, string>;
  readonly bodySha256Hex: string;
  readonly idempotencyKey: string;
  /**
   * Whether the venue took orders at the time of the request. The answer to an earlier request is available even if the venue takes none.
   */
  readonly isTradable: boolean;
  /** The caller's limits at the time of the request. Another process may change the limits meanwhile. */
  readonly limits: ActorLimits;
  /** The caller's own deadline in Unix milliseconds. Null means that the caller states no deadline. */
  readonly notAfter: number | null;
  readonly names: FieldNames;
  /** Whether the caller wants to hear that the order is recorded before the answer comes. */
  readonly acknowledges: boolean;
}

export interface BatchItem {
  /** The body without the item's key. */
  readonly body: JsonObject;
  readonly bodySha256Hex: string;
  readonly idempotencyKey: string;
  readonly names: FieldNames;
}

/** Several orders in one request. Each order is a submission of its own. */
export interface SubmitBatchOperation extends Operation, Pick<SubmitOperation, 'isTradable' | 'limits' | 'notAfter'> {
  readonly name: 'submit-batch';
  readonly items: readonly BatchItem[];
}

/** Replaces an order by a new order, which has the idempotency key. */
export interface ReplaceOperation extends Operation, Omit<SubmitOperation, 'name'> {
  readonly name: 'replace';
  /** The order id of the path; the hash of the body covers it. */
  readonly orderId: string;
}

/** Shows the effect that a submission would have. Nothing is recorded or sent. */
export interface PreviewOperation extends Operation, Pick<SubmitOperation, 'body' | 'isTradable' | 'limits'> {
  readonly name: 'preview';
  /** The fees of the market. Null means that the fees cannot be read, or that the venue's rule is not known. */
  readonly fees: FeeModel | null;
  /** The size of the actor's own working orders at the same price that the book does not display. */
  readonly undisplayed: MicroShares;
}

/** An operation that makes one new order. A replace makes one, too. */
export type NewOrderOperation = SubmitOperation | ReplaceOperation;

export interface CancelBatchOperation extends Operation {
  readonly name: 'cancel-batch';
  /** The order ids of the body, without duplicates. */
  readonly orderIds: readonly string[];
  /** The limit of the actor's cancels at the time of the request. Null or absent means no limit. */
  readonly rate?: ActorRate | null;
}

export interface OneOrderOperation extends Operation {
  readonly name: 'get' | 'cancel';
  /** The order id of the path. */
  readonly orderId: string;
  /** The limit of the actor's cancels, as for a batch of cancels. */
  readonly rate?: ActorRate | null;
}

export interface ListOperation extends PagedOperation {
  readonly name: 'list';
}

export interface FillsOperation extends PagedOperation {
  readonly name: 'fills';
  readonly orderId: string;
}

export interface CancelAllOperation extends Operation {
  readonly name: 'cancel-all';
  /** A token id or ticker; null means all markets. */
  readonly address: string | null;
  /** Cancels only orders of this signing key; null means all keys. */
  readonly keyId: string | null;
  /** The reason that the cancelled orders get; REQUESTED if absent. */
  readonly reason?: CancelReason | undefined;
  /** The checked signature of the request: a repetition gets the first answer. Null if the request cannot be repeated. */
  readonly signature: Uint8Array | null;
}

/** Arms the dead man's switch of the caller's key, or disarms it. */
export interface CancelAfterOperation {
  readonly name: 'cancel-after';
  readonly caller: Caller;
  readonly body: JsonObject;
}

/** Lists the protections of the caller's actor. */
export interface ProtectionOperation {
  readonly name: 'protection';
  readonly ask: 'list' | 'set' | 'reset' | 'end';
  readonly caller: Caller;
  /** The venue or market to protect, and the terms. */
  readonly body: JsonObject;
}

/** Redeems, splits or merges shares of the pod's wallet at venue A. */
export interface WalletOperation extends Omit<SubmitOperation, 'name' | 'acknowledges'> {
  readonly name: 'wallet-action';
  readonly kind: WalletActionKind;
  /** The token id of the path; the hash of the body covers it. */
  readonly tokenId: string;
}

export interface GetActionOperation {
  readonly name: 'get-action';
  readonly caller: Caller;
  /** The action id of the path. */
  readonly actionId: string;
}

export interface ListActionsOperation extends Omit<PagedOperation, 'venue'> {
  readonly name: 'list-actions';
}

interface BalanceOperation extends Operation {
  readonly name: 'balance';
}

/** Asks for the positions of resting orders in their queues, as the venue states them. */
export interface QueuePositionsOperation extends Operation {
  readonly name: 'queue-positions';
  /** The token ids or tickers of the orders, each once. */
  readonly addresses: readonly string[];
}

export interface PositionsOperation extends Operation {
  readonly name: 'positions';
  /** A token id or ticker; null means all markets. */
  readonly address: string | null;
  /** Whether the answer has the owner's totals (`PositionTotals`) in micro-dollars. Only the pod's own view has them. */
  readonly hasTotals: boolean;
}

/** Asks for the older family's list of orders, over both venues. */
export interface OlderOrdersOperation extends Omit<PagedOperation, 'venue'> {
  readonly name: 'older-orders';
}

/** The fields of all requests for the catalog, which covers both venues. Such a request needs no account. */
export interface CatalogQuery {
  readonly caller: Caller;
  /** The catalog. Null means that no venue has been listed yet. */
  readonly catalog: CatalogSnapshot | null;
  /** Venues at which the caller's pod can place orders now. */
  readonly tradable: readonly Venue[];
}

/** Asks for the older family's balance, over both venues. */
export interface OlderBalancesOperation {
  readonly name: 'older-balances';
  readonly caller: Caller;
  /** Full ids of all actors of the caller's pod. */
  readonly actorIds: readonly string[];
}

/** Asks for a page of the catalog. */
export interface CatalogOperation extends CatalogQuery, Omit<PagedOperation, 'venue'> {
  readonly name: 'markets' | 'events';
}

export interface EventMarketsOperation extends CatalogQuery {
  readonly name: 'event-markets';
  /** The event id of the path. */
  readonly eventId: string;
}

/** The scope of a stop: `*` for all pods, the id of a pod, or the full id of an actor. */
export type StopScope = string;
export const EVERY_POD: StopScope = '*';

/** Whether the scope covers the actor; `actorId` is the full id. */
export function isInScope(scope: StopScope, { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>): boolean {
  return scope === EVERY_POD || scope === podId || scope === actorId;
}

/** Whether the scope is the pod or one of the pod's actors. */
export function isOfPod(scope: StopScope, podId: string): boolean {
  return scope === EVERY_POD || scope === podId || scope.startsWith(`${podId}/`);
}

/** A command of an operator. `stop` refuses new orders in the scope until `resume`, and cancels all open orders there. */
export interface StopOperation {
  readonly name: 'stop' | 'resume';
  readonly caller: Caller;
  readonly scope: StopScope;
}

/** A command of an operator about loss limits. */
export interface LossLimitOperation {
  readonly name: 'loss-limit';
  readonly ask: 'set' | 'reset' | 'end' | 'list';
  readonly caller: Caller;
  /** The id of a pod, or the full id of an actor. A list may also ask for all pods. */
  readonly scope: StopScope;
  /** The terms of the new limit; null unless `ask` is `set`. */
  readonly terms: LossTerms | null;
}

/** Asks for the largest loss of actors and pod in each event. */
export interface ExposureOperation {
  readonly name: 'exposure';
  readonly caller: Caller;
  /** The full ids of the actors. */
  readonly actorIds: readonly string[];
  /** Whether the answer also covers the pod as a whole. */
  readonly isOfPod: boolean;
}

/** Operations for the engine thread. */
export type EngineOperation =
  | StopOperation
  | LossLimitOperation
  | ExposureOperation
  | SubmitOperation
  | SubmitBatchOperation
  | ReplaceOperation
  | PreviewOperation
  | OneOrderOperation
  | CancelBatchOperation
  | CancelAllOperation
  | CancelAfterOperation
  | ProtectionOperation
  | WalletOperation
  | GetActionOperation
  | BalanceOperation
  | QueuePositionsOperation
  | PositionsOperation
  | OlderBalancesOperation;

/** Returns the submissions in an operation: none, the operation itself, or the orders of a batch. */
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

/** Returns the operations that make the new orders of an operation. */
export function newOrdersOf(operation: OrderOperation): readonly NewOrderOperation[] {
  return operation.name === 'replace' ? [operation] : submissionsOf(operation);
}

/** Whether the idempotency key of the operation is claimed only when its orders are about to be sent. */
export function isSubmission({ name }: OrderOperation): boolean {
  return name === 'submit' || name === 'submit-batch' || name === 'replace';
}

/** Returns the venues whose orders, fills or positions the operation reads from the ledger. A balance is read at its venue. */
export function venuesShown(operation: OrderOperation): readonly Venue[] {
  switch (operation.name) {
    case 'get':
    case 'list':
    case 'fills':
    case 'positions':
    case 'preview':
      return [operation.venue];
    case 'older-orders':
    case 'older-balances':
      return VENUES;
    default:
      return NO_VENUES;
  }
}

const NO_VENUES: readonly Venue[] = [];

/** Whether the check pool answers the operation. */
export function isOfCatalog(operation: OrderOperation): operation is CatalogListOperation {
  const { name } = operation;
  return name === 'markets' || name === 'events' || name === 'event-markets';
}

/** Whether the history answers the operation. */
export function isOfHistory(operation: EngineOperation | HistoryOperation): operation is HistoryOperation {
  const { name } = operation;
  return name === 'list' || name === 'fills' || name === 'older-orders' || name === 'list-actions';
}

/** Returns the number of requests as which the operation counts in the rate of its key. */
export function costOf(operation: OrderOperation): number {
  if (operation.name === 'submit-batch') return operation.items.length;
  return operation.name === 'cancel-batch' ? operation.orderIds.length : 1;
}

/** Whether the operation cancels: such an operation takes precedence, and repeating it is harmless. */
export function isCancel({ name }: OrderOperation): boolean {
  return name === 'cancel' || name === 'cancel-batch' || name === 'cancel-all' || name === 'stop';
}

/** An operation of a caller whose signature is valid. The times are by monotonicUs(). */
export interface TimedOperation {
  readonly operation: EngineOperation;
  /** The time at which the request arrived. Null means that the answer does not say how long each stage took. */
  readonly timedFromUs: number | null;
  /** The start and the end of the signature check. Null means that the check came before the operation, or that nothing is timed. */
  readonly checkedUs: readonly [from: number, to: number] | null;
}

/** Operations for the history thread. */
export type HistoryOperation = ListOperation | FillsOperation | OlderOrdersOperation | ListActionsOperation;

/** Operations for the check pool: lists of the catalog, from shared memory. */
export type CatalogListOperation = CatalogOperation | EventMarketsOperation;

export type OrderOperation = EngineOperation | HistoryOperation | CatalogListOperation;

export interface OperationReply {
  readonly status: number;
  /** The body as JSON text. */
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
}
