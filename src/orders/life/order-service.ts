// Performs operations on orders and answers them (interface §2, contract §4). Engine thread.

import { type Answer, noAccount } from '../../core/domain/answer.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import {
  type Caller,
  type CancelAfterOperation,
  type CancelBatchOperation,
  type EngineOperation,
  type OneOrderOperation,
  type OperationReply,
  type ReplaceOperation,
  type StopOperation,
  type SubmitBatchOperation,
  type SubmitOperation,
  submissionsOf,
  type TimedOperation,
} from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { PodAccounts } from '../../core/domain/pod-accounts.ts';
import type { PricesOf } from '../../core/domain/position.ts';
import { assert, fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import { Background } from '../../core/runtime/background.ts';
import type { Log } from '../../core/runtime/log.ts';
import { EqualDelays, wallTimers } from '../../core/runtime/timers.ts';
import type { LedgerStore, StoredOrder } from '../../core/store/order-records.ts';
import { readCancelAfter, readReplacement, readVenueAOrder, readVenueBOrder } from '../../core/wire/order-requests.ts';
import { orderView } from '../../core/wire/order-views.ts';
import {
  answerReply,
  batchReply,
  errorReply,
  notFound,
  recordedReply,
  refusedReply,
  replacedReply,
  replyOf,
  switchReply,
  unavailableReply,
} from '../../core/wire/replies.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import { limits } from '../../limits.ts';
import type { PodTrading } from '../../venues/pod-trading.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import { ActorRates } from './actor-rates.ts';
import { cancel, cancelBatch, cancelDeadline, isRecordKept } from './cancel.ts';
import type { CancelAfterWatch } from './cancel-after.ts';
import { cancelAll } from './cancel-all.ts';
import { cancelReply, limitedReply } from './cancel-replies.ts';
import { type Exposure, exposureReport } from './exposure.ts';
import { answerAfterFault, cancelReplyAfterFault, type Keyed, logFault } from './fault-replies.ts';
import type { Ledger } from './ledger.ts';
import { performLossLimit } from './loss-limit-replies.ts';
import type { LossLimits } from './loss-limits.ts';
import { type OlderBalancesParts, olderBalances } from './older-balances.ts';
import { type OperationHooks, OperationInFlight, type ReplyParts } from './operation-in-flight.ts';
import { OrderIds } from './order-ids.ts';
import { listPositions, Valuation } from './owner-values.ts';
import { type PreviewParts, preview } from './preview.ts';
import { type ProtectionParts, performProtection } from './protection-replies.ts';
import { recordFault } from './record-fault.ts';
import { conflictOf } from './repeat.ts';
import { replace } from './replace.ts';
import type { Stops } from './stops.ts';
import { type Submission, type SubmitParts, submissionOf } from './submission.ts';
import { submit } from './submit.ts';
import { ownOrder, settledOrder, UnderWay } from './under-way.ts';
import { readBalance, readQueuePositions } from './venue-reads.ts';
import type { Wallets } from './wallets.ts';

interface OrderServiceParts {
  readonly ledger: Ledger;
  readonly trading: PodTrading;
  readonly switches: Pick<CancelAfterWatch, 'set'>;
  readonly protections: ProtectionParts['watch'];
  readonly groupOf: SubmitParts['groupOf'];
  readonly stops: Pick<Stops, 'problem' | 'stop' | 'resume'>;
  readonly losses: LossLimits;
  readonly exposure: Exposure;
  readonly wallets: Pick<Wallets, 'perform' | 'read'>;
  readonly log: Log;
  readonly pods: readonly Pick<PodAccounts, 'podId' | 'secretHex'>[];
  /** Current prices, for the value of positions. */
  readonly pricesOf: PricesOf;
  readonly bestOf: SubmitParts['bestOf'];
  /** Whole LIVE books, for previews. */
  readonly sidesOf: PreviewParts['sidesOf'];
  readonly fence: ReplyParts['fence'];
}

/** The part of an operation in flight that a submission needs. */
type Asking = Pick<Submission, 'hooks' | 'asker' | 'stopwatch'>;

export class OrderService {
  readonly #store: LedgerStore;
  readonly #trading: PodTrading;
  readonly #switches: OrderServiceParts['switches'];
  readonly #stops: OrderServiceParts['stops'];
  readonly #losses: LossLimits;
  readonly #wallets: OrderServiceParts['wallets'];
  readonly #valuation: Valuation;
  readonly #rates: ActorRates;
  readonly #orderIds: OrderIds;
  readonly #log: Log;
  readonly #replyParts: ReplyParts;
  readonly #parts: SubmitParts;
  readonly #previewParts: PreviewParts;
  readonly #background = new Background();
  readonly #balanceParts: OlderBalancesParts;
  readonly #protectionParts: ProtectionParts;

  constructor(parts: OrderServiceParts) {
    const { ledger, trading, switches, protections, groupOf, stops, losses, wallets, log, pods, pricesOf, fence } =
      parts;
    const { store } = ledger;
    this.#store = store;
    this.#trading = trading;
    this.#switches = switches;
    this.#stops = stops;
    this.#losses = losses;
    this.#wallets = wallets;
    this.#valuation = new Valuation(store, pricesOf);
    this.#orderIds = new OrderIds(pods);
    this.#balanceParts = { reads: store, valuation: this.#valuation, now: wallTimers.now };
    const tradingOf = (podId: string, venue: Venue) => trading.of(podId, venue);
    this.#protectionParts = { store, watch: protections, timers: wallTimers, tradingOf };
    this.#log = log;
    this.#replyParts = { store, trading, orderIdOf: keyed => this.#orderIdOf(keyed), log, fence };
    this.#rates = new ActorRates(wallTimers);
    this.#parts = {
      ledger,
      timers: wallTimers,
      rates: this.#rates,
      bestOf: parts.bestOf,
      tradingOf: ({ podId, request }) => {
        const found = trading.of(podId, request.venue);
        return found === null ? fail(noAccount(podId, request.venue)) : ok(found);
      },
      stopProblem: stops.problem.bind(stops),
      lossHalt: losses.haltOf.bind(losses),
      exposure: parts.exposure,
      groupOf,
      underWay: new UnderWay(),
      patience: new EqualDelays(wallTimers, limits.answerPatienceMs),
      onLate: work => {
        // The handler is attached at once, so that it also catches a fault of the store while the service ends.
        const settled = work.catch(error => logFault(this.#replyParts, 'submit', error));
        this.#background.begin(() => settled);
      },
    };
    this.#previewParts = { ...this.#parts, sidesOf: parts.sidesOf };
  }

  perform(timed: TimedOperation, hooks: OperationHooks): void {
    const flight = new OperationInFlight(this.#replyParts, timed, hooks);
    try {
      const reply = this.#perform(timed.operation, flight);
      if (reply instanceof Promise) reply.then(it => flight.reply(it)).catch(error => flight.failed(error));
      else if (reply !== null) flight.reply(reply);
    } catch (error) {
      flight.failed(error);
    }
  }

  /** Resolves when all background work for callers that have their answers is done. */
  close(): Promise<void> {
    return this.#background.end();
  }

  /** Performs the operation. Null means that the operation in flight gets its reply in another way. */
  #perform(operation: EngineOperation, flight: OperationInFlight): Soon<OperationReply> | null {
    const { caller } = operation;
    // A body that cannot be read is refused first, as for a pod with an account.
    const isUnreadable = (operation.name === 'submit' || operation.name === 'replace') && !operation.body.ok;
    // Operations of operators belong to no pod.
    const isStop = operation.name === 'stop' || operation.name === 'resume' || operation.name === 'loss-limit';
    if (!isUnreadable && !isStop && !this.#orderIds.hasPod(caller.podId))
      return refusedReply(noAccount(caller.podId, 'any venue'));
    switch (operation.name) {
      case 'submit':
        return this.#submit(operation, flight);
      case 'submit-batch':
        return this.#submitBatch(operation, flight);
      case 'preview':
        return preview(this.#previewParts, operation, this.#orderIdOf({ ...operation, idempotencyKey: '' }));
      case 'get':
        return this.#get(operation);
      case 'cancel':
        return this.#cancel(operation, flight);
      case 'replace':
        return this.#replace(operation, flight);
      case 'cancel-batch':
        return this.#withAccount(operation, trading => this.#cancelBatch(operation, trading, flight));
      case 'cancel-all':
        return this.#withAccount(operation, async trading => {
          const { venue, address, keyId, reason } = operation;
          const meant = { actorId: caller.actorId, venue, address, keyId, reason };
          const { results, isRecorded } = await cancelAll(this.#parts, trading, meant, cancelDeadline(this.#parts));
          return recordedReply(replyOf(200, { results }), isRecorded);
        });
      case 'cancel-after':
        return this.#cancelAfter(operation);
      case 'protection':
        return performProtection(this.#protectionParts, operation);
      case 'wallet-action':
        return this.#wallets.perform(operation);
      case 'get-action':
        return this.#wallets.read(operation);
      case 'balance':
        return this.#withAccount(operation, readBalance);
      case 'queue-positions':
        return this.#withAccount(operation, trading => readQueuePositions(trading, operation));
      case 'positions':
        return listPositions(this.#valuation, operation);
      case 'older-balances':
        return olderBalances(this.#balanceParts, this.#trading.ofPod(caller.podId), operation);
      case 'stop':
      case 'resume':
        return this.#stop(operation);
      case 'loss-limit':
        return performLossLimit({ store: this.#store, losses: this.#losses, timers: wallTimers }, operation);
      case 'exposure':
        return exposureReport(this.#parts.exposure, this.#store, operation);
      default:
        return unreachable(operation);
    }
  }

  /** Runs the operation with its account. */
  #withAccount(
    { caller, venue }: { readonly caller: Caller; readonly venue: Venue },
    work: (trading: VenueTrading, venue: Venue) => Promise<OperationReply>,
  ): Soon<OperationReply> {
    const trading = this.#trading.of(caller.podId, venue);
    return trading === null ? refusedReply(noAccount(caller.podId, venue)) : work(trading, venue);
  }

  #submit(operation: SubmitOperation, flight: OperationInFlight): OperationReply | null {
    const { hooks, stopwatch } = flight;
    const submission = this.#submissionOf(operation, { hooks, stopwatch, asker: flight });
    if (!submission.ok) return submission.error;
    stopwatch?.passed('parse');
    submit(this.#parts, [submission.value]);
    return null;
  }

  /** Submits the orders of a batch. Each gets the answer that it would get alone. */
  async #submitBatch(
    operation: SubmitBatchOperation,
    { hooks, stopwatch }: OperationInFlight,
  ): Promise<OperationReply> {
    const submissions: Submission[] = [];
    const replies = submissionsOf(operation).map(item => {
      const { promise, resolve: answered, reject: failed } = Promise.withResolvers<Answer>();
      const submission = this.#submissionOf(item, { hooks, stopwatch, asker: { answered, failed } });
      if (!submission.ok) return submission.error;
      submissions.push(submission.value);
      return promise.then(answerReply, error => {
        logFault(this.#replyParts, operation.name, error);
        return answerReply(answerAfterFault(this.#replyParts, item));
      });
    });
    stopwatch?.passed('parse');
    submit(this.#parts, submissions);
    return batchReply(await Promise.all(replies));
  }

  /** Replaces an order. The answer has the old order as well. */
  async #replace(operation: ReplaceOperation, { hooks, stopwatch }: OperationInFlight): Promise<OperationReply> {
    const { venue, body } = operation;
    const terms = body.ok ? readReplacement(venue, body.value) : body;
    if (!terms.ok) return this.#unreadableReply(operation, terms.error);
    const old = await settledOrder(this.#store, this.#parts.underWay, operation);
    if (old === null) return this.#conflictReply(operation) ?? notFound();
    stopwatch?.passed('parse');
    return this.#withAccount(operation, async trading => {
      const { request, orderId: oldId } = old.order;
      const { promise, resolve: answered, reject: failed } = Promise.withResolvers<Answer>();
      const asking = { hooks, stopwatch, asker: { answered, failed } };
      const submission = submissionOf(operation, request, this.#orderIdOf(operation), asking);
      replace(this.#parts, trading, { submission, oldId, terms: terms.value });
      return replacedReply(await promise, this.#store.order(oldId)!.order);
    });
  }

  /** Returns the submission of the operation, or the reply to a malformed body. */
  #submissionOf(operation: SubmitOperation, asking: Asking): Result<Submission, OperationReply> {
    const { venue, body } = operation;
    const request = body.ok ? (venue === 'venue_a' ? readVenueAOrder : readVenueBOrder)(body.value) : body;
    if (!request.ok) return fail(this.#unreadableReply(operation, request.error));
    return ok(submissionOf(operation, request.value, this.#orderIdOf(operation), asking));
  }

  /** Returns the refusal of a malformed body. By interface §4.1, a key that was used before with another body is a conflict even then. */
  #unreadableReply(operation: SubmitOperation | ReplaceOperation, problem: string): OperationReply {
    return this.#conflictReply(operation) ?? errorReply('invalid', problem);
  }

  #conflictReply(operation: SubmitOperation | ReplaceOperation): OperationReply | null {
    const conflict = conflictOf(this.#store, { ...operation, ...operation.caller });
    return conflict === null ? null : answerReply(conflict);
  }

  async #get(operation: OneOrderOperation): Promise<OperationReply> {
    const stored = await settledOrder(this.#store, this.#parts.underWay, operation);
    return stored === null ? notFound() : replyOf(200, orderView(stored.order, true));
  }

  async #cancel(operation: OneOrderOperation, { stopwatch }: OperationInFlight): Promise<OperationReply> {
    const stored = await settledOrder(this.#store, this.#parts.underWay, operation);
    stopwatch?.passed('store');
    const allowed = this.#cancellable(operation, stored);
    if (!allowed.ok) return allowed.error;
    return this.#withAccount(operation, async trading => {
      const parts = { ledger: this.#parts.ledger.lenient(), timers: wallTimers };
      const answer = await cancel(parts, trading, allowed.value, cancelDeadline(parts));
      stopwatch?.passed('venue');
      return recordedReply(cancelReply(answer), await isRecordKept(parts, answer));
    });
  }

  /** Returns the order if the actor may cancel one more order now. */
  #cancellable(
    { caller, rate = null }: OneOrderOperation | CancelBatchOperation,
    stored: StoredOrder | null,
  ): Result<StoredOrder, OperationReply> {
    if (stored === null) return fail(notFound());
    const beyond = this.#rates.countCancel(caller.actorId, rate);
    return beyond === null ? ok(stored) : fail(limitedReply(beyond));
  }

  async #cancelBatch(
    operation: CancelBatchOperation,
    trading: VenueTrading,
    { stopwatch }: OperationInFlight,
  ): Promise<OperationReply> {
    const { caller, venue, orderIds } = operation;
    const own = orderIds.map(it => this.#cancellable(operation, ownOrder(this.#store, caller, venue, it)));
    stopwatch?.passed('store');
    const found = own.flatMap(it => (it.ok ? [it.value] : []));
    const parts = { ledger: this.#parts.ledger, timers: wallTimers };
    const cancels = cancelBatch(parts, trading, found, cancelDeadline(parts));
    const replies = await Promise.all(
      cancels.map((one, index) =>
        one.then(
          ({ answer, isRecorded }) => recordedReply(cancelReply(answer), isRecorded),
          error => {
            logFault(this.#replyParts, 'cancel-batch', error);
            return cancelReplyAfterFault(found[index]!.order.orderId);
          },
        ),
      ),
    );
    stopwatch?.passed('venue');
    let next = 0;
    return batchReply(own.map(it => (it.ok ? replies[next++]! : it.error)));
  }

  async #cancelAfter({ caller, body }: CancelAfterOperation): Promise<OperationReply> {
    const timeoutMs = readCancelAfter(body);
    if (!timeoutMs.ok) return errorReply('invalid', timeoutMs.error);
    const { deadline, isRecorded, hasRecord } = this.#switches.set(caller, timeoutMs.value);
    if (isRecorded && (await this.#isOnDisk())) return switchReply(deadline);
    const isSafe = deadline === null || (hasRecord && !isRecorded);
    return recordedReply(isSafe ? switchReply(deadline) : armedReply(deadline), false);
  }

  async #stop({ name, scope, caller: { keyId } }: StopOperation): Promise<OperationReply> {
    const done = name === 'stop' ? await this.#stops.stop(scope) : this.#stops.resume(scope);
    const { report } = done;
    const isRecorded = done.isRecorded && (await this.#isOnDisk());
    const left = 'leftTotal' in report ? { cancelled: report.cancelled, left: report.leftTotal } : {};
    this.#log.warn(name === 'stop' ? 'stopped' : 'resumed', { scope, keyId, ...left, isRecorded });
    return recordedReply(replyOf(200, report), isRecorded);
  }

  /** Whether the disk has all records by now, in the power-safe mode. The gateway does not wait for a disk that hangs. */
  async #isOnDisk(): Promise<boolean> {
    const fault = await recordFault(this.#store, wallTimers);
    if (fault !== null) logFault(this.#replyParts, 'cancel-after', fault);
    return fault === null;
  }

  #orderIdOf({ caller, venue, idempotencyKey }: Keyed): OrderId {
    const orderId = this.#orderIds.idFor(caller, venue, idempotencyKey);
    assert(orderId !== null, 'an operation is of a pod that trades');
    return orderId;
  }
}

function armedReply(deadline: UnixMillis): OperationReply {
  return unavailableReply(
    `the switch could not be recorded: armed until the process ends, it fires at ${formatTime(deadline)}; a gateway that is started anew knows nothing of it`,
  );
}
