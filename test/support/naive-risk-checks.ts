// The naive twin of the risk checks of an actor's limits and holdings. It reads every order of the ledger, and judges each order by itself.

import { type Grid, ladderStep } from '../../src/core/domain/grid.ts';
import type { Order, OrderId } from '../../src/core/domain/order.ts';
import { directionOf } from '../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../src/core/domain/order-request.ts';
import type { LiveReads } from '../../src/core/store/order-records.ts';
import { limits } from '../../src/limits.ts';

const OPEN: readonly string[] = ['PENDING', 'SUBMITTED', 'OPEN'];
const [ROUNDING, UNREPORTED_MIN] = [10_000, 100_000];

interface NaiveCheck {
  readonly reads: Pick<LiveReads, 'order' | 'idempotency' | 'position'>;
  readonly orderIds: readonly OrderId[];
  readonly grid: Grid;
  readonly at: number;
}

export class NaiveRiskChecks {
  readonly #check: NaiveCheck;

  constructor(check: NaiveCheck) {
    this.#check = check;
  }

  /** Returns the most to which the request, the actor's other orders and its holding may grow in the request's direction. */
  grownBy(actorId: string, request: OrderRequest): number {
    const direction = directionOf(request);
    const own = this.#own(actorId, request).filter(order => directionOf(order.request) === direction);
    const growing = own.reduce((sum, order) => sum + this.#growth(order), 0);
    return direction * this.#held(actorId, request) + growing + this.#most(request);
  }

  /** Returns how much of a token the actor can sell at venue A: the size that is certain, and the largest possible size. */
  sellable(actorId: string, request: OrderRequest): readonly [number, number] {
    const own = this.#own(actorId, request);
    const of = (direction: 1 | -1) => own.filter(order => directionOf(order.request) === direction);
    const sold = of(-1).reduce((sum, order) => sum + (this.#isSoldOut(order) ? 0 : this.#growth(order)), 0);
    const bought = of(1).reduce((sum, order) => sum + (isOpen(order) || lacksFills(order) ? unreported(order) : 0), 0);
    const perhaps = of(1).filter(order => order.status === 'SUBMITTED' && order.venueOrderId === null);
    const unknown = perhaps.filter(order => !this.#isInFlight(order));
    const more = unknown.reduce(
      (sum, order) => sum + Math.max(0, this.#most(order.request) - order.filled.size - unreported(order)),
      0,
    );
    const free = this.#held(actorId, request) + bought - sold;
    return [free, free + more];
  }

  #own(actorId: string, request: OrderRequest): readonly Order[] {
    const orders = this.#check.orderIds.map(orderId => this.#check.reads.order(orderId)!.order);
    return orders.filter(order => order.actorId === actorId && address(order.request) === address(request));
  }

  #held(actorId: string, request: OrderRequest): number {
    return this.#check.reads.position(actorId, request.venue, address(request))?.size ?? 0;
  }

  #growth(order: Order): number {
    if (!isOpen(order)) return lacksFills(order) ? unreported(order) : 0;
    return Math.max(0, this.#most(order.request) - order.filled.size);
  }

  #most(request: OrderRequest): number {
    return 'dollars' in request ? request.dollars * (10_000 / ladderStep(this.#check.grid)) : request.size;
  }

  #isSoldOut(order: Order): boolean {
    const isMatched = isOpen(order) && order.request.timeInForce === 'FAK' && order.filled.size > 0;
    return isMatched && !this.#isInFlight(order);
  }

  #isInFlight({ actorId, request, idempotencyKey, sentAt, updatedAt }: Order): boolean {
    const entry = this.#check.reads.idempotency(actorId, request.venue, idempotencyKey);
    return (entry?.answer ?? null) === null && this.#check.at < (sentAt ?? updatedAt) + limits.venueAnswerTimeoutMs;
  }
}

function address(request: OrderRequest): string {
  return request.venue === 'venue_a' ? request.tokenId : request.ticker;
}

function isOpen({ status }: Order): boolean {
  return OPEN.includes(status);
}

function unreported({ filled, stated }: Order): number {
  const more = (stated?.size ?? 0) - filled.size;
  const isRounding = filled.size > 0 && more < ROUNDING;
  return more > 0 && !isRounding ? more : 0;
}

function lacksFills(order: Order): boolean {
  return unreported(order) >= (order.request.venue === 'venue_b' ? 1 : UNREPORTED_MIN);
}
