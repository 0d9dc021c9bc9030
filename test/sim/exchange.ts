// The truth of a simulated venue: orders exactly once by their client's name, fills, cancels, settlements that fail. Honest and instant;
// port.ts decides what its customers hear. It remembers its past states, for reads that lag.

import type { Liquidity, Settlement } from '../../src/core/domain/fill.ts';
import type { Venue } from '../../src/core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import { addressOf, directionOf, priceInFrame } from '../../src/core/domain/order-frame.ts';
import { expiresAtOf, type Intent, isPostOnly, type OrderRequest } from '../../src/core/domain/order-request.ts';
import { canRest } from '../../src/core/domain/order-sums.ts';
import type { AmendOutcome, GroupEvent, PrivateEvent, SubmitOutcome, VenueFill } from '../../src/venues/venue.ts';
import { shardOf, TrueGroups } from './groups.ts';
import { TrueMarkets } from './markets.ts';
import type { Schedule } from './schedule.ts';
import {
  costOf,
  framed,
  groupIn,
  openSize,
  part,
  refusedWith,
  sharesFor,
  statedOf,
  type TrueFill,
  type TrueOrder,
  termsOf,
  viewOf,
} from './true-order.ts';

/** The step of the grid of prices. */
export const TICK = 10 as Ticks;
/** The ticks by which a trade may be better than the price of its order. */
const BETTER_MAX = 1_500;

/** Returns the other token of a market at venue A, which has no book here. */
export function complementOf(address: string): string {
  return address.startsWith('c') ? address.slice(1) : `c${address}`;
}

interface ExchangeOptions {
  readonly venue: Venue;
  readonly schedule: Schedule;
  readonly tell: (event: PrivateEvent) => void;
}

export class Exchange {
  readonly orders = new Map<string, TrueOrder>();
  readonly fills: TrueFill[] = [];
  readonly transfers: { readonly address: string; readonly size: number; readonly at: UnixMillis }[] = [];
  /** The shares that actions of the wallet have moved. */
  readonly moves: { readonly address: string; readonly size: number; readonly at: UnixMillis }[] = [];
  readonly groups: TrueGroups;
  readonly markets = new TrueMarkets();
  /** The time of the last change of an order. */
  changedAt = 0;
  readonly #options: ExchangeOptions;
  /** The names of all orders. A name stays used for good. */
  readonly #used = new Set<string>();
  #isQuiet = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.groups = new TrueGroups(
      () => options.schedule.now(),
      (groupId, change) => this.#changeGroup(groupId, change),
    );
  }

  /** Stops all trades, so that waiters see the present state. */
  quiet(): void {
    this.#isQuiet = true;
  }

  arrive({ request }: Order, { clientOrderId, venueOrderId, payload }: Intent): SubmitOutcome {
    const { random } = this.#options.schedule;
    if (this.#used.has(clientOrderId)) return { type: 'exists', message: 'order already exists' };
    const isClosed = this.markets.isClosed(addressOf(request));
    if (isClosed) return refusedWith('notFound', 'the market is closed');
    const groupId = groupIn(payload);
    const fault = groupId === null ? null : this.groups.faultOf(groupId, shardOf(addressOf(request)));
    if (fault !== null)
      return { type: 'not-sent', message: fault, retryAfterS: 1, venueError: { code: fault, message: '' } };
    if (random.happens(0.08)) return refusedWith('insufficientBalance', 'insufficient balance');
    if (this.#hasExpired(request)) return refusedWith('invalid', 'expiration_time must be in the future');
    const order: TrueOrder = {
      venueOrderId: venueOrderId ?? `v-${this.orders.size}-${random.hex(6)}`,
      clientOrderId,
      request,
      ...termsOf(request),
      groupId,
      state: 'rests',
      ended: null,
      fills: [],
      history: [],
    };
    const wouldTake = isPostOnly(request) && random.chance(0.3);
    const isKilled = wouldTake || (request.timeInForce === 'FOK' && random.chance(0.4));
    if (isKilled && this.#options.venue === 'venue_a') return refusedWith('invalid', 'could not be fully filled', true);
    this.orders.set(clientOrderId, order);
    this.#used.add(clientOrderId);
    if (isKilled) {
      this.#become(order, 'gone');
      return refusedWith('invalid', 'insufficient resting volume', true);
    }
    if (this.#options.venue === 'venue_a' && random.happens(0.1)) {
      this.#become(order, 'delayed');
      this.#options.schedule.after(1_000 + random.below(2_000), () => this.#match(order));
      return { type: 'accepted', venueOrderId: order.venueOrderId, state: 'delayed', stated: null };
    }
    this.#match(order);
    this.#meetOwn(order);
    const saysAll = random.chance(0.5) || order.fills.length === 0;
    const stated = saysAll ? framed(order, statedOf(order)) : null;
    if (order.state !== 'gone')
      return { type: 'accepted', venueOrderId: order.venueOrderId, state: order.state, stated };
    const { venueOrderId: id } = order;
    const isGroups = order.ended === 'PROTECTION';
    const reason = order.ended === 'SELF_TRADE' ? order.ended : isGroups ? 'VENUE' : undefined;
    if (stated === null) return { type: 'exists', message: 'at prices that are not said', venueOrderId: id, reason };
    return { type: 'accepted', venueOrderId: id, state: 'gone', stated, reason };
  }

  /** Cancels an order. `not-now` means that the venue holds the cancel back. */
  cancel(venueOrderId: string): 'cancelled' | 'not-found' | 'not-now' {
    const order = this.byVenueId(venueOrderId);
    if (order?.state === 'delayed') return 'not-now';
    if (order?.state !== 'rests') return 'not-found';
    this.#end(order, 'by us');
    return 'cancelled';
  }

  /** Trades a part of the order at the last moment, so that the cancel behind it finds less. */
  tradeBefore(venueOrderId: string): void {
    const order = this.byVenueId(venueOrderId);
    if (order?.state === 'rests' && !this.#isQuiet)
      this.#trade(order, part(order, this.#options.schedule.random.next()), 'MAKER');
  }

  /** Changes an order in place and gives it another name. `total` includes the size that the order has filled. */
  amend(venueOrderId: string, name: string, addressPrice: Ticks, total: number): AmendOutcome {
    const { random } = this.#options.schedule;
    const order = this.byVenueId(venueOrderId);
    if (order?.state !== 'rests') return { type: 'not-found', message: 'not found' };
    if (this.#used.has(name)) return { type: 'unknown', cause: 'unreadable', message: 'order already exists' };
    const filled = order.size - openSize(order);
    const isRefused = random.happens(0.1) || total <= filled;
    if (isRefused) return { type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED', message: 'no' } };
    const isResized = total !== order.size;
    this.orders.delete(order.clientOrderId);
    this.orders.set(name, order);
    this.#used.add(name);
    [order.clientOrderId, order.size, order.price] = [name, total, priceInFrame(order.request, addressPrice)];
    this.#become(order, 'rests');
    const taken = random.chance(0.2) ? part(order, random.next()) : 0;
    this.#trade(order, taken, 'TAKER');
    this.#meetOwn(order);
    const isOver = this.byVenueId(venueOrderId)?.state === 'gone';
    const isStated = isResized || taken > 0 || isOver;
    const remaining = isStated ? ((isOver ? 0 : openSize(order)) as MicroShares) : null;
    return { type: 'amended', venueOrderId, remaining, taken: taken as MicroShares };
  }

  byVenueId(venueOrderId: string): TrueOrder | null {
    for (const order of this.orders.values()) if (order.venueOrderId === venueOrderId) return order;
    return null;
  }

  /** Closes a market for good: all orders that rest there end. */
  close(address: string): void {
    this.markets.close(address);
    for (const order of this.orders.values())
      if (addressOf(order.request) === address && order.state === 'rests') this.#end(order, 'MARKET_CLOSED');
  }

  /** Pays out a closed market. */
  pay(address: string, value: Ticks): void {
    this.markets.pay(address, value, this.position(address) !== 0);
    const other = complementOf(address);
    if (this.moves.some(it => it.address === other))
      this.markets.pay(other, (TICKS_PER_DOLLAR - value) as Ticks, this.position(other) !== 0);
  }

  /** Moves shares from or to another account. */
  transfer(address: string, size: number): void {
    this.transfers.push({ address, size, at: this.#options.schedule.now() });
  }

  /** Makes or burns shares, as the wallet does. */
  move(address: string, size: number): void {
    if (size === 0) return;
    this.moves.push({ address, size, at: this.#options.schedule.now() });
    const paid = this.markets.payouts();
    const other = paid.get(complementOf(address));
    if (other !== undefined && !paid.has(address))
      this.markets.pay(address, (TICKS_PER_DOLLAR - other.value) as Ticks, true);
  }

  /** Returns whether the chain has not mined all trades of the address. */
  isUnsettled(address: string): boolean {
    return this.fills.some(
      ({ fill, settlement }) => fill.address === address && (settlement === 'MATCHED' || settlement === 'RETRYING'),
    );
  }

  wasMoved(address: string): boolean {
    return this.transfers.some(it => it.address === address);
  }

  /** Returns the size that the account holds, or held at `asOf`: trades that have not failed, and transfers, without payouts. */
  position(address: string, asOf = Number.POSITIVE_INFINITY): number {
    if (this.markets.isOver(this.#options.venue, address)) return 0;
    const transfers = [...this.transfers, ...this.moves].filter(it => it.address === address && it.at <= asOf);
    return transfers.reduce((sum, { size }) => sum + size, this.traded(address, asOf));
  }

  traded(address: string, asOf = Number.POSITIVE_INFINITY): number {
    return this.fills
      .filter(({ fill, settlement }) => fill.address === address && settlement !== 'FAILED' && fill.executedAt <= asOf)
      .reduce((sum, { fill }) => sum + fill.positionChange, 0);
  }

  /** Whether the venue has let the account sell more than it bought and its wallet made. */
  isOversold(address: string): boolean {
    const moves = this.moves.filter(it => it.address === address);
    return moves.reduce((sum, { size }) => sum + size, this.traded(address)) < 0;
  }

  addresses(): readonly string[] {
    return [
      ...new Set([
        ...this.fills.map(({ fill }) => fill.address),
        ...[...this.transfers, ...this.moves].map(it => it.address),
      ]),
    ];
  }

  #hasExpired(request: OrderRequest): boolean {
    return (expiresAtOf(request) ?? Number.POSITIVE_INFINITY) <= this.#options.schedule.now();
  }

  /** Now and then the order meets another order of its account. The venue then cancels the order that the new order's terms choose. */
  #meetOwn(order: TrueOrder): void {
    const { random } = this.#options.schedule;
    const { request } = order;
    if (request.venue !== 'venue_b' || order.state !== 'rests' || isPostOnly(request) || !random.chance(0.1)) return;
    const isTaker = request.terms?.selfTrade !== 'CANCEL_MAKER';
    const met = [...this.orders.values()].find(
      it => it !== order && it.state === 'rests' && addressOf(it.request) === request.ticker,
    );
    if (met !== undefined) this.#end(isTaker ? order : met, 'SELF_TRADE');
  }

  #match(order: TrueOrder): void {
    const { random } = this.#options.schedule;
    const { timeInForce } = order.request;
    const isClosed = this.markets.isClosed(addressOf(order.request));
    if (isClosed || this.#hasExpired(order.request)) {
      this.#end(order, isClosed ? 'MARKET_CLOSED' : 'EXPIRED');
      return;
    }
    const [left, takes] = [order.size, !isPostOnly(order.request)];
    if (timeInForce === 'FOK' || (takes && random.chance(0.2))) this.#trade(order, left, 'TAKER');
    else if (takes && random.chance(0.4)) this.#trade(order, part(order, random.next()), 'TAKER');
    if (order.state === 'gone') return;
    this.#become(order, canRest(order.request) ? 'rests' : 'gone');
    if (order.state !== 'rests') return;
    this.#rest(order);
    this.#expireIn(order);
  }

  #expireIn(order: TrueOrder): void {
    const expiresAt = expiresAtOf(order.request);
    if (expiresAt === null) return;
    const { schedule } = this.#options;
    schedule.after(expiresAt - schedule.now(), () => order.state === 'rests' && this.#end(order, 'EXPIRED'));
  }

  /** Rests the order. Now and then somebody trades with it, or the venue takes it out of its book. */
  #rest(order: TrueOrder): void {
    const { schedule } = this.#options;
    const { random } = schedule;
    schedule.after(random.exponential(8_000), () => {
      if (order.state !== 'rests' || this.#isQuiet) return;
      if (random.happens(0.1)) this.#end(order, random.pick(['MARKET_CLOSED', 'VENUE'] as const));
      else if (random.chance(0.5))
        this.#trade(order, random.chance(0.5) ? openSize(order) : part(order, random.next()), 'MAKER');
      this.#rest(order);
    });
  }

  /** Trades a part of the order. For `sizeAtLimit`, the same dollars buy more at a better price. */
  #trade(order: TrueOrder, sizeAtLimit: number, liquidity: Liquidity): void {
    if (sizeAtLimit <= 0) return;
    const { schedule, venue, tell } = this.#options;
    const id = `t-${this.fills.length}`;
    const addressPrice = this.#priceOf(order);
    const isByDollar = 'dollars' in order.request;
    const size = isByDollar ? sharesFor(costOf(sizeAtLimit, order.price), addressPrice) : sizeAtLimit;
    const fill: VenueFill = {
      fillId: venue === 'venue_b' ? `${id}.${order.venueOrderId}` : id,
      venueTradeId: id,
      price: addressPrice,
      addressPrice,
      size: size as MicroShares,
      fee: (100 + schedule.random.below(1_000)) as MicroDollars,
      liquidity,
      settlement: venue === 'venue_a' ? 'MATCHED' : 'CONFIRMED',
      executedAt: schedule.now(),
      venueOrderId: order.venueOrderId,
      clientOrderId: venue === 'venue_a' ? null : order.clientOrderId,
      address: addressOf(order.request),
      positionChange: (directionOf(order.request) * size) as MicroShares,
    };
    const traded = {
      fill,
      settlement: fill.settlement,
      failedAt: Number.POSITIVE_INFINITY,
      failedTime: Number.POSITIVE_INFINITY,
    };
    this.fills.push(traded);
    order.fills.push(traded);
    this.#become(order, openSize(order) === 0 ? 'gone' : order.state);
    tell({ type: 'fill', fill });
    if (order.groupId !== null) this.groups.traded(order.groupId, size);
    if (venue === 'venue_a') this.#settle(order, traded);
  }

  /**
   * Returns the order's limit or a better price. An order for dollars now and then gets the grid's lowest price, at which dollars buy the
   * most.
   */
  #priceOf({ request, price }: TrueOrder): Ticks {
    const { random } = this.#options.schedule;
    if ('dollars' in request && random.chance(0.1)) return (TICK * (1 + random.below(3))) as Ticks;
    const limit = priceInFrame(request, price);
    const better = random.below(BETTER_MAX);
    return Math.min(Math.max(limit - directionOf(request) * better, 1), TICKS_PER_DOLLAR - 1) as Ticks;
  }

  #settle(order: TrueOrder, traded: TrueFill): void {
    const { schedule } = this.#options;
    const { random } = schedule;
    const say = (settlement: Settlement): void => {
      traded.settlement = settlement;
      this.#options.tell({ type: 'settlement', fillId: traded.fill.fillId, settlement });
    };
    schedule.after(500 + random.below(4_000), () => {
      if (random.chance(0.3)) say('RETRYING');
      if (random.happens(0.12)) {
        const wasFull = order.state === 'gone' && openSize(order) === 0;
        [traded.failedAt, traded.failedTime] = [this.fills.length, schedule.now()];
        say('FAILED');
        const isOver = this.#hasExpired(order.request) || this.markets.isClosed(addressOf(order.request));
        const rests = wasFull && canRest(order.request) && !isOver && random.chance(0.5);
        this.#become(order, rests ? 'rests' : order.state);
        if (rests) this.#rest(order);
        if (rests) this.#expireIn(order);
        return;
      }
      say('MINED');
      schedule.after(random.below(3_000), () => say('CONFIRMED'));
    });
  }

  #changeGroup(groupId: string, change: GroupEvent['change']): void {
    const { schedule, tell } = this.#options;
    if (change === 'reset') {
      tell({ type: 'group', groupId, change, sentAt: null });
      return;
    }
    const isSaidFirst = schedule.random.chance(0.5);
    if (isSaidFirst) tell({ type: 'group', groupId, change, sentAt: null });
    for (const order of this.orders.values())
      if (order.groupId === groupId && order.state === 'rests' && openSize(order) > 0) this.#end(order, 'PROTECTION');
    if (!isSaidFirst) tell({ type: 'group', groupId, change, sentAt: null });
  }

  #end(order: TrueOrder, by: Exclude<TrueOrder['ended'], null>): void {
    order.ended = by;
    this.#become(order, 'gone');
  }

  #become(order: TrueOrder, state: TrueOrder['state']): void {
    order.state = state;
    const { clientOrderId, size, price } = order;
    const at = this.#options.schedule.now();
    this.changedAt = at;
    order.history.push({ at, state, fills: order.fills.length, clientOrderId, size, price });
    this.#options.tell({ type: 'order', order: viewOf(this.#options.venue, order) });
  }
}
