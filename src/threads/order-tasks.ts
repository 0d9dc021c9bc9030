// Operations that callers ask for, as they cross threads: on orders to the engine, on lists to the history, on the catalog to the
// check pool. Any thread.

import type { Snapshot } from '../catalog/snapshot-writer.ts';
import type { ActorLimits } from '../domain/actor-limits.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Venue } from '../domain/market.ts';
import type { Result } from '../domain/result.ts';

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

export interface FillsOperation extends PageAsked {
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

/** For the engine's thread. */
export type EngineOperation =
  | SubmitOperation
  | OneOrderOperation
  | CancelAllOperation
  | CancelAfterOperation
  | BalanceOperation
  | PositionsOperation
  | OlderBalancesOperation;

/** For the history's thread. */
export type HistoryOperation = ListOperation | FillsOperation | OlderOrdersOperation;

/** For the check pool: lists of the catalog, from shared memory. */
export type CatalogListOperation = CatalogOperation | EventMarketsOperation;

export type OrderOperation = EngineOperation | HistoryOperation | CatalogListOperation;

/** What an operation is answered with. */
export interface OperationReply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
}
