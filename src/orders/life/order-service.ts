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
import { traded } from '../../core/domain/order-sums.ts';
import type { PodAccounts } from '../../core/domain/pod-accounts.ts';
import type { PricesOf } from '../../core/domain/position.ts';
import { assert, fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import { Background } from '../../core/runtime/background.ts';
import { Stopwatch } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { balanceText } from '../../core/wire/account-views.ts';
import { readCancelAfter, readReplacement, readVenueAOrder, readVenueBOrder } from '../../core/wire/order-requests.ts';
import { cancelledView, orderView } from '../../core/wire/order-views.ts';
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
  textReply,
  timed,
  unavailableReply,
} from '../../core/wire/replies.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { PodTrading } from '../../venues/pod-trading.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import { type CancelAnswer, cancel, cancelBatch, cancelDeadline, isKeptBy } from './cancel.ts';
import type { CancelAfterWatch } from './cancel-after.ts';
import { cancelAll } from './cancel-all.ts';
import {
  answerAfterFault,
  cancelReplyAfterFault,
  type FaultParts,
  faultReply,
  type Keyed,
  noteFault,
} from './fault-replies.ts';
import type { Ledger } from './ledger.ts';
import { type OlderBalancesParts, olderBalances } from './older-balances.ts';
import { OrderIds } from './order-ids.ts';
import { listPositions, Valuation } from './owner-values.ts';
import { type ProtectionParts, performProtection } from './protection-replies.ts';
import { recordFault } from './record-fault.ts';
import { conflicting } from './repeat.ts';
import { replace } from './replace.ts';
import type { Stops } from './stops.ts';
import { type Submission, type SubmissionHooks, type SubmitParts, submissionOf } from './submission.ts';
import { submit, submitBatch } from './submit.ts';
import { ownOrder, settledOrder, UnderWay } from './under-way.ts';
import { budgeted } from './venue-budget-replies.ts';
import type { Wallets } from './wallets.ts';

interface OrderServiceParts {
  readonly ledger: Ledger;
  readonly trading: PodTrading;
  readonly switches: Pick<CancelAfterWatch, 'set'>;
  readonly protections: ProtectionParts['watch'];
  readonly groupOf: SubmitParts['groupOf'];
  readonly stops: Pick<Stops, 'problem' | 'stop' | 'resume'>;
  readonly wallets: Pick<Wallets, 'perform' | 'read'>;
  readonly log: Log;
  readonly pods: readonly Pick<PodAccounts, 'podId' | 'secretHex'>[];
  /** Current prices, for the value of positions. */
  readonly pricesOf: PricesOf;
}

export class OrderService {
  readonly #store: LedgerStore;
  readonly #trading: PodTrading;
  readonly #switches: OrderServiceParts['switches'];
  readonly #stops: OrderServiceParts['stops'];
  readonly #wallets: OrderServiceParts['wallets'];
  readonly #valuation: Valuation;
  readonly #orderIds: OrderIds;
  readonly #log: Log;
  readonly #faultParts: FaultParts;
  readonly #parts: SubmitParts;
  readonly #background = new Background();
  readonly #balanceParts: OlderBalancesParts;
  readonly #protectionParts: ProtectionParts;

  constructor(parts: OrderServiceParts) {
    const { ledger, trading, switches, protections, groupOf, stops, wallets, log, pods, pricesOf } = parts;
    const { now } = wallTimers;
    const { store } = ledger;
    this.#store = store;
    this.#trading = trading;
    this.#switches = switches;
    this.#stops = stops;
    this.#wallets = wallets;
    this.#valuation = new Valuation(store, pricesOf);
    this.#orderIds = new OrderIds(pods);
    this.#balanceParts = { reads: store, valuation: this.#valuation, now };
    const tradingOf = (podId: string, venue: Venue) => trading.of(podId, venue);
    this.#protectionParts = { store, watch: protections, timers: wallTimers, tradingOf };
    this.#log = log;
    this.#faultParts = { store, orderIdOf: keyed => this.#orderIdOf(keyed), log };
    this.#parts = {
      ledger,
      timers: wallTimers,
      tradingOf: ({ podId, request }) => {
        const found = trading.of(podId, request.venue);
        return found === null ? fail(noAccount(podId, request.venue)) : ok(found);
      },
      stopProblem: caller => stops.problem(caller),
      groupOf,
      underWay: new UnderWay(),
      late: work => this.#background.begin(() => work.catch(error => noteFault(this.#faultParts, 'submit', error))),
    };
  }

  /** Never rejects for a fault of disk or venue: the reply reports it. */
  async perform(
    { operation, timedFromUs, checkedUs }: TimedOperation,
    hooks: SubmissionHooks,
  ): Promise<OperationReply> {
    const stopwatch = new Stopwatch(timedFromUs);
    if (checkedUs !== null) {
      stopwatch.passed('parse', checkedUs[0]);
      stopwatch.passed('auth', checkedUs[1]);
    }
    stopwatch.passed('parse');
    let reply: OperationReply;
    try {
      reply = await this.#perform(operation, stopwatch, hooks);
    } catch (error) {
      noteFault(this.#faultParts, operation.name, error);
      reply = faultReply(this.#faultParts, operation);
    }
    return timed(budgeted({ store: this.#store, trading: this.#trading }, operation, reply), stopwatch.text());
  }

  /** Resolves when no background work for answered callers is left. */
  close(): Promise<void> {
    return this.#background.end();
  }

  #perform(operation: EngineOperation, stopwatch: Stopwatch, hooks: SubmissionHooks): Soon<OperationReply> {
    const { caller } = operation;
    // An unreadable body is refused first, as with an account.
    const isUnreadable = (operation.name === 'submit' || operation.name === 'replace') && !operation.body.ok;
    // Operators belong to no pod.
    const isStop = operation.name === 'stop' || operation.name === 'resume';
    if (!isUnreadable && !isStop && !this.#orderIds.has(caller.podId))
      return refusedReply(noAccount(caller.podId, 'any venue'));
    switch (operation.name) {
      case 'submit':
        return this.#submit(operation, stopwatch, hooks);
      case 'submit-batch':
        return this.#submitBatch(operation, stopwatch, hooks);
      case 'get':
        return this.#get(operation);
      case 'cancel':
        return this.#cancel(operation, stopwatch);
      case 'replace':
        return this.#replace(operation, stopwatch, hooks);
      case 'cancel-batch':
        return this.#traded(operation, trading => this.#cancelBatch(operation, trading, stopwatch));
      case 'cancel-all':
        return this.#traded(operation, async trading => {
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
        return this.#traded(operation, async (trading, venue) => {
          const balance = await trading.balance();
          if (!balance.ok) return errorReply(balance.error.kind, balance.error.message);
          return textReply(200, balanceText(venue, balance.value));
        });
      case 'positions':
        return listPositions(this.#valuation, operation);
      case 'older-balances':
        return olderBalances(this.#balanceParts, this.#trading.ofPod(caller.podId), operation);
      case 'stop':
      case 'resume':
        return this.#stop(operation);
      default:
        return unreachable(operation);
    }
  }

  /** Runs the operation with its account. */
  #traded(
    { caller, venue }: { readonly caller: Caller; readonly venue: Venue },
    work: (trading: VenueTrading, venue: Venue) => Promise<OperationReply>,
  ): Soon<OperationReply> {
    const trading = this.#trading.of(caller.podId, venue);
    return trading === null ? refusedReply(noAccount(caller.podId, venue)) : work(trading, venue);
  }

  #submit(operation: SubmitOperation, stopwatch: Stopwatch, hooks: SubmissionHooks): Soon<OperationReply> {
    const submission = this.#submissionOf(operation, stopwatch, hooks);
    if (!submission.ok) return submission.error;
    stopwatch.passed('parse');
    return submit(this.#parts, submission.value).then(answerReply);
  }

  /** Each order gets the answer that it would get alone. */
  async #submitBatch(
    operation: SubmitBatchOperation,
    stopwatch: Stopwatch,
    hooks: SubmissionHooks,
  ): Promise<OperationReply> {
    const items = submissionsOf(operation);
    const read = items.map(item => this.#submissionOf(item, stopwatch, hooks));
    stopwatch.passed('parse');
    const submissions = read.flatMap(it => (it.ok ? [it.value] : []));
    const failed = ({ idempotencyKey }: Submission, error: unknown): Answer => {
      noteFault(this.#faultParts, operation.name, error);
      return answerAfterFault(this.#faultParts, { ...operation, idempotencyKey });
    };
    const answers = await submitBatch(this.#parts, submissions, failed);
    let next = 0;
    return batchReply(read.map(it => (it.ok ? answerReply(answers[next++]!) : it.error)));
  }

  /** The answer also has the old order. */
  async #replace(operation: ReplaceOperation, stopwatch: Stopwatch, hooks: SubmissionHooks): Promise<OperationReply> {
    const { venue, body } = operation;
    const terms = body.ok ? readReplacement(venue, body.value) : body;
    if (!terms.ok) return this.#unreadable(operation, terms.error);
    const old = await settledOrder(this.#store, this.#parts.underWay, operation);
    if (old === null) return this.#conflict(operation) ?? notFound();
    stopwatch.passed('parse');
    return this.#traded(operation, async trading => {
      const { request, orderId: oldId } = old.order;
      const submission = submissionOf(operation, request, this.#orderIdOf(operation), stopwatch, hooks);
      const answer = await replace(this.#parts, trading, { submission, oldId, terms: terms.value });
      return replacedReply(answer, this.#store.order(oldId)!.order);
    });
  }

  /** The error is the reply to a malformed body. */
  #submissionOf(
    operation: SubmitOperation,
    stopwatch: Stopwatch,
    hooks: SubmissionHooks,
  ): Result<Submission, OperationReply> {
    const { venue, body } = operation;
    const request = body.ok ? (venue === 'venue_a' ? readVenueAOrder : readVenueBOrder)(body.value) : body;
    if (!request.ok) return fail(this.#unreadable(operation, request.error));
    const hasExactPrice = body.ok && body.value.price !== undefined;
    const orderId = this.#orderIdOf(operation);
    return ok({ ...submissionOf(operation, request.value, orderId, stopwatch, hooks), hasExactPrice });
  }

  /** Interface §4.1: a key used before with another body is a conflict, even if this body cannot be read. */
  #unreadable(operation: SubmitOperation | ReplaceOperation, problem: string): OperationReply {
    return this.#conflict(operation) ?? errorReply('invalid', problem);
  }

  #conflict(operation: SubmitOperation | ReplaceOperation): OperationReply | null {
    const conflict = conflicting(this.#store, { ...operation, ...operation.caller });
    return conflict === null ? null : answerReply(conflict);
  }

  async #get(operation: OneOrderOperation): Promise<OperationReply> {
    const stored = await settledOrder(this.#store, this.#parts.underWay, operation);
    return stored === null ? notFound() : replyOf(200, orderView(stored.order, true));
  }

  async #cancel(operation: OneOrderOperation, stopwatch: Stopwatch): Promise<OperationReply> {
    const stored = await settledOrder(this.#store, this.#parts.underWay, operation);
    stopwatch.passed('store');
    if (stored === null) return notFound();
    return this.#traded(operation, async trading => {
      const parts = { ledger: this.#parts.ledger.lenient(), timers: wallTimers };
      const answer = await cancel(parts, trading, stored, cancelDeadline(parts));
      stopwatch.passed('venue');
      return recordedReply(cancelReply(answer), await isKeptBy(parts, answer));
    });
  }

  async #cancelBatch(
    { caller, venue, orderIds }: CancelBatchOperation,
    trading: VenueTrading,
    stopwatch: Stopwatch,
  ): Promise<OperationReply> {
    const own = orderIds.map(orderId => ownOrder(this.#store, caller, venue, orderId));
    stopwatch.passed('store');
    const found = own.filter(stored => stored !== null);
    const parts = { ledger: this.#parts.ledger, timers: wallTimers };
    const cancels = cancelBatch(parts, trading, found, cancelDeadline(parts));
    const replies = await Promise.all(
      cancels.map((one, index) =>
        one.then(
          ({ answer, isRecorded }) => recordedReply(cancelReply(answer), isRecorded),
          error => {
            noteFault(this.#faultParts, 'cancel-batch', error);
            return cancelReplyAfterFault(found[index]!.order.orderId);
          },
        ),
      ),
    );
    stopwatch.passed('venue');
    let next = 0;
    return batchReply(own.map(stored => (stored === null ? notFound() : replies[next++]!)));
  }

  async #cancelAfter({ caller, body }: CancelAfterOperation): Promise<OperationReply> {
    const timeoutMs = readCancelAfter(body);
    if (!timeoutMs.ok) return errorReply('invalid', timeoutMs.error);
    const { deadline, isRecorded, hasRecord } = this.#switches.set(caller, timeoutMs.value);
    if (isRecorded && (await this.#isOnDisk())) return switchReply(deadline);
    const isSafe = deadline === null || (hasRecord && !isRecorded);
    return recordedReply(isSafe ? switchReply(deadline) : armed(deadline), false);
  }

  async #stop({ name, scope, caller: { keyId } }: StopOperation): Promise<OperationReply> {
    const done = name === 'stop' ? await this.#stops.stop(scope) : this.#stops.resume(scope);
    const { report } = done;
    const isRecorded = done.isRecorded && (await this.#isOnDisk());
    const left = 'leftTotal' in report ? { cancelled: report.cancelled, left: report.leftTotal } : {};
    this.#log.warn(name === 'stop' ? 'stopped' : 'resumed', { scope, keyId, ...left, isRecorded });
    return recordedReply(replyOf(200, report), isRecorded);
  }

  /** In power-safe mode: whether the disk has all records by now. The gateway does not wait for a disk that hangs. */
  async #isOnDisk(): Promise<boolean> {
    const fault = await recordFault(this.#store, wallTimers);
    if (fault !== null) noteFault(this.#faultParts, 'cancel-after', fault);
    return fault === null;
  }

  #orderIdOf({ caller, venue, idempotencyKey }: Keyed): OrderId {
    const orderId = this.#orderIds.of(caller, venue, idempotencyKey);
    assert(orderId !== null, 'an operation is of a pod that trades');
    return orderId;
  }
}

function cancelReply(answer: CancelAnswer): OperationReply {
  if (answer.type === 'refused') return refusedReply(answer);
  const { order } = answer;
  return replyOf(200, cancelledView(order.orderId, order.request.venue, traded(order).size));
}

function armed(deadline: UnixMillis): OperationReply {
  return unavailableReply(
    `the switch could not be recorded: armed until the process ends, it fires at ${formatTime(deadline)}; a gateway that is started anew knows nothing of it`,
  );
}
