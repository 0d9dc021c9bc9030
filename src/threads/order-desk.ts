// The order desk of one thread: its member of the store, its adapters, and for every operation on orders who answers it. Order
// workers.

import { LiveBooks } from '../book/live-books.ts';
import type { Arena } from '../book/memory.ts';
import type { Durability } from '../config.ts';
import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { assert, fail, ok, unreachable } from '../domain/result.ts';
import { type Answer, type Refused, refused, unavailable, unknownOutcome } from '../orders/answers.ts';
import { type CancelTerms, cancel, cancelDeadline } from '../orders/cancel.ts';
import { setCancelAfter } from '../orders/cancel-after.ts';
import { cancelAll } from '../orders/cancel-all.ts';
import type { Divergence } from '../orders/divergence.ts';
import { Ledger } from '../orders/ledger.ts';
import { deriveOrderId, readOrderId } from '../orders/order-ids.ts';
import { conflicting } from '../orders/repeat.ts';
import type { Submission, SubmitParts } from '../orders/submission.ts';
import { submit } from '../orders/submit.ts';
import { Valuation } from '../orders/valuation.ts';
import { Background } from '../runtime/background.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { wallTimers } from '../runtime/timers.ts';
import type { OrderEventRecord, OrderStore, StoredOrder } from '../store/order-records.ts';
import { openOrderStore } from '../store/order-store.ts';
import { StoreError } from '../store/store-error.ts';
import type { VenueTrading } from '../venues/venue.ts';
import { balanceText } from '../wire/balance-views.ts';
import { readCancelAfter, readVenueAOrder, readVenueBOrder } from '../wire/order-requests.ts';
import { cancelledView, orderView } from '../wire/order-views.ts';
import type { PageScope } from '../wire/page-token.ts';
import { listEventMarkets, listEvents } from './event-lists.ts';
import { listMarkets } from './market-lists.ts';
import { type OlderBalancesParts, olderBalances } from './older-balances.ts';
import { listOlderOrders } from './older-orders.ts';
import {
  answerReply,
  errorReply,
  noBalanceReply,
  notFound,
  recordedReply,
  refusedReply,
  replyOf,
  switchReply,
  textReply,
  timed,
  unavailableReply,
} from './operation-replies.ts';
import { listFills, listOrders } from './order-lists.ts';
import type {
  Caller,
  CancelAfterOperation,
  CatalogOperation,
  EventMarketsOperation,
  OneOrderOperation,
  OperationReply,
  OrderOperation,
  SubmitOperation,
} from './order-tasks.ts';
import { PodTrading, type TradingPod } from './pod-trading.ts';
import { listPositions } from './position-list.ts';
import type { Stopwatch } from './stopwatch.ts';

/** What a thread needs to trade; can be sent to one. */
export interface OrderDeskData {
  /** Whose books it prices by. */
  readonly arena: Arena;
  readonly storeFolder: string;
  readonly durability: Durability;
  readonly pods: readonly TradingPod[];
  /** Page tokens of what belongs to no pod are signed with it. */
  readonly pageSecretHex: string;
  readonly logLevel: Log['level'];
}

export interface OrderDeskParts {
  /** Whether several operations are under way here at a time. */
  readonly isShared: boolean;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of committed changes, in their order. */
  readonly tell: (events: readonly OrderEventRecord[]) => void;
  readonly diverged: (kind: Divergence, detail: Readonly<Record<string, string>>) => void;
}

/** Rejects with a StoreError if the store cannot be used. The venues need not be there. */
export async function openOrderDesk(data: OrderDeskData, parts: OrderDeskParts): Promise<OrderDesk> {
  const { arena, storeFolder: folder, durability: mode, pods } = data;
  const gathersCommits = parts.isShared;
  const store = await openOrderStore({ folder, mode, role: 'member', timers: wallTimers, gathersCommits });
  const books = new LiveBooks(arena);
  const trading = new PodTrading(pods, books, parts);
  await trading.warmUp();
  return new OrderDesk(store, trading, books, data, parts);
}

export class OrderDesk {
  readonly #store: OrderStore;
  readonly #trading: PodTrading;
  readonly #valuation: Valuation;
  readonly #secrets: ReadonlyMap<string, Uint8Array>;
  readonly #pageSecret: Uint8Array;
  readonly #log: Log;
  readonly #parts: SubmitParts;
  readonly #background = new Background();
  readonly #balanceParts: OlderBalancesParts;

  constructor(store: OrderStore, trading: PodTrading, books: LiveBooks, data: OrderDeskData, parts: OrderDeskParts) {
    const { now } = wallTimers;
    this.#store = store;
    this.#trading = trading;
    this.#valuation = new Valuation(store, (venue, address) => books.prices(venue, address));
    this.#pageSecret = Buffer.from(data.pageSecretHex, 'hex');
    this.#secrets = new Map(data.pods.map(({ podId, secretHex }) => [podId, Buffer.from(secretHex, 'hex')]));
    this.#balanceParts = { reads: store, valuation: this.#valuation, now };
    this.#log = parts.log;
    this.#parts = {
      ledger: new Ledger({ store, now, tell: parts.tell, diverged: parts.diverged }),
      timers: wallTimers,
      tradingOf: ({ podId, request }) => {
        const found = trading.of(podId, request.venue);
        return found === null ? fail(noAccount(podId, request.venue)) : ok(found);
      },
      podSecretOf: podId => this.#secretOf(podId),
      late: work => this.#background.begin(() => work.catch(error => this.#noteFault('submit', error))),
    };
  }

  /** Never rejects: a fault is an answer. `triedAt`: when another thread has begun it, and died; null as a rule. */
  async perform(operation: OrderOperation, stopwatch: Stopwatch, triedAt: UnixMillis | null): Promise<OperationReply> {
    return timed(await this.#answered(operation, stopwatch, triedAt), stopwatch);
  }

  async close(): Promise<void> {
    // What venues have been asked is answered at once.
    await this.#trading.close();
    await this.#background.end();
    await this.#store.close();
  }

  async #answered(
    operation: OrderOperation,
    stopwatch: Stopwatch,
    triedAt: UnixMillis | null,
  ): Promise<OperationReply> {
    try {
      return await this.#perform(operation, stopwatch, triedAt);
    } catch (error) {
      this.#noteFault(operation.name, error);
      if (operation.name === 'submit' && operation.body.ok) return answerReply(this.#afterFault(operation));
      if (operation.name === 'cancel') return this.#cancelAfterFault(operation);
      if (operation.name === 'cancel-all') return unavailableReply(CANCELS_UNKNOWN);
      return errorReply('fault', UNUSABLE);
    }
  }

  /** Whatever else it may be is a fault of the program. */
  #noteFault(operation: OrderOperation['name'], error: unknown): void {
    if (!(error instanceof StoreError)) throw error;
    this.#log.warn('the order store failed', { operation, error: error.message });
  }

  #perform(
    operation: OrderOperation,
    stopwatch: Stopwatch,
    triedAt: UnixMillis | null,
  ): OperationReply | Promise<OperationReply> {
    const { caller } = operation;
    if ('catalog' in operation) return this.#ofCatalog(operation);
    // What cannot be read is told first, as where there is an account.
    const isUnreadable = operation.name === 'submit' && !operation.body.ok;
    if (!isUnreadable && !this.#secrets.has(caller.podId)) return refusedReply(noAccount(caller.podId, 'any venue'));
    switch (operation.name) {
      case 'submit':
        return this.#submit(operation, stopwatch);
      case 'get': {
        const stored = this.#own(caller, operation.venue, operation.orderId);
        return stored === null ? notFound() : replyOf(200, orderView(stored.order, true));
      }
      case 'cancel':
        return this.#cancel(operation, stopwatch, triedAt);
      case 'list':
        return listOrders(this.#store, this.#scopeOf(operation), operation);
      case 'fills': {
        const stored = this.#own(caller, operation.venue, operation.orderId);
        if (stored === null) return notFound();
        return listFills(this.#store, this.#scopeOf(operation), operation.query, stored.order.orderId);
      }
      case 'cancel-all':
        return this.#traded(operation, async trading => {
          const { actorId } = caller;
          const { venue, address, keyId } = operation;
          const meant = { actorId, venue, address, keyId };
          const { results, isRecorded } = await cancelAll(this.#parts, trading, meant, this.#terms(triedAt));
          return recordedReply(replyOf(200, { results }), isRecorded);
        });
      case 'cancel-after':
        return this.#cancelAfter(operation);
      case 'balance':
        return this.#traded(operation, async (trading, venue) => {
          const balance = await trading.balance();
          return balance.ok ? textReply(200, balanceText(venue, balance.value)) : noBalanceReply(balance.error);
        });
      case 'positions':
        return listPositions(this.#valuation, operation);
      case 'older-orders':
        return listOlderOrders(this.#store, this.#scopeOf(operation), operation);
      case 'older-balances':
        return olderBalances(this.#balanceParts, this.#trading.ofPod(caller.podId), operation);
      default:
        return unreachable(operation);
    }
  }

  #ofCatalog(operation: CatalogOperation | EventMarketsOperation): OperationReply {
    const now = wallTimers.now();
    if (operation.name === 'event-markets') return listEventMarkets(operation, now);
    const { caller, path } = operation;
    const scope: PageScope = { secret: this.#pageSecret, actorId: caller.actorId, path };
    return operation.name === 'markets' ? listMarkets(scope, operation, now) : listEvents(scope, operation, now);
  }

  /** With the account that an operation is about. */
  #traded(
    { caller, venue }: { readonly caller: Caller; readonly venue: Venue },
    work: (trading: VenueTrading, venue: Venue) => Promise<OperationReply>,
  ): OperationReply | Promise<OperationReply> {
    const trading = this.#trading.of(caller.podId, venue);
    return trading === null ? refusedReply(noAccount(caller.podId, venue)) : work(trading, venue);
  }

  async #submit(operation: SubmitOperation, stopwatch: Stopwatch): Promise<OperationReply> {
    const { venue, caller, body, idempotencyKey, bodySha256Hex, isTradable, limits, notAfter } = operation;
    const request = body.ok ? (venue === 'venue_a' ? readVenueAOrder : readVenueBOrder)(body.value) : body;
    if (!request.ok) return this.#unreadable(operation, request.error);
    stopwatch.passed('parse');
    const passed: Submission['passed'] = stage => stopwatch.passed(stage === 'settle' ? 'store' : stage);
    const submission: Submission = {
      ...caller,
      request: request.value,
      idempotencyKey,
      bodySha256Hex,
      isTradable,
      limits,
      notAfter: notAfter as UnixMillis | null,
      passed,
    };
    return answerReply(await submit(this.#parts, submission));
  }

  /** Interface §4.1: another body than the key was used with is a conflict, whatever else is wrong with it. */
  #unreadable(operation: SubmitOperation, problem: string): OperationReply {
    const conflict = conflicting(this.#store, { ...operation, ...operation.caller });
    return conflict === null ? errorReply('invalid', problem) : answerReply(conflict);
  }

  /** Where there is no record nothing was sent; else, and where nobody can tell, it may have been. */
  #afterFault({ caller: { podId, actorId }, venue, idempotencyKey }: SubmitOperation): Answer {
    const orderId = deriveOrderId(this.#secretOf(podId), actorId, venue, idempotencyKey);
    try {
      const order = this.#store.order(orderId)?.order ?? null;
      // Of a released one the record is of an earlier try.
      if (order === null || order.isReleased) return unavailable('the order could not be recorded: nothing was sent');
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
    return unknownOutcome('unknownOutcome', orderId, 'a fault of the gateway: the order may have been sent');
  }

  /** A cancel needs no record, but the order: what failed is reading it, before the cancel was sent or after. */
  #cancelAfterFault({ orderId: text }: OneOrderOperation): OperationReply {
    const orderId = readOrderId(text);
    if (orderId === null) return errorReply('fault', UNUSABLE);
    const message = 'a fault of the gateway: the cancel may have been made: read the order, and cancel again';
    return refusedReply(unknownOutcome('unknownOutcome', orderId, message));
  }

  #cancel(
    operation: OneOrderOperation,
    stopwatch: Stopwatch,
    triedAt: UnixMillis | null,
  ): OperationReply | Promise<OperationReply> {
    const stored = this.#own(operation.caller, operation.venue, operation.orderId);
    stopwatch.passed('store');
    if (stored === null) return notFound();
    return this.#traded(operation, async trading => {
      const ledger = this.#parts.ledger.lenient();
      const answer = await cancel({ ledger, timers: wallTimers }, trading, stored, this.#terms(triedAt));
      stopwatch.passed('venue');
      const reply = answer.type === 'refused' ? refusedReply(answer) : replyOf(200, cancelledView(answer.order));
      return recordedReply(reply, ledger.isRecorded);
    });
  }

  #terms(triedAt: UnixMillis | null): CancelTerms {
    return { deadline: cancelDeadline(this.#parts), triedAt };
  }

  #cancelAfter({ caller, body }: CancelAfterOperation): OperationReply {
    const timeoutMs = readCancelAfter(body);
    if (!timeoutMs.ok) return errorReply('invalid', timeoutMs.error);
    try {
      return switchReply(setCancelAfter(this.#parts.ledger, caller, timeoutMs.value));
    } catch (error) {
      this.#noteFault('cancel-after', error);
      return { ...unavailableReply(UNUSABLE), unrecordedSwitch: { hasRecord: this.#hasSwitch(caller) } };
    }
  }

  /** False also where the store cannot be read. */
  #hasSwitch({ keyId }: Caller): boolean {
    try {
      return this.#store.cancelAfters().some(it => it.keyId === keyId);
    } catch (error) {
      this.#noteFault('cancel-after', error);
      return false;
    }
  }

  /** Null: unknown, malformed, another's, or of the other venue, all alike to whoever asks. */
  #own({ podId, actorId }: Caller, venue: Venue, text: string): StoredOrder | null {
    const orderId = readOrderId(text);
    const stored = orderId === null ? null : this.#store.order(orderId);
    if (stored === null) return null;
    const { order } = stored;
    const isOwn = order.podId === podId && order.actorId === actorId && order.request.venue === venue;
    return isOwn ? stored : null;
  }

  #scopeOf({ caller, path }: { readonly caller: Caller; readonly path: string }): PageScope {
    return { secret: this.#secretOf(caller.podId), actorId: caller.actorId, path };
  }

  #secretOf(podId: string): Uint8Array {
    const secret = this.#secrets.get(podId);
    assert(secret !== undefined, 'whoever asks is of a pod that trades');
    return secret;
  }
}

const UNUSABLE = 'the order store cannot be used';
const CANCELS_UNKNOWN = `${UNUSABLE}: what was cancelled is not known: cancel again`;

/** Nothing that the caller can change, and nothing that passes: the operator has to. */
function noAccount(podId: string, place: Venue | 'any venue'): Refused {
  return refused('fault', `the pod ${podId} has no account at ${place}: the gateway’s configuration names none`);
}
