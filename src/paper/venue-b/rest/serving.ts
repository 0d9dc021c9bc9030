// The steps of a request at venue B before its route: faults, signature, scope, body, cost and account. The first refusal is the answer.
// All steps are synchronous, except a fault with a delay and the generation of a key pair. Thread of the paper exchanges.

import { type JsonObject, objectsOf } from '../../../core/domain/json.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { HttpRoute, InboundRequest, Reply } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type { Faults } from '../../faults/faults.ts';
import { type FaultReplies, withFaults } from '../../faults/with-faults.ts';
import { REST_PATH } from '../wire-text.ts';
import { badRequest, errorOf, errorReply, OTHER_SUBACCOUNT, SCOPE_MISSING, tooManyRequests } from './errors.ts';
import { bodyError, parseBody } from './go-body.ts';
import { QueryReader } from './query.ts';
import {
  ownerOf,
  type PublicRoute,
  payingShard,
  type SignedRoute,
  subaccountIn,
  type VenueBParts,
  type VenueBRoute,
} from './route.ts';

export const DEFAULT_COST = 10;

interface ServingParts extends VenueBParts {
  readonly faults: Faults;
  readonly timers: Timers;
}

const NO_QUERY = new URLSearchParams();
const NO_BODY: JsonObject = {};

const FAULT_REPLIES: FaultReplies = {
  rateLimited: tooManyRequests,
  // The venue's own gateway answers so.
  status: status => ({ status, contentType: 'text/html', body: '' }),
};

export function httpRoute(parts: ServingParts, route: VenueBRoute): HttpRoute {
  const { method, path } = route;
  const operation = `${method.toUpperCase()} ${path}`;
  const respond = (request: InboundRequest, parameters: readonly string[]): Reply | Promise<Reply> =>
    route.access === 'public'
      ? respondPublic(parts, route, request, parameters)
      : respondSigned(parts, route, request, parameters);
  return {
    method,
    pattern: REST_PATH + path,
    handle: (request, parameters) => {
      // The router would take an empty text as the last parameter of a route.
      if (request.path.endsWith('/')) return withoutSlash(request);
      const key = request.header('kalshi-access-key');
      const asked = { venue: 'venue_b', key, operation } as const;
      return withFaults(parts.faults, asked, parts.timers, () => respond(request, parameters), FAULT_REPLIES);
    },
  };
}

/** Redirects to the path without its last slash (venue-b.md §1). */
export function withoutSlash({ path, query }: InboundRequest): Reply {
  // The target begins with one slash only, because two slashes would name a host.
  const target = path.slice(0, -1).replace(/^\/+/, '/') + (query === '' ? '' : `?${query}`);
  return { status: 301, contentType: 'text/html', body: '', headers: [['Location', target]] };
}

/** Answers a public call. A signature is optional. If there is one, it must be valid, and its user pays for the call. */
function respondPublic(
  parts: ServingParts,
  route: PublicRoute,
  request: InboundRequest,
  parameters: readonly string[],
): Reply {
  const { access, faults } = parts;
  let key = '';
  if (request.header('kalshi-access-signature') !== '') {
    const authenticated = access.authenticate(request);
    if (!authenticated.ok) return authenticated.error;
    const { keyId, userId } = authenticated.value;
    if (!access.takeRead(userId, route.cost ?? DEFAULT_COST)) return tooManyRequests();
    key = keyId;
  }
  const query = queryOf(route, request);
  const reply = route.handle({ parameters, query, staleMs: faults.staleMs({ venue: 'venue_b', key }) }, parts);
  return query.refusal ?? reply;
}

function respondSigned(
  parts: ServingParts,
  route: SignedRoute,
  request: InboundRequest,
  parameters: readonly string[],
): Reply | Promise<Reply> {
  const { access, faults } = parts;
  const authenticated = access.authenticate(request);
  if (!authenticated.ok) return authenticated.error;
  const caller = authenticated.value;
  const { scopes } = caller;
  if (!scopes.includes(route.access) && (route.scope === undefined || !scopes.includes(route.scope))) {
    return errorReply(SCOPE_MISSING);
  }
  const read = bodyOf(route, request);
  if (!read.ok) return read.error;
  const body = read.value;
  const query = queryOf(route, request);
  if (!pays(parts, route, caller.userId, query, body)) return tooManyRequests();
  if (route.isWholeAccount === true && caller.subaccount !== null) return errorReply(OTHER_SUBACCOUNT);
  const owner = ownerOf(caller, subaccountOf(query, body));
  if (!owner.ok) return errorReply(owner.error);
  const objection = route.body === undefined ? null : bodyError(body, route.body);
  if (objection !== null) return badRequest(objection);
  const staleMs = route.access === 'read' ? faults.staleMs({ venue: 'venue_b', key: caller.keyId }) : 0;
  const reply = route.handle({ parameters, query, body, caller, owner: owner.value, staleMs }, parts);
  return query.refusal ?? reply;
}

function bodyOf({ body }: SignedRoute, request: InboundRequest): Result<JsonObject, Reply> {
  const isEmpty = request.body.length === 0;
  if (body === undefined || (isEmpty && body.isOptional === true)) return ok(NO_BODY);
  if (isEmpty || !request.header('content-type').startsWith('application/json')) {
    return fail(errorReply(errorOf(400, 'invalid_content_type')));
  }
  return parseBody(request.body);
}

/** Takes the tokens of a call. Returns false if a bucket has too few. Each order of a batch is billed to the bucket of its own shard. */
function pays(
  { access, exchange }: ServingParts,
  { access: bucket, cost = DEFAULT_COST, billsEachOrder }: SignedRoute,
  userId: string,
  query: QueryReader,
  body: JsonObject,
): boolean {
  if (bucket === 'read') return access.takeRead(userId, cost);
  const orders = billsEachOrder === true ? objectsOf(body.orders) : [];
  const costs = new Map<number, number>();
  for (const item of orders.length > 0 ? orders : [body]) {
    const shard = payingShard(exchange, {
      shard: item.exchange_index ?? query.text('exchange_index'),
      ticker: item.ticker ?? item.market_ticker ?? query.text('market_ticker'),
    });
    costs.set(shard, (costs.get(shard) ?? 0) + cost);
  }
  return [...costs].every(([shard, tokens]) => access.takeWrite(userId, shard, tokens));
}

function subaccountOf(query: QueryReader, body: JsonObject): number | null {
  const text = query.text('subaccount');
  if (text === null) return subaccountIn(body);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function queryOf({ operation = '' }: VenueBRoute, { query }: InboundRequest): QueryReader {
  return new QueryReader(operation, query === '' ? NO_QUERY : new URLSearchParams(query));
}
