// What an operation of the API is: where it is asked for, by whom, and what answers it (interface §4, contract §2–§9).
// Main thread.

import type { ApiKey, Scope, SigningKey } from '../../domain/identity.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Result } from '../../domain/result.ts';
import type { InboundRequest, Reply } from '../../net/listen.ts';
import type { OrderOperation } from '../../threads/order-tasks.ts';
import type { Bucket } from './rate-limits.ts';
import type { Refusal } from './replies.ts';

/** A request that has passed every check which does not depend on the operation. */
export interface Call<Key> {
  readonly request: InboundRequest;
  /** Values of the path's parameters, in order. */
  readonly parameters: readonly string[];
  readonly query: ReadonlyMap<string, string>;
  /** Empty where the operation has none; else what is wrong with it: a used idempotency key is told before that. */
  readonly body: Result<JsonObject, string>;
  readonly key: Key;
}

/** Reads which operation is asked for; nothing has been looked up. */
export type OrderHandler = (call: Call<SigningKey>) => Result<OrderOperation, Refusal>;

export type Handler<Key> = (call: Call<Key>) => Reply | Promise<Reply>;

/**
 * What keeps a repeated request from acting twice. `none`: nothing does, it reads or is harmless to repeat;
 * `idempotency-key`: the header is required; `signature`: the first answer is remembered (contract §2).
 */
export type RepeatGuard = 'none' | 'idempotency-key' | 'signature';

interface Place {
  /** As in proto/openapi.yaml. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters as `:name`. */
  readonly path: string;
  /** Names of the query's parameters: every other is refused. */
  readonly query: readonly string[];
}

export interface SignedOperation extends Place {
  readonly family: 'signed';
  /** Null: any live key. */
  readonly scope: Scope | null;
  readonly bucket: Bucket;
  readonly guard: RepeatGuard;
  readonly hasBody: boolean;
}

/** The older family (interface §4.3): it only reads. */
export interface OlderOperation extends Place {
  readonly family: 'older';
}

/** Served to everybody. */
export interface OpenOperation extends Place {
  readonly family: 'open';
}

export type Operation = SignedOperation | OlderOperation | OpenOperation;

/** Who answers, by operationId. An operation that nobody answers is documented, but not served by this version. */
export interface Handlers {
  readonly signed: Readonly<Record<string, Handler<SigningKey>>>;
  /** Answered by the order desk. */
  readonly orders: Readonly<Record<string, OrderHandler>>;
  /** So too, from the catalog: once there is one. */
  readonly catalog: Readonly<Record<string, OrderHandler>>;
  readonly older: Readonly<Record<string, Handler<ApiKey>>>;
  readonly open: Readonly<Record<string, Handler<null>>>;
}
