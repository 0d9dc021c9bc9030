// Reads the call of an operation from its request, without looking anything up. Main thread, and the engine’s (src/gateway/door).

import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { InboundRequest } from '../../core/net/listen.ts';
import { readJsonBody } from '../../core/wire/json-body.ts';
import { idempotencyKeyProblem } from '../../core/wire/trade-messages.ts';
import { type Refusal, refusal } from './api-refusals.ts';
import type { Call, Operation } from './operation.ts';
import { readQuery } from './query.ts';

/** A request for an operation under a key; null: without one. */
export interface RoutedRequest<Key> {
  readonly operation: Operation;
  readonly request: InboundRequest;
  readonly parameters: readonly string[];
  readonly key: Key;
}

const PLAIN_ENCODING = /^(identity)?$/i;
const JSON_BODY = /^application\/json(;\s*charset=("?)utf-8\2)?$/i;
const EMPTY = ok({});

/** Reads headers, query and body, in this order. */
export function readCall<Key>({ operation, request, parameters, key }: RoutedRequest<Key>): Result<Call<Key>, Refusal> {
  const problem = headerProblem(operation, request);
  if (problem !== null) return fail(refusal('invalid', problem));
  const query = readQuery(request.query, operation.query);
  if (!query.ok) return fail(refusal('invalid', query.error));
  const hasBody = operation.family === 'signed' && operation.hasBody;
  if (!hasBody && request.body.length > 0) return fail(refusal('invalid', 'body: must be empty'));
  const body = hasBody ? readJsonBody(request.body) : EMPTY;
  return ok({ request, parameters, query: query.value, body, key });
}

function headerProblem(operation: Operation, request: InboundRequest): string | null {
  if (operation.family !== 'signed') return null;
  if (operation.guard === 'idempotency-key') {
    const key = request.header('idempotency-key');
    const problem = idempotencyKeyProblem(key);
    if (problem !== null) return `Idempotency-Key: ${problem}`;
  }
  if (operation.guard === 'item-keys' && request.header('idempotency-key') !== '')
    return 'Idempotency-Key: must be absent, as each order of a batch has its own';
  if (!PLAIN_ENCODING.test(request.header('content-encoding')))
    return 'Content-Encoding: must not be given, as bodies are taken as they are';
  return operation.hasBody && !JSON_BODY.test(request.header('content-type'))
    ? 'Content-Type: must be application/json'
    : null;
}
