// Performs the requests of /v1/trade as REST would, with the same admission, limits, idempotency and answers. Only the upgrade was signed.
// Each message is admitted by the present state of the key. Main thread, and the engine’s (src/gateway/door).

import { hash } from 'node:crypto';
import type { KeyEntry } from '../../core/auth/keyring.ts';
import { faultOf } from '../../core/domain/error-words.ts';
import type { SigningKey } from '../../core/domain/identity.ts';
import type { Venue } from '../../core/domain/market.ts';
import type {
  Caller,
  FieldNames,
  OperationReply,
  OrderOperation,
  SubmitOperation,
} from '../../core/domain/operation.ts';
import { fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { readJsonBody } from '../../core/wire/json-body.ts';
import { readCancelledMarket } from '../../core/wire/order-requests.ts';
import { replyOf } from '../../core/wire/replies.ts';
import type { TradeOfOrder, TradeReplace, TradeRequest, TradeSubmit } from '../../core/wire/trade-messages.ts';
import { cancelRateOf } from '../../orders/life/actor-rates.ts';
import type { OrderIds } from '../../orders/life/order-ids.ts';
import { DRAINING, FAULT, type Refusal, refusal, signedRefusal } from '../api/api-refusals.ts';
import { readBatch } from '../api/batches.ts';
import type { CallerAdmission } from '../api/caller-admission.ts';
import type { RatesOf } from '../api/identity.ts';
import { CANCEL, SUBMISSION } from '../api/operations.ts';
import { failureReply, replacementOf } from '../api/order-operations.ts';
import { type Queues, queueAheadOf, readOrRefuse } from '../api/queue-operations.ts';
import type { Needs } from '../api/reserved.ts';
import type { Operations } from '../trading/operations.ts';

export type TradeOperation = Exclude<TradeRequest, { op: 'cancel-on-disconnect' | 'ping' }>;

interface TradeDeskParts {
  readonly admission: Pick<CallerAdmission, 'admitMessage'>;
  readonly operations: Pick<Operations, 'operate'>;
  readonly isTradable: (podId: string, venue: Venue) => boolean;
  readonly orderIds: Pick<OrderIds, 'idFor'>;
  readonly rates: RatesOf;
  /** Null at the engine’s door, which shows no queues. */
  readonly queues: Queues | null;
  readonly isDraining: () => boolean;
  readonly metrics: Pick<Metrics, 'answers'>;
  readonly log: Log;
}

interface TradeCall {
  readonly request: TradeOperation;
  /** The key of the connection. */
  readonly key: SigningKey;
  readonly address: string;
  /** The time by monotonicUs() at which the message was received. */
  readonly startedAtUs: number;
  /** Is called once the order is recorded, if the request asks for an acknowledgement (`ack`). */
  readonly accepted: (orderId: string) => void;
  /** Is called exactly once. */
  readonly done: (performed: Performed) => void;
}

export interface Performed {
  /** Whether the request counted against a rate of its key. */
  readonly isAdmitted: boolean;
  readonly reply: OperationReply;
}

/** The names of a message's fields, in both codecs. */
const NAMES: FieldNames = { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' };

const NO_QUEUES = refusal('notFound', 'queue: queues are known at the usual address, and not at this one');

const NEEDS: Readonly<Record<TradeOperation['op'], Needs>> = {
  submit: SUBMISSION,
  batch: SUBMISSION,
  replace: SUBMISSION,
  cancel: CANCEL,
  'cancel-all': CANCEL,
  queue: { scope: 'read', bucket: 'reads' },
  limits: { scope: null, bucket: 'reads' },
};

export class TradeDesk {
  readonly #parts: TradeDeskParts;
  readonly #counts: Readonly<Record<TradeOperation['op'], ReturnType<Metrics['answers']>>>;

  constructor(parts: TradeDeskParts) {
    this.#parts = parts;
    const count = (operationId: string) => parts.metrics.answers(operationId);
    this.#counts = {
      submit: count('tradeSubmit'),
      batch: count('tradeBatch'),
      replace: count('tradeReplace'),
      cancel: count('tradeCancel'),
      'cancel-all': count('tradeCancelAll'),
      queue: count('tradeQueue'),
      limits: count('tradeLimits'),
    };
  }

  perform(call: TradeCall): void {
    try {
      const performed = this.#begin(call);
      if (performed !== null) this.#end(call, performed);
    } catch (error) {
      this.#failed(call, error);
    }
  }

  /** Returns the result if it is known at once. Returns null if an operation is in flight. */
  #begin(call: TradeCall): Performed | null {
    const { admission, operations, rates, isDraining } = this.#parts;
    const { request, key, address, startedAtUs, accepted } = call;
    if (isDraining()) return refusedResult(DRAINING);
    const { scope, bucket } = NEEDS[request.op];
    const cost = request.op === 'batch' ? request.orders : 1;
    const admitted = admission.admitMessage(key.keyId, address, { scope, bucket, cost });
    if (!admitted.ok) return refusedResult(admitted.error);
    if (request.op === 'limits') return { isAdmitted: true, reply: replyOf(200, rates(admitted.value, address)) };
    if (request.op === 'queue') {
      this.#queueOf(request, admitted.value.caller).then(
        reply => this.#end(call, { isAdmitted: true, reply }),
        error => this.#failed(call, error),
      );
      return null;
    }
    const operation = this.#operationOf(request, admitted.value);
    if (!operation.ok) return { isAdmitted: true, reply: signedRefusal(operation.error) };
    operations.operate(operation.value, null, startedAtUs, {
      done: done =>
        this.#end(call, {
          isAdmitted: true,
          reply: done.ok ? done.value : failureReply(operation.value, done.error),
        }),
      failed: error => this.#failed(call, error),
      recorded: accepted,
    });
    return null;
  }

  #failed(call: TradeCall, error: unknown): void {
    this.#parts.log.warn('request failed', { op: call.request.op, ...faultOf(error) });
    this.#end(call, refusedResult(FAULT));
  }

  #end({ request, startedAtUs, done }: TradeCall, performed: Performed): void {
    this.#counts[request.op](performed.reply.status, monotonicUs() - startedAtUs);
    done(performed);
  }

  async #queueOf(request: TradeOfOrder<'queue'>, caller: Caller): Promise<OperationReply> {
    const { queues } = this.#parts;
    if (queues === null) return signedRefusal(NO_QUEUES);
    const orderId = this.#orderIdOf(request, caller);
    const queueAhead = await readOrRefuse(() => queueAheadOf(queues, caller.actorId, orderId));
    return queueAhead.ok ? replyOf(200, { orderId, queueAhead: queueAhead.value }) : signedRefusal(queueAhead.error);
  }

  #operationOf(
    request: Exclude<TradeOperation, { op: 'limits' | 'queue' }>,
    key: KeyEntry,
  ): Result<OrderOperation, Refusal> {
    const { venue } = request;
    const caller = key.caller;
    switch (request.op) {
      case 'submit':
        return ok(this.#submissionOf(request, key));
      case 'replace':
        return ok(replacementOf(this.#submissionOf(request, key), request.orderId));
      case 'batch': {
        const items = readBatch(readJsonBody(request.body), NAMES);
        if (!items.ok) return items;
        return ok({
          name: 'submit-batch',
          venue,
          caller,
          items: items.value,
          isTradable: this.#parts.isTradable(key.podId, venue),
          limits: key.limits,
          notAfter: request.notAfter,
        });
      }
      case 'cancel':
        return ok({
          name: 'cancel',
          venue,
          caller,
          orderId: this.#orderIdOf(request, caller),
          rate: cancelRateOf(key.limits),
        });
      case 'cancel-all': {
        const market = request.market === null ? ok(null) : readCancelledMarket(venue, request.market);
        if (!market.ok) return fail(refusal('invalid', `market: must name a market of ${venue}: ${market.error}`));
        return ok({ name: 'cancel-all', venue, caller, address: market.value, keyId: null, signature: null });
      }
      default:
        return unreachable(request);
    }
  }

  #submissionOf(request: TradeSubmit | TradeReplace, key: KeyEntry): SubmitOperation {
    const { venue, order, idempotencyKey, notAfter, ack } = request;
    return {
      name: 'submit',
      venue,
      caller: key.caller,
      body: readJsonBody(order),
      bodySha256Hex: hash('sha256', order, 'hex'),
      idempotencyKey,
      isTradable: this.#parts.isTradable(key.podId, venue),
      limits: key.limits,
      notAfter,
      names: NAMES,
      acknowledges: ack,
    };
  }

  #orderIdOf({ venue, orderId, idempotencyKey }: TradeOfOrder<'cancel' | 'queue'>, caller: Caller): string {
    return orderId ?? this.#parts.orderIds.idFor(caller, venue, idempotencyKey ?? '') ?? '';
  }
}

function refusedResult(why: Refusal): Performed {
  return { isAdmitted: false, reply: signedRefusal(why) };
}
