// Trading at venue A (venue-a.md §3, §6, §8): the port of venue.ts for one account of its CLOB. Files in trading/ build requests and
// interpret answers; this file combines them. Engine thread.

import { SECOND_MS } from '../../core/domain/durations.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { Order } from '../../core/domain/order.ts';
import type { Intent, VenueAOrderRequest } from '../../core/domain/order-request.ts';
import type { VenueAAccount } from '../../core/domain/pod-accounts.ts';
import { assert, fail, ok, type Result } from '../../core/domain/result.ts';
import { type Soon, whenHere } from '../../core/domain/soon.ts';
import type { VenueBudget } from '../../core/domain/venue-budget.ts';
import { HTTP_UNAUTHORIZED } from '../../core/net/http-status.ts';
import type { OutboundPool } from '../../core/net/outbound.ts';
import type { Connect } from '../../core/net/websocket.ts';
import type { Log } from '../../core/runtime/log.ts';
import { pause, type Timers } from '../../core/runtime/timers.ts';
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
  type VenueBalance,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
  type VenueTrading,
} from '../venue.ts';
import type { VenueWallet } from '../wallet-port.ts';
import { checksumAddress } from './address.ts';
import { approvalsTarget, missingApprovals } from './approvals.ts';
import { isL2Secret } from './auth.ts';
import { AMOY, type ChainId, POLYGON } from './exchanges.ts';
import { addressOf } from './secp256k1.ts';
import { batchOutcomes, cancelOutcome, idOfMatched, outcomeOfPost } from './trading/answers.ts';
import { createRateMemory, RateBudget } from './trading/budget.ts';
import { Collateral } from './trading/collateral.ts';
import { balanceOf, claimOf, payoutOf, readData, readHoldings, SettlementWatch } from './trading/holdings.ts';
import { OrderLookUp } from './trading/look-up.ts';
import { MarketTermsCache, tradingFacts } from './trading/market-terms.ts';
import { committedBy, orderRows, type ShownOrder, unreadOrder } from './trading/open-orders.ts';
import { type OrderSigner, OrderTimes, orderSigner } from './trading/order-body.ts';
import { readPages } from './trading/pages.ts';
import { type BookOf, Preparation } from './trading/preparation.ts';
import { TradeFills } from './trading/trade-fills.ts';
import { TRADE_ROWS, type Wanted } from './trading/trades.ts';
import { UserStream } from './trading/user-stream.ts';
import { VenueApi, type VenueOutcome } from './trading/venue-api.ts';
import { RelayerWallet } from './wallet/relayer-wallet.ts';

export interface VenueATradingParts {
  /** The connections to the CLOB. Their creator closes them, and those below. */
  readonly outbound: OutboundPool;
  /** The connections to the Data API. */
  readonly outboundData: OutboundPool;
  /** The connections to the relayer. Null or absent if the account names no relayer. */
  readonly outboundRelayer?: OutboundPool | null;
  readonly connect: Connect;
  readonly timers: Timers;
  /** Returns a random number, uniform in [0, 1), for jitter. */
  readonly random: () => number;
  readonly log: Log;
  /** The counts of the rate limits (createRateMemory), which all users of the account share. By default the account has its own. */
  readonly rateMemory?: Float64Array;
  /** The live books. Without them, books are read by REST. */
  readonly bookOf?: BookOf;
  /** Reads the USDC.e of a wallet. Absent if the chain cannot be read; the amount then counts as 0. */
  readonly unconvertedOf?: (wallet: string) => Reading<MicroDollars>;
}

/** Creates the trading of an account. Asserts that the account can sign, so that an operator's mistake shows at the start. */
export function createVenueATrading(account: VenueAAccount, parts: VenueATradingParts): VenueTrading {
  const { chainId } = account;
  assert(chainId === POLYGON || chainId === AMOY, `venue A: chainId must be ${POLYGON} or ${AMOY}`);
  assert(isL2Secret(account.secret), 'venue A: the API secret must be base64');
  const signer = orderSigner(account);
  assert(signer !== null, 'venue A: privateKey must be 64 hex digits, funder an address, and its own under type 0');
  return new VenueATrading(account, signer, chainId, parts);
}

const NO_BOOK: BookOf = () => null;
const UNNAMED: CancelOutcome = { type: 'not-found', message: 'the venue is not known to have it' };

class VenueATrading implements VenueTrading {
  readonly #account: VenueAAccount;
  readonly #parts: VenueATradingParts;
  readonly #api: VenueApi;
  readonly #terms: MarketTermsCache;
  readonly #preparation: Preparation;
  readonly #fills: TradeFills;
  readonly #lookUp: OrderLookUp;
  readonly #collateral: Collateral;
  readonly #orderBudget: RateBudget;
  readonly #cancelBudget: RateBudget;
  readonly #isOurs: Wanted;
  readonly #stops = new Set<() => void>();
  readonly wallet: VenueWallet;

  constructor(account: VenueAAccount, signer: OrderSigner, chainId: ChainId, parts: VenueATradingParts) {
    const { outbound, outboundRelayer = null, timers, rateMemory = createRateMemory(), bookOf = NO_BOOK } = parts;
    const now = () => timers.now();
    this.#account = account;
    this.#parts = parts;
    const address = checksumAddress(addressOf(signer.key));
    this.#api = new VenueApi({ account, address, outbound, timers });
    this.#terms = new MarketTermsCache(this.#api);
    const times = new OrderTimes(now);
    const [api, terms] = [this.#api, this.#terms];
    this.#preparation = new Preparation({ api, terms, chainId, times, signer, bookOf });
    this.#fills = new TradeFills(api, terms);
    this.#lookUp = new OrderLookUp(api, terms, this.#fills);
    this.#collateral = new Collateral(api, account.signatureType);
    this.wallet = new RelayerWallet({ ...parts, account, signer, api, terms, outboundRelayer });
    this.#orderBudget = new RateBudget('orders', rateMemory, now);
    this.#cancelBudget = new RateBudget('cancels', rateMemory, now);
    const { maker, apiKey } = signer;
    this.#isOurs = {
      is: ({ owner, address }) => owner === apiKey || address === maker,
      mayBe: ({ owner, address }) => owner === '' && address === '',
    };
  }

  async warmUp(): Promise<void> {
    const { outbound } = this.#parts;
    await outbound.warmUp(limits.venueAWarmConnectionsMax);
    // The start does not wait for a warning.
    void this.#warnOfApprovals();
    await this.#api.askTime();
  }

  /** Warns at the start of approvals of Protocol V2 that the wallet lacks. Without an answer, nothing is logged. Never rejects. */
  async #warnOfApprovals(): Promise<void> {
    const { outboundData, log } = this.#parts;
    const answer = await readData(outboundData, approvalsTarget(this.#account.funder));
    const missing = answer.ok ? missingApprovals(answer.value) : null;
    if (missing === null || missing.length === 0) return;
    const { funder: wallet } = this.#account;
    log.warn('approvals are missing', { venue: 'venue_a', wallet, missing: missing.join(', ') });
  }

  readonly keepWarm = (): Promise<void> => this.#api.askTime();

  budget(): VenueBudget {
    return { venue: 'venue_a', orders: this.#orderBudget.now(), cancels: this.#cancelBudget.now(), reads: null };
  }

  facts(
    tokenId: string,
    passes: (facts: TradingFacts) => boolean = ({ phase }) => phase === 'OPEN',
  ): Soon<Result<TradingFacts, FactsRefusal>> {
    const terms = this.#terms.ofToken(tokenId, known => passes(tradingFacts(known)));
    return whenHere(terms, it => (it.ok ? ok(tradingFacts(it.value)) : it));
  }

  expireFacts(tokenId: string): void {
    this.#terms.expire(tokenId);
  }

  prepare(...[order, key, , worst = null]: Parameters<VenueTrading['prepare']>): Soon<Result<Intent, PrepareRefusal>> {
    return this.#preparation.prepare(order, requestOf(order), key, worst);
  }

  submit(prepared: PreparedOrder, deadline: UnixMillis, notAfter: UnixMillis | null, hearer: SubmitHearer): void {
    const bounds = this.#bounds(deadline, notAfter);
    const unsent = notSent(this.#orderBudget, 'orders', bounds);
    if (unsent !== null) {
      hearer.answered(unsent);
      return;
    }
    this.#orderBudget.sent(1);
    this.#api.send('POST', '/order', prepared.intent.payload, bounds, hearer, heard => {
      this.#orderBudget.answered(heard, 1);
      hearer.answered(this.#outcomeOf(prepared, heard));
    });
  }

  #outcomeOf({ order, intent }: PreparedOrder, heard: VenueOutcome): SubmitOutcome {
    const request = requestOf(order);
    const fees = this.#terms.knownFeesOfToken(request.tokenId);
    const outcome = outcomeOfPost(heard, { intent, request, fees });
    if (outcome.type === 'accepted' && outcome.venueOrderId !== intent.venueOrderId) {
      const ids = { reported: outcome.venueOrderId, known: intent.venueOrderId };
      this.#parts.log.warn('venue reports another order id', { venue: 'venue_a', ...ids });
    }
    return this.#noteOutcome(outcome, request);
  }

  async submitBatch(
    orders: readonly PreparedOrder[],
    deadline: UnixMillis,
    notAfter: UnixMillis | null = null,
  ): Promise<readonly SubmitOutcome[] | null> {
    const bounds = this.#bounds(deadline, notAfter);
    const unsent = notSent(this.#orderBudget, 'orders', bounds);
    if (unsent !== null) return orders.map(() => unsent);
    const body = arrayOf(orders.map(({ intent }) => intent.payload));
    const request = this.#api.request('POST', '/orders', body, bounds);
    const heard = await this.#orderBudget.spent(request, orders.length);
    const posted = orders.map(({ order, intent }) => {
      const request = requestOf(order);
      return { intent, request, fees: this.#terms.knownFeesOfToken(request.tokenId) };
    });
    const outcomes = batchOutcomes(heard, posted);
    if (outcomes === null) return null;
    return outcomes.map((outcome, index) => this.#noteOutcome(outcome, posted[index]!.request));
  }

  readonly amends = null;

  async cancel(order: CancelTarget, deadline: UnixMillis): Promise<CancelOutcome> {
    const [outcome] = await this.cancelBatch([order], deadline);
    return outcome!;
  }

  async cancelBatch(orders: readonly CancelTarget[], deadline: UnixMillis): Promise<readonly CancelOutcome[]> {
    const named = orders.flatMap(({ venueOrderId }) => (venueOrderId === null ? [] : [venueOrderId]));
    const outcomes = named.length === 0 ? [] : await this.#cancelNamed(named, deadline);
    let next = 0;
    return orders.map(({ venueOrderId }) => (venueOrderId === null ? UNNAMED : outcomes[next++]!));
  }

  async #cancelNamed(ids: readonly string[], deadline: UnixMillis): Promise<readonly CancelOutcome[]> {
    const { timers } = this.#parts;
    const waitsUntil = Math.min(deadline, timers.now() + limits.venueACancelWaitMsMax);
    for (;;) {
      const outcomes = await this.#cancelOnce(ids, deadline);
      // After a refusal "for now" the venue has done nothing, so a cancel may be sent again; the orders rest meanwhile.
      const { waitMs } = this.#cancelBudget;
      const isUnsent = outcomes.every(({ type }) => type === 'not-sent');
      if (!isUnsent || waitMs <= 0 || timers.now() + waitMs >= waitsUntil) return outcomes;
      await pause(timers, waitMs);
    }
  }

  async #cancelOnce(ids: readonly string[], deadline: UnixMillis): Promise<readonly CancelOutcome[]> {
    const bounds = this.#bounds(deadline);
    const unsent = notSent(this.#cancelBudget, 'cancels', bounds);
    if (unsent !== null) return ids.map(() => unsent);
    const [first] = ids;
    const [target, body] = ids.length === 1 ? ['/order', { orderID: first }] : ['/orders', ids];
    const request = this.#api.request('DELETE', target, Buffer.from(JSON.stringify(body)), bounds);
    const heard = await this.#cancelBudget.spent(request, ids.length);
    const outcomes = ids.map(id => cancelOutcome(heard, id));
    for (const [index, { type }] of outcomes.entries()) if (type === 'cancelled') this.#lookUp.expectEnd(ids[index]!);
    return outcomes;
  }

  lookUp(order: Order, intent: Intent, deadline: UnixMillis, bookedUpTo: UnixMillis | null = null): Promise<LookUp> {
    // Only an OPEN order's earlier fills are sure to be booked: they were read as the order traded.
    return this.#lookUp.find(order, intent, deadline, order.status === 'OPEN' ? bookedUpTo : null);
  }

  asOf(): Reading<UnixMillis | null> {
    return Promise.resolve(ok(null));
  }

  async openOrders(): Reading<Listed<ShownOrder>> {
    const query = { path: '/data/orders', filters: {}, deadline: null } as const;
    const orders = await readPages(this.#api, query, orderRows(this.#api.now()));
    return orders.ok ? ok({ rows: orders.value.rows, unread: orders.value.unread.map(unreadOrder) }) : orders;
  }

  /** Returns no orders. The venue's order ids are hashes, so an order without our record has no known owner. */
  ordersSince(): Reading<readonly VenueOrder[]> {
    return Promise.resolve(ok([]));
  }

  async fillsSince(since: UnixMillis, until: UnixMillis | null = null): Reading<Listed<VenueFill>> {
    // The venue does not say whether a bound includes its own second. A failed trade is read again from the second of its match.
    const after = String(Math.max(0, Math.floor(since / SECOND_MS) - 1));
    const filters = until === null ? { after } : { after, before: String(Math.ceil(until / SECOND_MS) + 1) };
    const query = { path: '/data/trades', filters, deadline: null } as const;
    const trades = await readPages(this.#api, query, TRADE_ROWS);
    if (!trades.ok) return trades;
    const oldestFirst = trades.value.rows.toReversed().toSorted((one, other) => one.executedAt - other.executedAt);
    return this.#fills.ofAll(oldestFirst, this.#isOurs);
  }

  async balance(): Promise<Result<VenueBalance, BalanceRefusal>> {
    const { funder } = this.#account;
    const { outboundData, unconvertedOf } = this.#parts;
    const [cash, orders, resolved, unconverted] = await Promise.all([
      this.#collateral.read(),
      this.openOrders(),
      readHoldings(outboundData, funder, true),
      unconvertedOf?.(funder) ?? ok(0 as MicroDollars),
    ]);
    if (!cash.ok) return unshown(cash.error.message, cash.error.status);
    if (!orders.ok) return unshown(orders.error);
    if (!resolved.ok) return unshown(resolved.error);
    if (!unconverted.ok) return unshown(unconverted.error);
    // An unreadable row may hold back or pay money, so a sum without it would be wrong.
    if (orders.value.unread.length > 0) return unshown('/data/orders: a row that cannot be read');
    if (resolved.value.unread.length > 0) return unshown('positions: a row that cannot be read');
    const committed = sum(orders.value.rows.map(committedBy));
    return ok({
      available: Math.max(0, cash.value - committed) as MicroDollars,
      committed,
      committedTo: orders.value.rows.filter(order => committedBy(order) > 0),
      claimable: sum(resolved.value.rows.map(claimOf)),
      unconverted: unconverted.value,
    });
  }

  /** Reads the positions, without losing shares of resolved markets: these are worthless, though the wallet holds them. */
  async positions(): Reading<Listed<VenuePosition>> {
    const holdings = await readHoldings(this.#parts.outboundData, this.#account.funder, false);
    if (!holdings.ok) return holdings;
    const { rows, unread } = holdings.value;
    const held = rows
      .filter(({ paid }) => paid !== 0)
      .map(({ tokenId, size, paid }) => ({ address: tokenId, size, isRedeemable: paid !== null }));
    return ok({ rows: held, unread });
  }

  holding(tokenId: string): Reading<MicroShares> {
    return balanceOf(this.#api, tokenId, this.#account.signatureType);
  }

  payoutOf(tokenId: string): Reading<Ticks | null> {
    return payoutOf({ api: this.#api, terms: this.#terms, outboundData: this.#parts.outboundData }, tokenId);
  }

  listen(listener: (event: PrivateEvent) => void): () => void {
    const account = this.#account;
    const parts = { ...this.#parts, onEvent: listener, noteEnd: (order: ShownOrder) => this.#lookUp.noteEnd(order) };
    const stream = new UserStream({ ...parts, account, fills: this.#fills, isOurs: this.#isOurs });
    const resolved = () => readHoldings(parts.outboundData, account.funder, true);
    const watch = new SettlementWatch({ ...parts, resolved, payoutOf: tokenId => this.payoutOf(tokenId) });
    stream.start();
    void watch.start();
    const stop = (): void => {
      this.#stops.delete(stop);
      watch.close();
      stream.close();
    };
    this.#stops.add(stop);
    return stop;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
  }

  /** Notes what the outcome says about the market, the wallet and the order's trades. */
  #noteOutcome(outcome: SubmitOutcome, request: VenueAOrderRequest): SubmitOutcome {
    const matchedId = idOfMatched(outcome);
    if (matchedId !== null) this.#lookUp.expectTrades(matchedId);
    if (contradictsFacts(outcome)) this.#terms.expire(request.tokenId);
    if (outcome.type === 'refused' && outcome.kind === 'insufficientBalance') this.#collateral.refresh(request);
    return outcome;
  }

  #bounds(deadline: UnixMillis, notAfter: UnixMillis | null = null) {
    const now = this.#parts.timers.now();
    return { timeoutMs: deadline - now, sendWithinMs: (notAfter ?? deadline) - now };
  }
}

/** Returns the outcome of a request that cannot be sent now, or null if it can. */
function notSent({ waitS }: RateBudget, what: 'orders' | 'cancels', { timeoutMs }: { readonly timeoutMs: number }) {
  if (waitS <= 0 && timeoutMs > 0) return null;
  const message = waitS > 0 ? `the venue wants fewer ${what}` : 'no time left to send it';
  return { type: 'not-sent', message, retryAfterS: waitS || limits.venueARetryAfterS } as const;
}

/** Returns the JSON array of prepared orders, each of which is JSON text. */
function arrayOf(orders: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([
    ...orders.flatMap((order, index) => [Buffer.from(index === 0 ? '[' : ','), order]),
    Buffer.from(']'),
  ]);
}

function requestOf({ request }: Order): VenueAOrderRequest {
  assert(request.venue === 'venue_a', 'an order of another venue');
  return request;
}

function unshown(message: string, status: number | null = null): Result<never, BalanceRefusal> {
  return fail({ kind: status === HTTP_UNAUTHORIZED ? 'fault' : 'unavailable', message: `venue A: ${message}` });
}

function sum(amounts: readonly MicroDollars[]): MicroDollars {
  return amounts.reduce((total, amount) => total + amount, 0) as MicroDollars;
}
