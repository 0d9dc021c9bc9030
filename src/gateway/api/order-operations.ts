// Turns requests into operations on orders. Also answers requests that no thread was able to perform. Main thread, and the engine's
// (src/gateway/door).

import { hash } from 'node:crypto';
import { inLowerCase, readSignature } from '../../core/auth/check.ts';
import type { KeyEntry } from '../../core/auth/keyring.ts';
import { isPlainTokenId, type Venue } from '../../core/domain/market.ts';
import type {
  FieldNames,
  OperationReply,
  OrderOperation,
  ProtectionOperation,
  ReplaceOperation,
  SubmitOperation,
  WalletOperation,
} from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { WalletActionKind } from '../../core/domain/wallet-action.ts';
import { type InboundRequest, JSON_TYPE, type Reply } from '../../core/net/listen.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import { readCancelledMarket } from '../../core/wire/order-requests.ts';
import { idempotencyKeyProblem } from '../../core/wire/trade-messages.ts';
import { limits } from '../../limits.ts';
import { cancelRateOf } from '../../orders/life/actor-rates.ts';
import type { OrderIds } from '../../orders/life/order-ids.ts';
import { venueAddressOf } from '../../venues/wire-values.ts';
import type { OperationFailure, Operations } from '../trading/operations.ts';
import { type Refusal, refusal, signedRefusal } from './api-refusals.ts';
import { readBatch, readCancelBatch } from './batches.ts';
import type { Call, OrderHandler } from './operation.ts';

/** The header names that REST uses for these fields. */
const NAMES: FieldNames = { idempotencyKey: 'Idempotency-Key', notAfter: 'SVC-Not-After-Millis' };

/** Whether orders can be placed at the venue now. */
type IsTradable = (podId: string, venue: Venue) => boolean;

interface OrderHandlerParts {
  readonly isTradable: IsTradable;
  readonly orderIds: Pick<OrderIds, 'idFor'>;
}

export function orderHandlers(parts: OrderHandlerParts): Readonly<Record<string, OrderHandler>> {
  return {
    ...handlersOf('VenueA', 'venue_a', 'tokenId', parts),
    ...handlersOf('VenueB', 'venue_b', 'ticker', parts),
    redeemVenueAPosition: call => walletAction('REDEEM', call, parts.isTradable),
    splitVenueAPosition: call => walletAction('SPLIT', call, parts.isTradable),
    mergeVenueAPosition: call => walletAction('MERGE', call, parts.isTradable),
    listVenueAActions: ({ key, query, request }) =>
      ok({ name: 'list-actions', caller: key.caller, path: request.path, query }),
    getVenueAAction: ({ key, parameters: [actionId = ''] }) => ok({ name: 'get-action', caller: key.caller, actionId }),
    cancelAfter: ({ key, body }) =>
      body.ok
        ? ok({ name: 'cancel-after', caller: key.caller, body: body.value })
        : fail(refusal('invalid', body.error)),
    listProtections: protectionHandler('list'),
    setProtection: protectionHandler('set'),
    resetProtection: protectionHandler('reset'),
    endProtection: call => protectionHandler('end')({ ...call, body: ok(Object.fromEntries(call.query)) }),
  };
}

function protectionHandler(ask: ProtectionOperation['ask']): OrderHandler {
  return ({ key, body }) =>
    body.ok
      ? ok({ name: 'protection', ask, caller: key.caller, body: body.value })
      : fail(refusal('invalid', body.error));
}

function handlersOf(
  name: 'VenueA' | 'VenueB',
  venue: Venue,
  filter: 'tokenId' | 'ticker',
  { isTradable, orderIds }: OrderHandlerParts,
): Readonly<Record<string, OrderHandler>> {
  return {
    [`submit${name}Order`]: call => readSubmission(call, venue, isTradable),
    [`replace${name}Order`]: call => {
      const submission = readSubmission(call, venue, isTradable);
      return submission.ok ? ok(replacementOf(submission.value, call.parameters[0] ?? '')) : submission;
    },
    [`submit${name}Batch`]: call => {
      const items = readBatch(call.body, NAMES);
      const terms = submissionTerms(call, venue, isTradable);
      if (!items.ok) return items;
      if (!terms.ok) return terms;
      return ok({ name: 'submit-batch', venue, caller: call.key.caller, items: items.value, ...terms.value });
    },
    [`list${name}Orders`]: call => {
      const { key, query, request } = call;
      const address = addressOf(call, filter);
      return address.ok ? ok({ name: 'list', venue, caller: key.caller, path: request.path, query }) : address;
    },
    [`get${name}Order`]: ({ key, parameters: [orderId = ''] }) =>
      ok({ name: 'get', venue, caller: key.caller, orderId }),
    [`cancel${name}Order`]: ({ key, parameters: [orderId = ''] }) =>
      ok({ name: 'cancel', venue, caller: key.caller, orderId, rate: cancelRateOf(key.limits) }),
    [`get${name}OrderByClientId`]: call => operationByClientId('get', call, venue, orderIds),
    [`cancel${name}Batch`]: ({ key, body }) => {
      const orderIds = readCancelBatch(body);
      if (!orderIds.ok) return orderIds;
      const rate = cancelRateOf(key.limits);
      return ok({ name: 'cancel-batch', venue, caller: key.caller, orderIds: orderIds.value, rate });
    },
    [`cancel${name}OrderByClientId`]: call => operationByClientId('cancel', call, venue, orderIds),
    [`list${name}OrderFills`]: ({ key, query, request, parameters: [orderId = ''] }) =>
      ok({ name: 'fills', venue, caller: key.caller, path: request.path, query, orderId }),
    [`cancel${name}Orders`]: call => {
      const address = addressOf(call, filter);
      if (!address.ok) return address;
      const market = address.value === null ? address : readCancelledMarket(venue, address.value);
      if (!market.ok) return fail(refusal('invalid', market.error));
      const signature = readSignature(call.request.header('svc-signature'));
      const caller = call.key.caller;
      return ok({ name: 'cancel-all', venue, caller, address: market.value, keyId: null, signature });
    },
    [`get${name}Balance`]: ({ key }) => ok({ name: 'balance', venue, caller: key.caller }),
    [`get${name}Positions`]: call => {
      const address = addressOf(call, filter);
      if (!address.ok) return address;
      return ok({ name: 'positions', venue, caller: call.key.caller, address: address.value, hasTotals: false });
    },
  };
}

/** Finds an order by the client order id in the path, which is the order's idempotency key. */
function operationByClientId(
  name: 'get' | 'cancel',
  { key, request, parameters: [clientOrderId = ''] }: Call<KeyEntry>,
  venue: Venue,
  orderIds: Pick<OrderIds, 'idFor'>,
): Result<OrderOperation, Refusal> {
  // A key with a bad encoding names no order at all. A 404 would wrongly say that such an order does not exist.
  const problem = isPercentEncoded(request.path) ? idempotencyKeyProblem(clientOrderId) : NOT_ENCODED;
  if (problem !== null) return fail(refusal('invalid', `clientOrderId: ${problem}`));
  const caller = key.caller;
  // A caller without an account at the venue has no order id. The operation itself then answers that the account is missing.
  const orderId = orderIds.idFor(caller, venue, clientOrderId) ?? '';
  return ok({ name, venue, caller, orderId, rate: cancelRateOf(key.limits) });
}

const NOT_ENCODED = 'must be percent-encoded UTF-8, as by encodeURIComponent';

function isPercentEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The market in the query. Null means any market. */
function addressOf({ query }: Call<KeyEntry>, filter: 'tokenId' | 'ticker'): Result<string | null, Refusal> {
  const address = query.get(filter) ?? null;
  if (address === null || venueAddressOf(address) !== '') return ok(address);
  const lengthMax = limits.marketAddressCharactersMax;
  const rule = `must be 1 to ${lengthMax} visible ASCII characters (marketAddressCharactersMax)`;
  return fail(refusal('invalid', `${filter}: ${rule}`));
}

function readSubmission(call: Call<KeyEntry>, venue: Venue, isTradable: IsTradable): Result<SubmitOperation, Refusal> {
  const { key, body, request } = call;
  const terms = submissionTerms(call, venue, isTradable);
  if (!terms.ok) return terms;
  return ok({
    name: 'submit',
    venue,
    caller: key.caller,
    body,
    // Admission has compared this hash with the body.
    bodySha256Hex: inLowerCase(request.header('svc-content-sha256')),
    idempotencyKey: request.header('idempotency-key'),
    names: NAMES,
    acknowledges: false,
    ...terms.value,
  });
}

/** Reads a wallet action. The hash of the body includes the kind and the token, so that the idempotency key is bound to both. */
function walletAction(
  kind: WalletActionKind,
  call: Call<KeyEntry>,
  isTradable: IsTradable,
): Result<WalletOperation, Refusal> {
  const [tokenId = ''] = call.parameters;
  const submission = readSubmission(call, 'venue_a', isTradable);
  if (!isPlainTokenId(tokenId))
    return fail(refusal('invalid', 'tokenId: must be a decimal integer without leading zeros, of at most 256 bits'));
  if (!submission.ok) return submission;
  const bodySha256Hex = hash('sha256', `${kind} ${tokenId} ${submission.value.bodySha256Hex}`, 'hex');
  return ok({ ...submission.value, name: 'wallet-action', kind, tokenId, bodySha256Hex });
}

/**
 * Makes a replace from a body that was read as a submission. The hash includes the replaced order, so that the idempotency key is bound to
 * it, too.
 */
export function replacementOf(submission: SubmitOperation, orderId: string): ReplaceOperation {
  const bodySha256Hex = hash('sha256', `${orderId} ${submission.bodySha256Hex}`, 'hex');
  return { ...submission, name: 'replace', orderId, bodySha256Hex };
}

/** The facts of a submission that are not in its body: the key's present limits, and the deadline that the caller sets. */
function submissionTerms(
  { key, request }: Call<KeyEntry>,
  venue: Venue,
  isTradable: IsTradable,
): Result<Pick<SubmitOperation, 'isTradable' | 'limits' | 'notAfter'>, Refusal> {
  const text = request.header('svc-not-after-millis');
  if (text !== '' && !/^[1-9]\d{0,15}$/.test(text)) {
    return fail(refusal('invalid', `${NAMES.notAfter}: must be Unix milliseconds as a decimal integer`));
  }
  const notAfter = text === '' ? null : Number(text);
  return ok({ isTradable: isTradable(key.podId, venue), limits: key.limits, notAfter });
}

const BUSY = 'too many operations are under way (operationsMax): nothing was done';
const BEHIND =
  'orders arrive faster than they can be sent, and would wait too long (engineWaitMsMax): nothing was done';

/** The answer to an operation that no thread has begun. */
export function failureReply({ name }: OrderOperation, failure: OperationFailure): Reply & OperationReply {
  const words = {
    BUSY,
    BEHIND,
    FAULT: `a fault of the gateway before ${name} was begun: nothing was done`,
  };
  return signedRefusal(refusal('unavailable', words[failure]));
}

/** Performs an operation for a caller that has proven its key. */
export type Perform = (operation: OrderOperation, request: InboundRequest) => Promise<Reply>;

export function performedBy(operations: Pick<Operations, 'ask'>): Perform {
  return async (operation, request) => httpReply(operation, await operations.ask(operation, timingStartUs(request)));
}

/** The present time by monotonicUs(). Returns null if the request does not ask for `Server-Timing`. */
export function timingStartUs(request: InboundRequest): number | null {
  return request.header('svc-timing') === '1' ? monotonicUs() : null;
}

/** The reply with the result of an operation, or with the reason why no thread performed it. */
export function httpReply(operation: OrderOperation, outcome: Result<OperationReply, OperationFailure>): Reply {
  const { status, body, headers } = outcome.ok ? outcome.value : failureReply(operation, outcome.error);
  return { status, contentType: JSON_TYPE, body, headers };
}
