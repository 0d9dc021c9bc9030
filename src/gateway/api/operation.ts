// Describes an operation of the API: its path, its callers, and its handler (interface §4, contract §2–§9). Main thread, and the engine’s
// (src/gateway/door).

import type { KeyEntry } from '../../core/auth/keyring.ts';
import type { ApiKey, Scope } from '../../core/domain/identity.ts';
import type { JsonObject } from '../../core/domain/json.ts';
import type { OrderOperation } from '../../core/domain/operation.ts';
import type { Result } from '../../core/domain/result.ts';
import type { InboundRequest, Reply } from '../../core/net/listen.ts';
import type { Refusal } from './api-refusals.ts';
import type { Bucket } from './rate-limits.ts';

/** A request that has passed every check that does not depend on the operation. */
export interface Call<Key> {
  readonly request: InboundRequest;
  /** The values of the path's parameters, in the order of the path. */
  readonly parameters: readonly string[];
  readonly query: ReadonlyMap<string, string>;
  /**
   * The body as an object, or the error in it. The object is empty for operations without a body. A used idempotency key is reported in
   * preference to the error.
   */
  readonly body: Result<JsonObject, string>;
  readonly key: Key;
}

/** Reads the operation from a request, without looking anything up. */
export type OrderHandler = (call: Call<KeyEntry>) => Result<OrderOperation, Refusal>;

export type Handler<Key> = (call: Call<Key>) => Reply | Promise<Reply>;

/**
 * The guard that keeps a repeated request from acting twice. `none`: the operation reads, or is harmless to repeat. `idempotency-key`: the
 * header is required. `item-keys`: each item of the body has an idempotency key, and the header must be absent. `signature`: the first
 * answer is remembered, and repeated (contract §2).
 */
export type RepeatGuard = 'none' | 'idempotency-key' | 'item-keys' | 'signature';

interface Place {
  /** The operation's id in proto/openapi.yaml. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path, with parameters as `:name`. */
  readonly path: string;
  /** The names of the query parameters. All other parameters are refused. */
  readonly query: readonly string[];
}

export interface SignedOperation extends Place {
  readonly family: 'signed';
  /** Null means that any live key is admitted. */
  readonly scope: Scope | null;
  readonly bucket: Bucket;
  readonly guard: RepeatGuard;
  readonly hasBody: boolean;
}

/** An operation of the older family (interface §4.3), which only reads. */
export interface OlderOperation extends Place {
  readonly family: 'older';
}

/** An operation that needs no key. */
export interface OpenOperation extends Place {
  readonly family: 'open';
}

export type Operation = SignedOperation | OlderOperation | OpenOperation;

/** The handlers by operationId. An operation without a handler is documented, but this version does not serve it. */
export interface Handlers {
  readonly signed: Readonly<Record<string, Handler<KeyEntry>>>;
  /** Handlers of operations that the engine or the history performs. */
  readonly orders: Readonly<Record<string, OrderHandler>>;
  /** Handlers of operations that the check pool answers from the catalog, once the first catalog exists. */
  readonly catalog: Readonly<Record<string, OrderHandler>>;
  readonly older: Readonly<Record<string, Handler<ApiKey>>>;
  readonly open: Readonly<Record<string, Handler<null>>>;
}
