// The path of every API request: admit → parse → act → answer. A handler sees only callers that have passed all checks, with a valid query
// and a valid body. Every answer gets the common headers and is counted. Main thread, and the engine's (src/gateway/door).

import type { CatalogLink } from '../../catalog/catalog-link.ts';
import { readSignature } from '../../core/auth/check.ts';
import type { KeyEntry } from '../../core/auth/keyring.ts';
import { faultOf } from '../../core/domain/error-words.ts';
import type { ApiKey } from '../../core/domain/identity.ts';
import { type Result, unreachable } from '../../core/domain/result.ts';
import { type Soon, whenHere } from '../../core/domain/soon.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import {
  type Answering,
  type Header,
  type HttpRoute,
  type InboundRequest,
  JSON_TYPE,
  NO_STORE,
  type Refusals,
  type Reply,
} from '../../core/net/listen.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { SignatureMemory } from '../../orders/life/signature-memory.ts';
import { DRAINING, FAULT, olderRefusal, type Refusal, refusal, signedRefusal } from './api-refusals.ts';
import type { CallerAdmission } from './caller-admission.ts';
import type { Cors } from './cors.ts';
import { likelyPath } from './likely-path.ts';
import type { Handler, Handlers, OlderOperation, Operation, OrderHandler, SignedOperation } from './operation.ts';
import { NO_OPERATION, OPEN_STREAM, OPEN_TRADE, OPERATIONS, type UpgradeId } from './operations.ts';
import { failureReply, type Perform } from './order-operations.ts';
import type { AddQueues } from './queue-operations.ts';
import { type RoutedRequest, readCall } from './read-call.ts';
import type { Operated, Requester } from './reserved.ts';

export interface ServeParts {
  readonly admission: CallerAdmission;
  readonly perform: Perform;
  /** Null means that no list of the catalog is served. */
  readonly catalog: Pick<CatalogLink, 'isAwaited' | 'whenKnown'> | null;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly nextRequestId: () => string;
  readonly isDraining: () => boolean;
  readonly cors: Cors;
  /** Adds queues to an answer with orders. Null means that this door has no queues. */
  readonly queued: AddQueues | null;
}

/** An answer that does not have the common headers yet. */
interface Draft extends Reply {
  /**
   * The `RateLimit` headers of the caller's key. If they are absent and `headers` has none, the answer gets the headers of the caller's
   * address.
   */
  readonly rates?: readonly Header[] | undefined;
}

/** Adds the common headers to an answer and counts it. */
type Seal = (request: InboundRequest, draft: Draft, startedAtMs: number) => Reply;

/** Answers a request with a draft that `seal` completes. */
type Answer = (
  request: InboundRequest,
  parameters: readonly string[],
  seal: (draft: Draft) => Reply,
  answering: Answering,
) => Soon<Reply> | undefined;

export class ApiServer {
  readonly #parts: ServeParts;
  readonly #handlers: Handlers;
  readonly #signatures = new SignatureMemory<Reply>();
  readonly #sealUnserved: Seal;
  readonly #sealUpgrade: ReadonlyMap<string, Seal>;

  constructor(parts: ServeParts, handlers: Handlers) {
    this.#parts = parts;
    this.#handlers = handlers;
    this.#sealUnserved = this.#sealOf(NO_OPERATION);
    this.#sealUpgrade = new Map([OPEN_STREAM, OPEN_TRADE].map(name => [name, this.#sealOf(name)]));
  }

  /** The route of one operation. */
  route(operation: Operation): HttpRoute {
    const isDocument = operation.family === 'open';
    const seal = this.#sealOf(operation.operationId, isDocument);
    const answer = this.#answerOf(operation);
    return {
      method: LOWER_CASE[operation.method],
      pattern: operation.path,
      handle: (request, parameters, answering) => {
        const startedAtMs = performance.now();
        return answer(request, parameters, draft => seal(request, draft, startedAtMs), answering);
      },
    };
  }

  /** The answers for paths without an operation. */
  readonly refusals: Refusals = {
    notFound: request => this.#refuse(request, refusal('notFound', unknownRoute(request.path))),
    methodNotAllowed: (request, allow) => {
      const preflight = this.#parts.cors.preflight(request, allow);
      if (preflight !== null) return this.#sealUnserved(request, preflight, performance.now());
      return this.#refuse(request, refusal('methodNotAllowed', `${request.method}: must be one of ${allow}`));
    },
    malformed: (request, problem) => this.#refuse(request, refusal('invalid', problem)),
    bodyTooLarge: request => this.#refuse(request, refusal('bodyTooLarge', 'body: larger than 64 KiB (bodyBytesMax)')),
    failed: (request, error) => {
      this.#parts.log.warn('request failed', { path: request.path, ...faultOf(error) });
      return this.#refuse(request, FAULT);
    },
  };

  /** Completes the refusal of an upgrade. */
  refusedUpgrade(operationId: UpgradeId, request: InboundRequest, reply: Reply): Reply {
    this.#parts.metrics.count('stream_refused_total');
    return this.#sealUpgrade.get(operationId)!(request, reply, performance.now());
  }

  /** The headers of the answer that opens a stream. */
  streamStamps(): readonly Header[] {
    return [...this.#commonHeaders(this.#parts.nextRequestId()), NO_STORE];
  }

  /** Makes the refusal in the form of the path's family. */
  #refuse(request: InboundRequest, why: Refusal): Reply {
    const refuse = OLDER_PATHS.some(path => path.test(request.path)) ? olderRefusal : signedRefusal;
    return this.#sealUnserved(request, refuse(why), performance.now());
  }

  /** A document is the same for all callers, so only its refusals must not be cached. */
  #sealOf(operationId: string, isDocument = false): Seal {
    const { admission, metrics, log, nextRequestId, cors } = this.#parts;
    const count = metrics.answers(operationId);
    return (request, draft, startedAtMs) => {
      const { status, contentType, body, rates, headers: own = NONE } = draft;
      const requestId = nextRequestId();
      const durationUs = (performance.now() - startedAtMs) * 1_000;
      count(status, durationUs);
      if (log.isDebug) {
        // The query is not logged, because it may hold a ticket.
        const { method, path } = request;
        log.debug('request', { requestId, method, path: loggedPath(path), status, durationUs: Math.round(durationUs) });
      }
      const shared = cors.isOff ? NONE : cors.headersFor(request);
      const caching = isDocument && status === 200 ? NONE : NOT_STORED;
      // An answer without the rate of a key gets the rate of the address.
      const rate = rates ?? (own.some(isRateHeader) ? NONE : admission.addressHeaders(request.remoteAddress));
      return { status, contentType, body, headers: this.#commonHeaders(requestId).concat(shared, caching, rate, own) };
    };
  }

  #commonHeaders(requestId: string): Header[] {
    return [
      ['SVC-Request-Id', requestId],
      ['SVC-Server-Time', String(wallTimers.now())],
    ];
  }

  #answerOf(operation: Operation): Answer {
    const { operationId, family } = operation;
    switch (family) {
      case 'signed': {
        const asks = this.#handlers.orders[operationId];
        if (asks !== undefined) {
          return operation.query.includes('queue')
            ? this.#queuedAnswerOf(operation, asks)
            : this.#orderAnswerOf(operation, asks);
        }
        const lists = this.#handlers.catalog[operationId];
        const { catalog } = this.#parts;
        if (lists !== undefined && catalog !== null) return this.#catalogAnswerOf(operation, lists, catalog);
        const handle = this.#handlers.signed[operationId] ?? (() => signedRefusal(NOT_SERVED));
        return (request, parameters, seal) =>
          whenHere(this.#answerSigned(operation, handle, request, parameters), seal);
      }
      case 'older': {
        const handle = this.#handlers.older[operationId] ?? (() => olderRefusal(NOT_SERVED));
        return (request, parameters, seal) => whenHere(this.#answerOlder(operation, handle, request, parameters), seal);
      }
      case 'open': {
        const handle = this.#handlers.open[operationId] ?? (() => signedRefusal(NOT_SERVED));
        return (request, parameters, seal) =>
          whenHere(runHandler({ operation, handle, request, parameters, key: null }, signedRefusal), seal);
      }
      default:
        return unreachable(family);
    }
  }

  /**
   * Operations that are safe to repeat run beside the check of their signature. All others run after the check, and their answer is
   * remembered.
   */
  #orderAnswerOf(operation: SignedOperation, asks: OrderHandler): Answer {
    if (operation.guard !== 'signature') {
      return (...asked) => this.#answerOrder(operation, asks, ...asked);
    }
    const { perform } = this.#parts;
    const handle: Handler<KeyEntry> = call => {
      const parsed = asks(call);
      return parsed.ok ? perform(parsed.value, call.request) : signedRefusal(parsed.error);
    };
    return (request, parameters, seal) => whenHere(this.#answerSigned(operation, handle, request, parameters), seal);
  }

  /** If the request has the parameter `queue`, the main thread adds the queues to the answer. Every other request takes the shorter way. */
  #queuedAnswerOf(operation: SignedOperation, asks: OrderHandler): Answer {
    const { perform, queued } = this.#parts;
    const plain = this.#orderAnswerOf(operation, asks);
    const handle: Handler<KeyEntry> = async call => {
      const parsed = asks(call);
      if (!parsed.ok) return signedRefusal(parsed.error);
      return queued === null ? signedRefusal(NO_QUEUES) : queued(call, await perform(parsed.value, call.request));
    };
    return (request, parameters, seal, answering) =>
      request.query.includes('queue=')
        ? whenHere(this.#answerSigned(operation, handle, request, parameters), seal)
        : plain(request, parameters, seal, answering);
  }

  /** Until the first catalog exists, a caller with a valid signature waits for it. */
  #catalogAnswerOf(
    operation: SignedOperation,
    asks: OrderHandler,
    catalog: NonNullable<ServeParts['catalog']>,
  ): Answer {
    const { perform, isDraining } = this.#parts;
    const handle: Handler<KeyEntry> = async call => {
      if (!(await catalog.whenKnown())) return signedRefusal(NO_ROOM_TO_WAIT);
      if (isDraining()) return signedRefusal(DRAINING);
      const parsed = asks(call);
      return parsed.ok ? perform(parsed.value, call.request) : signedRefusal(parsed.error);
    };
    return (request, parameters, seal, answering) =>
      catalog.isAwaited
        ? whenHere(this.#answerSigned(operation, handle, request, parameters), seal)
        : this.#answerOrder(operation, asks, request, parameters, seal, answering);
  }

  #answerOrder(
    operation: SignedOperation,
    asks: OrderHandler,
    request: InboundRequest,
    parameters: readonly string[],
    seal: (draft: Draft) => Reply,
    answering: Answering,
  ): Reply | undefined {
    const { admission, isDraining } = this.#parts;
    if (isDraining()) return seal(signedRefusal(DRAINING));
    admission.perform(request, operation, new OrderRequest(operation, asks, request, parameters, seal, answering));
    return undefined;
  }

  #answerSigned(
    operation: SignedOperation,
    handle: Handler<KeyEntry>,
    request: InboundRequest,
    parameters: readonly string[],
  ): Soon<Draft> {
    if (this.#parts.isDraining()) return signedRefusal(DRAINING);
    return whenHere(this.#parts.admission.admitSigned(request, operation), admitted => {
      if (!admitted.ok) return signedRefusal(admitted.error);
      const { key, headers, signature } = admitted.value;
      const attempt = { operation, handle, request, parameters, key };
      if (operation.guard !== 'signature')
        return whenHere(runHandler(attempt, signedRefusal), reply => withRates(reply, headers));
      const once = async (): Promise<Reply> => runHandler(attempt, signedRefusal);
      const { reply, isRepeated } = this.#signatures.answerOnce(
        { keyId: key.keyId, signature: readSignature(signature)! },
        wallTimers.elapsed(),
        once,
        memoryFullReply,
      );
      if (!isRepeated) return reply.then(it => withRates(it, headers));
      this.#parts.metrics.count('signature_replays_total');
      return reply.then(it => withRates({ ...it, headers: [REPLAYED, ...(it.headers ?? NONE)] }, headers));
    });
  }

  #answerOlder(
    operation: OlderOperation,
    handle: Handler<ApiKey>,
    request: InboundRequest,
    parameters: readonly string[],
  ): Soon<Draft> {
    if (this.#parts.isDraining()) return olderRefusal(DRAINING);
    const admitted = this.#parts.admission.admitApiKey(request);
    if (!admitted.ok) return olderRefusal(admitted.error);
    const { key, headers } = admitted.value;
    const reply = runHandler({ operation, handle, request, parameters, key }, olderRefusal);
    return whenHere(reply, it => withRates(it, headers));
  }
}

/** A request for an operation on orders, until its answer. */
class OrderRequest implements Requester {
  readonly #operation: SignedOperation;
  readonly #asks: OrderHandler;
  readonly #request: InboundRequest;
  readonly #parameters: readonly string[];
  readonly #seal: (draft: Draft) => Reply;
  readonly #answering: Answering;

  constructor(
    operation: SignedOperation,
    asks: OrderHandler,
    request: InboundRequest,
    parameters: readonly string[],
    seal: (draft: Draft) => Reply,
    answering: Answering,
  ) {
    this.#operation = operation;
    this.#asks = asks;
    this.#request = request;
    this.#parameters = parameters;
    this.#seal = seal;
    this.#answering = answering;
  }

  operationOf(key: KeyEntry): ReturnType<OrderHandler> {
    const attempt = { operation: this.#operation, request: this.#request, parameters: this.#parameters, key };
    const call = readCall(attempt);
    return call.ok ? this.#asks(call.value) : call;
  }

  answer(done: Result<Operated, Refusal>): void {
    this.#answering.answer(this.#seal(done.ok ? draftOf(done.value) : signedRefusal(done.error)));
  }

  failed(error: unknown): void {
    this.#answering.failed(error);
  }
}

function draftOf({ operation, outcome, headers: rates }: Operated): Draft {
  const { status, body, headers } = outcome.ok ? outcome.value : failureReply(operation, outcome.error);
  // `rates` is empty if no key was checked.
  return { status, contentType: JSON_TYPE, body, headers, rates: rates.length === 0 ? undefined : rates };
}

interface Attempt<Key> extends RoutedRequest<Key> {
  readonly handle: Handler<Key>;
}

function runHandler<Key>(attempt: Attempt<Key>, refuse: (why: Refusal) => Reply): Reply | Promise<Reply> {
  const call = readCall(attempt);
  return call.ok ? attempt.handle(call.value) : refuse(call.error);
}

/** The paths of the older family. The patterns also match an empty parameter or an extra slash. */
const OLDER_PATHS = OPERATIONS.filter(({ family }) => family === 'older').map(
  ({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]*')}/?$`),
);
const LOWER_CASE = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;
const NONE: readonly Header[] = [];
const NOT_STORED: readonly Header[] = [NO_STORE];
const REPLAYED: Header = ['Idempotency-Replayed', 'true'];
const NOT_SERVED = refusal('notServed', 'documented, but not served by this version');
const NO_QUEUES = refusal('invalid', 'queue: is answered at the gateway’s own address');
const NO_ROOM_TO_WAIT = refusal(
  'unavailable',
  'the venues’ markets are being read for the first time, and too many requests wait for it (firstCatalogWaitingMax)',
);

function unknownRoute(path: string): string {
  const likely = likelyPath(path);
  return `${path}: unknown route${likely === null ? '' : `; the right one is ${likely}`}`;
}

/** `rates` is empty if no key was checked. */
function withRates({ status, contentType, body, headers = NONE }: Reply, rates: readonly Header[]): Draft {
  return rates.length === 0 ? { status, contentType, body, headers } : { status, contentType, body, headers, rates };
}

function isRateHeader([name]: Header): boolean {
  return name === 'RateLimit';
}

function memoryFullReply(): Reply {
  const words = 'too many mutations to remember (signaturesPerKeyMax, signaturesRememberedMax)';
  return signedRefusal(refusal('limited', words));
}

/** The path as it is logged: without the idempotency key, whose text may tell something about the order. */
export function loggedPath(path: string): string {
  return path.replace(/(\/by-client-id\/).*$/s, '$1…');
}
