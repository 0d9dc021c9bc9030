// Places an order at venue A: admission, perhaps a taker delay, then matching. What is left of the order then rests or is killed
// (venue-a.md §2.3, §9.3).

import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Held } from '../engine/accounts.ts';
import type { NewOrder as EngineOrder, EngineRefusal, OrderId, Placed, TimeInForce } from '../engine/engine-types.ts';
import { type Admission, crosses, expiresAt, purchase } from './admission.ts';
import { ClientOrder } from './client-order.ts';
import type { Floor } from './floor.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { Execution, NewOrder, OrderRecord, Trade, VenueARefusal, VenueMode } from './records.ts';
import { withTrade } from './trade-booking.ts';
import type { Wallet, Wallets } from './wallet.ts';

/** The venue's texts in the status of a cancelled order (venue-a.md §6.2). */
const REASONS: Partial<Record<VenueARefusal, string>> = {
  'fok-not-filled': "order couldn't be fully filled. FOK orders are fully filled or killed.",
  'fak-no-match':
    'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
  'not-enough-balance': 'not enough balance / allowance',
  'market-not-ready': 'the market is not yet ready to process new orders',
};
const POST_ONLY_CROSSES = 'invalid post-only order: order crosses book';

interface PlacementParts {
  readonly floor: Floor;
  readonly ledger: OrderLedger;
  readonly wallets: Wallets;
  readonly admission: Admission;
  readonly timers: Timers;
}

/** An order that an earlier run has kept. */
type KeptOrder = OrderRecord & Pick<ClientOrder, 'postOnly' | 'spends' | 'number'> & { readonly held: Held | null };

/** The engine's result for an order. */
interface Outcome {
  readonly filled: MicroShares;
  /** The engine's id if the order rests, else null. */
  readonly resting: OrderId | null;
  /** Whether nothing of the order is left to kill. */
  readonly isComplete: boolean;
}

export class Placement {
  readonly #parts: PlacementParts;
  readonly #delayed = new Map<ClientOrder, () => void>();
  #orders = 0;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  place(request: NewOrder, mode: VenueMode): Result<Execution, VenueARefusal> {
    const { floor, wallets, admission } = this.#parts;
    const now = floor.now();
    floor.expire(now);
    const wallet = wallets.find(request.wallet);
    const objection = admission.refusalOf(request, wallet, mode, now);
    if (wallet === undefined) return fail(objection ?? 'not-enough-balance');
    const order = new ClientOrder(request, wallet, this.#orders, 'LIVE', now);
    if (objection === 'post-only-crosses') this.#reportPostOnlyCross(order, now);
    if (objection !== null) return fail(objection);
    this.#orders += 1;
    return this.#isDelayed(order) ? ok(this.#delay(order, now)) : this.#match(order, now);
  }

  /**
   * Takes up an order of an earlier run. `held` is its reservation if it stood in the book. A taker delay begins again if it had not ended.
   */
  takeUp(record: KeptOrder, wallet: Wallet, held: Held | null): void {
    const { floor, ledger } = this.#parts;
    const request = { ...record, wallet: record.makerAddress };
    const order = new ClientOrder(request, wallet, record.number, record.status, record.createdAt);
    const { postOnly: _postOnly, spends: _spends, number: _number, held: _held, ...shown } = record;
    order.takeUp(shown);
    this.#orders = record.number + 1;
    ledger.add(order);
    if (held !== null) {
      const size = (record.size - record.matched) as MicroShares;
      const terms = orderTerms(order, order.yesPrice, size, timeInForceOf(record));
      ledger.rest(order, floor.engine.resume(terms, held));
    } else if (record.status === 'DELAYED') this.#awaitDelay(order);
    else ledger.end(order);
  }

  close(): void {
    for (const stop of this.#delayed.values()) stop();
    this.#delayed.clear();
  }

  #isDelayed({ market, side, yesPrice }: ClientOrder): boolean {
    return market.listing.takerDelayS > 0 && crosses(market, side, yesPrice);
  }

  #delay(order: ClientOrder, now: UnixMillis): Execution {
    const { floor, ledger } = this.#parts;
    ledger.add(order);
    const record = floor.change(order, 'PLACEMENT', { status: 'DELAYED' }, now);
    floor.report(now);
    this.#awaitDelay(order);
    return { order: record, outcome: 'delayed', filled: 0 as MicroShares, paid: 0 as MicroDollars, trades: [] };
  }

  #awaitDelay(order: ClientOrder): void {
    const { timers } = this.#parts;
    const stop = timers.after(order.market.listing.takerDelayS * 1_000, () => this.#afterDelay(order));
    this.#delayed.set(order, stop);
  }

  /** Matches the order after its delay. Every check runs again, because book, wallet and market may have changed. */
  #afterDelay(order: ClientOrder): void {
    const { floor, admission } = this.#parts;
    this.#delayed.delete(order);
    const now = floor.now();
    floor.expire(now);
    const { market, price } = order;
    const { spends, wallet } = order;
    const { size, token, isBuy } = order.record;
    if (!market.isOpen || !market.isOnGrid(price)) this.#kill(order, 'market-not-ready', 'INVALID', now);
    else if (!admission.canPay({ market, token, isBuy, price, size, spends }, wallet))
      this.#kill(order, 'not-enough-balance', 'INVALID', now);
    else this.#match(order, now);
  }

  #match(order: ClientOrder, now: UnixMillis): Result<Execution, VenueARefusal> {
    const { floor, ledger } = this.#parts;
    const isFresh = order.record.status === 'LIVE';
    const matched =
      order.spends === null ? this.#matchShares(order, now) : this.#matchDollars(order, order.spends, now);
    if (!matched.ok && isFresh && !isKill(matched.error)) return matched;
    if (isFresh) ledger.add(order);
    // After its taker delay, an order that cannot rest gets the same status as an order that then rests.
    if (!matched.ok)
      return this.#kill(order, matched.error, isFresh || !isKill(matched.error) ? 'CANCELED' : 'UNMATCHED', now);
    if (isFresh) floor.emit(order.record, 'PLACEMENT');
    const { filled, resting, isComplete } = matched.value;
    if (resting !== null) ledger.rest(order, resting);
    const trade = floor.digest(now, order);
    if (trade !== null) this.#fill(order, trade, isComplete, now);
    else if (!isFresh) floor.change(order, 'UPDATE', { status: 'UNMATCHED' }, now);
    if (resting === null && !isComplete) floor.change(order, 'CANCELLATION', { status: 'CANCELED' }, now);
    if (resting === null) ledger.end(order);
    else if (order.record.type === 'GTD') floor.waitForExpiry();
    floor.report(now);
    return ok({
      order: order.record,
      outcome: filled > 0 ? 'matched' : 'live',
      filled,
      paid: trade?.record.dollars ?? (0 as MicroDollars),
      trades: trade === null ? [] : [trade.record],
    });
  }

  #fill(order: ClientOrder, { record }: Trade, isComplete: boolean, now: UnixMillis): void {
    const change = withTrade(order.record, record.size, record.tradeId);
    const status = isComplete ? 'MATCHED' : 'LIVE';
    // A budget in dollars may have bought more shares than the order requested.
    const size = Math.max(order.record.size, change.matched) as MicroShares;
    this.#parts.floor.change(order, 'UPDATE', { ...change, size, status }, now);
  }

  #matchShares(order: ClientOrder, now: UnixMillis): Result<Outcome, VenueARefusal> {
    const { type, size } = order.record;
    if (type === 'FAK' && !crosses(order.market, order.side, order.yesPrice)) return fail('fak-no-match');
    const placed = this.#ask(order, order.yesPrice, size, timeInForceOf(order.record), now);
    if (!placed.ok) return fail(refusalOf(placed.error));
    const { order: id, filled, resting } = placed.value;
    return ok({ filled, resting: resting > 0 ? id : null, isComplete: filled === size });
  }

  /** Matches a budget in dollars level by level, so that each reservation equals the payment. */
  #matchDollars(order: ClientOrder, dollars: MicroDollars, now: UnixMillis): Result<Outcome, VenueARefusal> {
    const { market, token, price, record } = order;
    const { lots, size, isComplete } = purchase(market, token, price, dollars);
    if (record.type === 'FOK' && !isComplete) return fail('fok-not-filled');
    if (lots.length === 0) return fail('fak-no-match');
    for (const lot of lots) this.#ask(order, lot.price, lot.size, { type: 'IOC' }, now);
    return ok({ filled: size, resting: null, isComplete });
  }

  #ask(
    order: ClientOrder,
    price: ClientOrder['yesPrice'],
    size: MicroShares,
    timeInForce: TimeInForce,
    now: UnixMillis,
  ): Result<Placed, EngineRefusal> {
    return this.#parts.floor.engine.place(orderTerms(order, price, size, timeInForce), now);
  }

  #kill(
    order: ClientOrder,
    refusal: VenueARefusal,
    status: 'CANCELED' | 'INVALID' | 'UNMATCHED',
    now: UnixMillis,
  ): Result<never, VenueARefusal> {
    const { floor, ledger } = this.#parts;
    if (status === 'UNMATCHED') floor.change(order, 'UPDATE', { status }, now);
    else floor.change(order, 'CANCELLATION', { status, reason: REASONS[refusal] ?? '' }, now);
    ledger.end(order);
    floor.report(now);
    return fail(refusal);
  }

  /** Reports the order to its owner on the stream, although it never rested (venue-a.md §6.2). */
  #reportPostOnlyCross(order: ClientOrder, now: UnixMillis): void {
    const { floor } = this.#parts;
    floor.change(order, 'CANCELLATION', { status: 'UNMATCHED', reason: POST_ONLY_CROSSES }, now);
    floor.report(now);
  }
}

/** Returns the order as the engine takes it. */
function orderTerms(
  { wallet, market, side, isBuy, postOnly }: ClientOrder,
  price: ClientOrder['yesPrice'],
  size: MicroShares,
  timeInForce: TimeInForce,
): EngineOrder {
  return {
    account: wallet.account,
    market: market.id,
    side,
    effect: isBuy ? 'open' : 'close',
    price,
    size,
    timeInForce,
    postOnly,
    reduceOnly: false,
    selfTrade: 'allow',
  };
}

function timeInForceOf({ type, expirationS }: OrderRecord): TimeInForce {
  if (type === 'FAK') return { type: 'IOC' };
  return type === 'GTD' ? { type, expiresAt: expiresAt(expirationS) } : { type };
}

function refusalOf(refusal: EngineRefusal): VenueARefusal {
  if (refusal === 'fok-insufficient') return 'fok-not-filled';
  if (refusal === 'market-paused' || refusal === 'market-closed') return 'market-not-ready';
  return refusal === 'expired' ? 'invalid-expiration' : 'not-enough-balance';
}

/**
 * Whether the refusal means a killed order. An order that may not rest and finds no match counts as an order: it is kept, and reported as
 * killed.
 */
function isKill(refusal: VenueARefusal): boolean {
  return refusal === 'fok-not-filled' || refusal === 'fak-no-match';
}
