// Orders at venue B: one account with its requests, its budget and its private stream. Each file in trading/ interprets one kind of answer;
// this file combines them. Engine thread.

import { clientOrderIdOf } from '../../core/domain/actor-tag.ts';
import { SECOND_MS } from '../../core/domain/durations.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { Order } from '../../core/domain/order.ts';
import type { CancelledRequest, Intent, VenueBOrderRequest } from '../../core/domain/order-request.ts';
import type { VenueBTradingAccount } from '../../core/domain/pod-accounts.ts';
import { assert, ok, type Result } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { VenueBudget } from '../../core/domain/venue-budget.ts';
import { HTTP_TOO_MANY } from '../../core/net/http-status.ts';
import type { OutboundPool } from '../../core/net/outbound.ts';
import type { Connect } from '../../core/net/websocket.ts';
import type { Log } from '../../core/runtime/log.ts';
import { hasCome, pause, type Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import {
  type BalanceRefusal,
  type CancelOutcome,
  type CancelTarget,
  contradictsFacts,
  type FactsRefusal,
  type Listed,
  type LookUp,
  type PreparedOrder,
  type PrepareRefusal,
  type PrivateEvent,
  type Reading,
  type SubmitHearer,
  type SubmitOutcome,
  type TradingFacts,
  type VenueAmends,
  type VenueBalance,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
  type VenueTrading,
} from '../venue.ts';
import { createVenueBAheadSigner, createVenueBSigner, type VenueBSign } from './auth.ts';
import { asOf, balance, fillsSince, holding, ordersSince, positions, restingOrders } from './trading/account.ts';
import { amendBody, amendOutcome, amendPath } from './trading/amend.ts';
import { batchOutcomes, type CancelledOrder, cancelOutcomes, submitOutcome } from './trading/answers.ts';
import { watchAttestation } from './trading/attestation.ts';
import { budgetTermsOf, createBudgetMemory, SMALLEST_TIER, VenueBBudget } from './trading/budget.ts';
import { VenueBFacts } from './trading/facts.ts';
import { groupRefusal, VenueBGroups } from './trading/groups.ts';
import { lookUp } from './trading/look-up.ts';
import { BATCHES, batchBody, cancelBody, type NamedOrder, ORDERS, orderBody } from './trading/order-body.ts';
import { VenueBPrivateStream } from './trading/private-stream.ts';
import { queuePositions } from './trading/queue-positions.ts';
import { venueOrderOf } from './trading/reported-rows.ts';
import { VenueBRest } from './trading/rest.ts';
import { payoutOf, VenueBSettlements } from './trading/settlements.ts';
import { VenueBSignatures } from './trading/signatures.ts';

export interface VenueBTradingParts {
  /** Connections to the origin of the account's REST. Their owner closes them. */
  readonly outbound: OutboundPool;
  readonly connect: Connect;
  readonly timers: Timers;
  readonly random: () => number;
  readonly log: Log;
  /** The memory of the budget (createBudgetMemory), which all users of the account share. By default the account has its own. */
  readonly budgetMemory?: BigInt64Array;
  /** The most markets whose facts are kept. The default is `limits.venueBTradedMarketsMax`. */
  readonly tradedMarketsMax?: number;
}

/** Throws if the private key is unusable. */
export function createVenueBTrading(account: VenueBTradingAccount, parts: VenueBTradingParts): VenueTrading {
  return new VenueBTrading(account, parts);
}

interface Attempt extends Pick<Intent, 'payload'> {
  readonly request: VenueBOrderRequest;
  readonly sentAt: UnixMillis;
}

class VenueBTrading implements VenueTrading {
  readonly #account: VenueBTradingAccount;
  readonly #parts: VenueBTradingParts;
  readonly #sign: VenueBSign;
  readonly #signatures: VenueBSignatures;
  readonly #budget: VenueBBudget;
  readonly #rest: VenueBRest;
  readonly #facts: VenueBFacts;
  readonly groups: VenueBGroups;
  readonly keepWarm = (): Promise<void> => this.#rest.keepWarm();
  readonly queuePositions = (tickers: readonly string[]) => queuePositions(this.#rest, tickers);
  readonly #listeners = new Map<(event: PrivateEvent) => void, (address: string) => boolean>();
  #stream: { readonly close: () => void } | null = null;
  #terms = SMALLEST_TIER;
  #termsAskedAt = 0;
  #isClosed = false;

  constructor(account: VenueBTradingAccount, parts: VenueBTradingParts) {
    const { timers, outbound, budgetMemory = createBudgetMemory(), tradedMarketsMax } = parts;
    const { restUrl, keyId, privateKeyPem } = account;
    this.#account = account;
    this.#parts = parts;
    this.#sign = createVenueBSigner(keyId, privateKeyPem);
    const signAhead = createVenueBAheadSigner(keyId, privateKeyPem);
    this.#signatures = new VenueBSignatures({ restUrl, sign: this.#sign, signAhead, timers });
    this.#budget = new VenueBBudget(budgetMemory, () => timers.now());
    this.#rest = new VenueBRest({ restUrl, signatures: this.#signatures, outbound, budget: this.#budget, timers });
    this.#facts = new VenueBFacts(this.#rest, timers, tradedMarketsMax);
    this.groups = new VenueBGroups(this.#rest, this.#budget, this.#facts);
  }

  async warmUp(): Promise<void> {
    await Promise.all([this.#parts.outbound.warmUp(limits.venueBWarmConnectionsMax), this.#askTerms()]);
  }

  budget(address: string | null): VenueBudget {
    return this.#budget.now(address === null ? 0 : this.#facts.shardOf(address));
  }

  facts(address: string, passes?: (facts: TradingFacts) => boolean): Soon<Result<TradingFacts, FactsRefusal>> {
    return this.#facts.of(address, passes);
  }

  expireFacts(address: string): void {
    this.#facts.expire(address);
  }

  prepare(
    { orderId, actorId, request }: Order,
    _idempotencyKey: string,
    groupId: string | null = null,
  ): Result<Intent, PrepareRefusal> {
    const clientOrderId = clientOrderIdOf(orderId, actorId);
    const payload = Buffer.from(orderBody(requestOf(request), clientOrderId, groupId));
    return ok({ payload, venueOrderId: null, clientOrderId });
  }

  submit(prepared: PreparedOrder, deadline: UnixMillis, notAfter: UnixMillis | null, hearer: SubmitHearer): void {
    const { order, intent } = prepared;
    const request = requestOf(order.request);
    const shard = this.#facts.shardOf(request.ticker);
    const waitMs = this.#budget.takeOrder(shard);
    if (waitMs > 0) {
      hearer.answered(outOfBudget(waitMs));
      return;
    }
    const sentAt = this.#parts.timers.now();
    const sendWithinMs = (notAfter ?? deadline) - sentAt;
    const { payload, clientOrderId } = intent;
    this.#rest.send('POST', ORDERS, payload, deadline - sentAt, sendWithinMs, hearer, answer => {
      this.#notice(answer, shard);
      const outcome = submitOutcome(request, clientOrderId, answer, payload);
      this.#heed(outcome, { request, payload, sentAt });
      hearer.answered(outcome);
    });
    this.#askTerms();
  }

  async submitBatch(
    orders: readonly PreparedOrder[],
    deadline: UnixMillis,
    notAfter: UnixMillis | null = null,
  ): Promise<readonly SubmitOutcome[] | null> {
    const sent = orders.map(({ order, intent }) => {
      const request = requestOf(order.request);
      const { clientOrderId, payload } = intent;
      const shard = this.#facts.shardOf(request.ticker);
      return { request, clientOrderId, payload, shard, waitMs: this.#budget.takeOrder(shard) };
    });
    const within = sent.filter(({ waitMs }) => waitMs === 0);
    if (within.length === 0) return sent.map(({ waitMs }) => outOfBudget(waitMs));
    const [leftMs, sendWithinMs] = [this.#leftMs(deadline), this.#leftMs(notAfter ?? deadline)];
    const body = batchBody(within.map(({ payload }) => payload));
    const sentAt = this.#parts.timers.now();
    const answering = this.#rest.request('POST', BATCHES, body, leftMs, sendWithinMs);
    this.#askTerms();
    const answer = await answering;
    for (const { shard } of within) this.#notice(answer, shard);
    const outcomes = batchOutcomes(within, answer);
    if (outcomes === null) return null;
    for (const [index, outcome] of outcomes.entries()) this.#heed(outcome, { ...within[index]!, sentAt });
    let next = 0;
    return sent.map(({ waitMs }) => (waitMs > 0 ? outOfBudget(waitMs) : outcomes[next++]!));
  }

  readonly amends: VenueAmends = {
    prepare: ({ intent }, order, total) => {
      const request = requestOf(order.request);
      const newClientOrderId = clientOrderIdOf(order.orderId, order.actorId);
      const clientOrderId = intent?.clientOrderId ?? '';
      const payload = Buffer.from(amendBody({ request, clientOrderId, newClientOrderId, total }));
      return { payload, venueOrderId: null, clientOrderId: newClientOrderId };
    },
    amend: async (old, { payload, clientOrderId }, deadline, notAfter) => {
      const { ticker } = requestOf(old.request);
      const { venueOrderId } = old;
      if (venueOrderId === null) return UNNAMED;
      const shard = this.#facts.shardOf(ticker);
      const waitMs = this.#budget.takeOrder(shard);
      if (waitMs > 0) return outOfBudget(waitMs);
      const [leftMs, sendWithinMs] = [this.#leftMs(deadline), this.#leftMs(notAfter ?? deadline)];
      const answer = await this.#rest.request('POST', amendPath(venueOrderId), payload, leftMs, sendWithinMs);
      this.#notice(answer, shard);
      const outcome = amendOutcome(clientOrderId, answer);
      if (contradictsFacts(outcome)) this.#facts.expire(ticker);
      return outcome;
    },
  };

  async cancel(order: CancelTarget, deadline: UnixMillis): Promise<CancelOutcome> {
    const [outcome] = await this.cancelBatch([order], deadline);
    return outcome!;
  }

  async cancelBatch(orders: readonly CancelTarget[], deadline: UnixMillis): Promise<readonly CancelOutcome[]> {
    const outcomes: CancelOutcome[] = orders.map(() => UNNAMED);
    const named = orders.flatMap(({ venueOrderId, request }, index) => {
      const { ticker, size } = requestOf(request);
      return venueOrderId === null ? [] : [{ index, venueOrderId, ticker, size }];
    });
    const count = this.#budget.cancelsMax;
    const parts = Array.from({ length: Math.ceil(named.length / count) }, (_, part) =>
      named.slice(part * count, (part + 1) * count),
    );
    await Promise.all(
      parts.map(async part => {
        const answered = await this.#cancelPart(part, deadline);
        for (const [at, { index }] of part.entries()) outcomes[index] = answered[at]!;
      }),
    );
    return outcomes;
  }

  /** Cancels these orders by one request. */
  async #cancelPart(
    orders: readonly (NamedOrder & CancelledOrder)[],
    deadline: UnixMillis,
  ): Promise<readonly CancelOutcome[]> {
    const waitMsMax = Math.max(0, Math.min(this.#leftMs(deadline), limits.venueBCancelWaitMsMax));
    const waits = orders.map(({ ticker }) => this.#budget.takeCancel(this.#facts.shardOf(ticker), waitMsMax));
    const within = orders.filter((_, index) => waits[index]! <= waitMsMax);
    const waitMs = Math.max(0, ...waits.filter(it => it <= waitMsMax));
    if (waitMs > 0) await pause(this.#parts.timers, waitMs);
    let outcomes: readonly CancelOutcome[] = [];
    if (within.length > 0) {
      const answering = this.#rest.request('DELETE', BATCHES, cancelBody(within), this.#leftMs(deadline));
      this.#askTerms();
      const answer = await answering;
      for (const { ticker } of within) this.#notice(answer, this.#facts.shardOf(ticker));
      outcomes = cancelOutcomes(within, answer);
    }
    let next = 0;
    return waits.map(it => (it > waitMsMax ? outOfBudget(it) : outcomes[next++]!));
  }

  lookUp(order: Order, intent: Intent, deadline: UnixMillis): Promise<LookUp> {
    return lookUp(this.#rest, order, intent, deadline);
  }

  asOf(): Reading<UnixMillis | null> {
    return asOf(this.#rest, this.#rest.deadline());
  }

  async openOrders(): Reading<Listed<VenueOrder>> {
    const orders = await restingOrders(this.#rest);
    return orders.ok ? ok({ ...orders.value, rows: orders.value.rows.map(venueOrderOf) }) : orders;
  }

  async ordersSince(since: UnixMillis): Reading<readonly VenueOrder[]> {
    const orders = await ordersSince(this.#rest, since);
    return orders.ok ? ok(orders.value.map(venueOrderOf)) : orders;
  }

  fillsSince(since: UnixMillis, until: UnixMillis | null = null): Reading<Listed<VenueFill>> {
    return fillsSince(this.#rest, since, until);
  }

  balance(): Promise<Result<VenueBalance, BalanceRefusal>> {
    return balance(this.#rest, this.#account.isBalanceGross === true);
  }

  positions(): Reading<Listed<VenuePosition>> {
    return positions(this.#rest);
  }

  holding(ticker: string): Reading<MicroShares> {
    return holding(this.#rest, ticker);
  }

  payoutOf(ticker: string): Reading<Ticks | null> {
    return payoutOf(this.#rest, ticker);
  }

  listen(listener: (event: PrivateEvent) => void, isHeld: (address: string) => boolean = () => true): () => void {
    assert(!this.#isClosed, 'an account that is closed is not listened to');
    this.#listeners.set(listener, isHeld);
    // Listeners will read and cancel, so the account's rate limits are read first.
    this.#askTerms();
    this.#stream ??= this.#startStream();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#endStream();
    };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#endStream();
    this.#signatures.close();
    return Promise.resolve();
  }

  #startStream(): { readonly close: () => void } {
    const { connect, timers, random, log } = this.#parts;
    const url = this.#account.streamUrl;
    let hasEnded = false;
    const tell = (event: PrivateEvent): void => {
      if (!hasEnded) this.#tell(event);
    };
    const isHeld = (address: string) => [...this.#listeners.values()].some(holds => holds(address));
    const settlements = new VenueBSettlements({ rest: this.#rest, timers, log, onEvent: tell, isHeld });
    const headers = () => this.#sign('GET', url, timers.now());
    const connection = { url, headers, connect, random };
    const stream = new VenueBPrivateStream({ connection, settlements, timers, log, onEvent: tell });
    stream.start();
    const attestation = watchAttestation({ rest: this.#rest, timers, onChange: tell });
    const close = (): void => {
      hasEnded = true;
      settlements.stop();
      attestation.stop();
      stream.close();
    };
    return { close };
  }

  #endStream(): void {
    const stream = this.#stream;
    this.#stream = null;
    stream?.close();
  }

  #tell(event: PrivateEvent): void {
    for (const listener of this.#listeners.keys()) listener(event);
  }

  /** Notes what an order's answer says about its market and its group. */
  #heed(outcome: SubmitOutcome, { request, payload, sentAt }: Attempt): void {
    if (contradictsFacts(outcome)) this.#facts.expire(request.ticker);
    const news = groupRefusal(outcome, payload, sentAt);
    if (news !== null) this.#tell(news);
  }

  /** Empties our bucket if the venue's bucket is empty, regardless of our own count. */
  #notice(answer: { readonly type: string; readonly status?: number }, shard: number): void {
    if (answer.status === HTTP_TOO_MANY) this.#budget.emptyWrites(shard);
  }

  /** Reads the account's rate limits, at most as often as they could change. */
  #askTerms(): Promise<void> | null {
    const now = this.#parts.timers.now();
    if (!hasCome(this.#termsAskedAt + limits.venueBTermsAgeMs, now, limits.venueBTermsAgeMs)) return null;
    this.#termsAskedAt = now;
    return this.#readTerms();
  }

  async #readTerms(): Promise<void> {
    const deadline = this.#rest.deadline();
    const [limitsAnswer, costs] = await Promise.all([
      this.#rest.read('/account/limits', deadline),
      this.#rest.read('/account/endpoint_costs', deadline),
    ]);
    const bodyOf = (answer: typeof costs): unknown => (answer.type === 'body' ? answer.body : null);
    this.#terms = budgetTermsOf(bodyOf(limitsAnswer), bodyOf(costs), this.#terms);
    this.#budget.terms = this.#terms;
    const { log } = this.#parts;
    for (const answer of [limitsAnswer, costs])
      if (answer.type !== 'body') log.warn('rate limits cannot be read', { venue: 'venue_b', message: answer.message });
  }

  #leftMs(deadline: UnixMillis): number {
    return deadline - this.#parts.timers.now();
  }
}

function requestOf<Request extends CancelledRequest>(
  request: Request,
): Extract<Request, { readonly venue: 'venue_b' }> {
  assert(request.venue === 'venue_b', 'venue B is handed its own orders');
  return request as Extract<Request, { readonly venue: 'venue_b' }>;
}

const UNNAMED = { type: 'not-found', message: 'the venue has not stated its id of the order' } as const;

function outOfBudget(waitMs: number): Extract<SubmitOutcome, { type: 'not-sent' }> {
  const retryAfterS = Math.min(Math.ceil(waitMs / SECOND_MS), limits.venueBRetryAfterMaxS);
  return { type: 'not-sent', message: 'the rate limit of the account at venue B is spent', retryAfterS };
}
