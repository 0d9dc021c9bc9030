// Places, changes and cancels users' orders (venue-b.md §5.1 to §5.4). A client order id is used up once the engine has answered with an
// order. The two refusals that leave a canceled order use it up, too. Thread of the paper exchanges.

import { BID } from '../../core/domain/market.ts';
import { MICROS_PER_SHARE, type MicroDollars, type MicroShares, type UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { NewOrder as EngineOrder, EngineRefusal, OrderId, Placed, TimeInForce } from '../engine/engine-types.ts';
import type { Uuids } from '../ids.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import type { Journal, Requests } from './journal.ts';
import type { VenueBMarket } from './market.ts';
import type { ExchangeState, MarketLife } from './market-life.ts';
import type { OrderLedger } from './order-ledger.ts';
import type {
  Amendment,
  Cancellation,
  Decrease,
  Execution,
  NewOrder,
  OrderRecord,
  Owner,
  VenueBRefusal,
} from './records.ts';
import { type OrderGroup, type OwnerAccount, type Owners, VenueBOrder } from './venue-b-order.ts';

interface OrderEntryParts {
  readonly engine: Engine;
  readonly requests: Requests;
  readonly journal: Journal;
  readonly bookkeeping: Bookkeeping;
  readonly ledger: OrderLedger;
  readonly owners: Owners;
  readonly life: MarketLife;
  readonly state: ExchangeState;
  readonly uuids: Uuids;
  readonly now: () => UnixMillis;
}

const SIZE_MAX = limits.paperOrderContractsMax * MICROS_PER_SHARE;

export class OrderEntry {
  readonly #parts: OrderEntryParts;

  constructor(parts: OrderEntryParts) {
    this.#parts = parts;
  }

  place(owner: Owner, request: NewOrder): Result<Execution, VenueBRefusal> {
    const { owners, requests, uuids, now } = this.#parts;
    const account = owners.find(owner);
    if (account === undefined) return fail('insufficient-balance');
    const group = request.orderGroupId === null ? null : (account.groups.get(request.orderGroupId) ?? null);
    const objection = this.#refusalOf(account, request, group);
    if (objection !== null) return fail(objection);
    const order = new VenueBOrder(uuids.next(), account, request, group, now());
    const placed = requests.run(order, at => this.#offer(order, request, at));
    return placed.ok ? ok(executionSince(NOTHING, order.record)) : fail(refusalOf(placed.error));
  }

  cancel(owner: Owner, orderId: string): Result<Cancellation, VenueBRefusal> {
    const { engine, requests } = this.#parts;
    const found = this.#find(owner, orderId);
    if (!found.ok) return found;
    const { order, engineId } = found.value;
    const cancelled = requests.run(order, now => engine.cancel(order.accountId, engineId, now));
    return cancelled.ok ? ok({ order: order.record, reducedBy: cancelled.value }) : fail(refusalOf(cancelled.error));
  }

  /** Cancels the owner's orders on all shards. Returns their number. */
  cancelAll(owner: Owner): number {
    const { engine, requests, owners, state } = this.#parts;
    const account = owners.find(owner);
    if (account === undefined || !state.isExchangeActive) return 0;
    return requests.run(null, now =>
      account.shards.reduce((count, it) => count + (it === undefined ? 0 : engine.cancelAll(it.id, null, now)), 0),
    );
  }

  /** Reduces an order to a size, or by a size. */
  decrease(owner: Owner, orderId: string, change: Decrease): Result<OrderRecord, VenueBRefusal> {
    const { engine, requests } = this.#parts;
    const found = this.#find(owner, orderId);
    if (!found.ok) return found;
    const { order, engineId } = found.value;
    const to = ('to' in change ? change.to : order.remaining - change.by) as MicroShares;
    if (to < 0) return fail('invalid-size');
    const decreased = requests.run(order, now => {
      const result = engine.decrease(order.accountId, engineId, to, now);
      if (result.ok) order.reason = 'Decrease';
      return result;
    });
    return decreased.ok ? ok(order.record) : fail(refusalOf(decreased.error));
  }

  amend(owner: Owner, orderId: string, amendment: Amendment): Result<Execution, VenueBRefusal> {
    const { requests, state } = this.#parts;
    const found = this.#find(owner, orderId);
    if (!found.ok) return found;
    const { order, engineId } = found.value;
    const refusal = state.refusal() ?? this.#mismatch(order, amendment) ?? this.#notOpen(order.market);
    if (refusal !== null) return fail(refusal);
    if (amendment.total > SIZE_MAX) return fail('invalid-size');
    if (amendment.total <= order.filled) return fail('nothing-to-amend');
    const before = order.record;
    const amended = requests.run(order, now => this.#change(order, engineId, amendment, now));
    return amended.ok ? ok(executionSince(before, order.record)) : fail(refusalOf(amended.error));
  }

  /** Returns the number of contracts ahead of the order. */
  queuePosition(owner: Owner, orderId: string): Result<MicroShares, VenueBRefusal> {
    const found = this.#find(owner, orderId);
    return found.ok ? ok(this.#parts.engine.queueAhead(found.value.engineId)) : found;
  }

  /** Checks a new order, except for the checks of the engine. */
  #refusalOf(
    { user, shards }: OwnerAccount,
    { clientOrderId, market, reduceOnly, timeInForce, size, orderGroupId }: NewOrder,
    group: OrderGroup | null,
  ): VenueBRefusal | null {
    const paused = this.#parts.state.refusal();
    if (paused !== null) return paused;
    if (user.clientOrderIds.has(clientOrderId)) return 'order-exists';
    const closed = this.#notOpen(market);
    if (closed !== null) return closed;
    if (reduceOnly && timeInForce === 'GTC') return 'reduce-only-needs-ioc-or-fok';
    if (size > SIZE_MAX) return 'invalid-size';
    // A shard knows only its own groups (venue-b.md §5.7).
    if (orderGroupId !== null && group?.shard !== market.shard) return 'group-not-found';
    if (group?.isTriggered) return 'group-triggered';
    if (shards[market.shard] === undefined) return 'insufficient-shard-balance';
    return user.openOrders < limits.paperOpenOrdersPerUserMax ? null : 'open-orders-max';
  }

  #notOpen(market: VenueBMarket): 'market-paused' | 'market-closed' | null {
    this.#parts.life.advance(market);
    if (market.status === 'active') return null;
    return market.status === 'initialized' || market.status === 'inactive' ? 'market-paused' : 'market-closed';
  }

  #offer(order: VenueBOrder, request: NewOrder, now: UnixMillis): Result<Placed, EngineRefusal> {
    const { engine, bookkeeping, ledger, journal } = this.#parts;
    const { clientOrderIds } = order.account.user;
    const placed = bookkeeping.expecting(order, () => engine.place(engineOrder(order, request), now));
    if (placed.ok) {
      clientOrderIds.add(order.clientOrderId);
      // This is a reduce-only order that wanted more than the position, and has closed it.
      if (order.status === 'resting' && placed.value.resting === 0) ledger.end(order, 'canceled', 'ReduceOnlyCancel');
    } else if (placed.error === 'post-only-cross' || placed.error === 'fok-insufficient') {
      clientOrderIds.add(order.clientOrderId);
      ledger.addKilled(order, placed.error === 'post-only-cross' ? 'PostOnlyCrossCancel' : null);
      journal.touchOrder(order);
    }
    return placed;
  }

  #mismatch(order: VenueBOrder, amendment: Amendment): VenueBRefusal | null {
    const { ticker, side, clientOrderId, updatedClientOrderId: updated } = amendment;
    if (ticker !== order.market.ticker) return 'ticker-mismatch';
    if (side !== order.side) return 'side-mismatch';
    if (clientOrderId !== null && clientOrderId !== order.clientOrderId) return 'client-order-id-mismatch';
    if (updated === null || updated === order.clientOrderId) return null;
    return order.account.user.clientOrderIds.has(updated) ? 'order-exists' : null;
  }

  #change(
    order: VenueBOrder,
    engineId: OrderId,
    { price, total, expiresAt, updatedClientOrderId }: Amendment,
    now: UnixMillis,
  ): Result<Placed, EngineRefusal> {
    const { engine } = this.#parts;
    const { account, accountId, clientOrderId, filled } = order;
    // Immediate fills of an amendment have the new id already.
    order.clientOrderId = updatedClientOrderId ?? clientOrderId;
    const until = expiresAt === 'as before' ? order.expiresAt : expiresAt;
    const amended = engine.amend(accountId, engineId, price, (total - filled) as MicroShares, now, until);
    if (amended.ok) {
      account.user.clientOrderIds.add(order.clientOrderId);
      order.initial = total;
      order.expiresAt = until;
    } else order.clientOrderId = clientOrderId;
    return amended;
  }

  /** Returns the owner's order, if the order has not ended. */
  #find(owner: Owner, orderId: string): Result<{ order: VenueBOrder; engineId: OrderId }, VenueBRefusal> {
    const { ledger, owners, state } = this.#parts;
    if (!state.isExchangeActive) return fail('exchange-paused');
    const order = ledger.find(orderId);
    if (order?.status !== 'resting' || order.account !== owners.find(owner)) return fail('not-found');
    return order.engineId === null ? fail('not-found') : ok({ order, engineId: order.engineId });
  }
}

export function engineOrder({ accountId, market }: VenueBOrder, request: NewOrder): EngineOrder {
  const { side, price, size, postOnly, reduceOnly, selfTrade } = request;
  return {
    account: accountId,
    market: market.id,
    side,
    effect: 'net',
    price,
    size,
    timeInForce: timeInForceOf(request),
    postOnly,
    reduceOnly,
    selfTrade: selfTrade === 'maker' ? 'maker' : 'taker',
  };
}

function timeInForceOf({ timeInForce, expiresAt }: NewOrder): TimeInForce {
  if (timeInForce !== 'GTC') return { type: timeInForce };
  return expiresAt === null ? { type: 'GTC' } : { type: 'GTD', expiresAt };
}

type Taken = Pick<OrderRecord, 'filled' | 'takerFillCost' | 'takerFees'>;

const NOTHING: Taken = {
  filled: 0 as MicroShares,
  takerFillCost: 0 as MicroDollars,
  takerFees: 0 as MicroDollars,
};

/** Returns the effect of a request on an order. Fills during the request count as taker fills. */
function executionSince(before: Taken, order: OrderRecord): Execution {
  const filled = (order.filled - before.filled) as MicroShares;
  const paid = order.takerFillCost - before.takerFillCost;
  return {
    order,
    filled,
    cost: (order.side === BID ? paid : filled - paid) as MicroDollars,
    fees: (order.takerFees - before.takerFees) as MicroDollars,
  };
}

function refusalOf(refusal: EngineRefusal): VenueBRefusal {
  switch (refusal) {
    case 'insufficient-cash':
    case 'insufficient-holding':
    case 'unknown-account':
      return 'insufficient-balance';
    case 'off-grid':
      return 'invalid-price';
    case 'expired':
      return 'already-expired';
    case 'unknown-order':
    case 'not-owner':
    case 'order-done':
      return 'not-found';
    case 'unknown-market':
      return 'market-closed';
    case 'invalid-size':
    case 'post-only-cross':
    case 'fok-insufficient':
    case 'nothing-to-reduce':
    case 'market-paused':
    case 'market-closed':
      return refusal;
    default:
      return unreachable(refusal);
  }
}
