// Cancels orders at venue A (venue-a.md §3.3), one by one, each with its own answer. Orders in their taker delay cannot be cancelled. If
// the heartbeats of a key stop (§3.8), all its orders are cancelled.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { uuid } from '../ids.ts';
import { type ClientOrder, isOpen } from './client-order.ts';
import type { Floor } from './floor.ts';
import type { VenueAMarket } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { Cancellation, TokenIndex } from './records.ts';

const UNKNOWN = 'Order not found or already canceled';
const ENDED = 'already canceled or matched';
const DELAYED = 'order match delayed due to market conditions';

export class Cancels {
  readonly #floor: Floor;
  readonly #ledger: OrderLedger;

  constructor(floor: Floor, ledger: OrderLedger) {
    this.#floor = floor;
    this.#ledger = ledger;
  }

  cancel(owner: string, orderIds: readonly string[]): Cancellation {
    return this.#each(new Set(orderIds), orderId => {
      const order = this.#ledger.find(orderId);
      return order?.owner === owner ? this.#end(order) : UNKNOWN;
    });
  }

  /** Cancels all orders of a key, or only those of one market or token. */
  cancelAll(owner: string, market: VenueAMarket | null, token: TokenIndex | null): Cancellation {
    const chosen = new Map<string, ClientOrder>();
    for (const order of this.#ledger.open(owner)) {
      const isChosen = (market === null || order.market === market) && (token === null || order.token === token);
      if (isChosen) chosen.set(order.orderId, order);
    }
    return this.#each(chosen.keys(), orderId => this.#end(chosen.get(orderId)!));
  }

  /** Ends the orders that the start of their game would have ended while the exchange did not run (venue-a.md §9.3, `clearBookOnStart`). */
  endStarted(): void {
    const now = this.#floor.now();
    this.#floor.expire(now);
    for (const order of [...this.#ledger.allResting()]) {
      const { listing, event } = order.market;
      const { startsAt } = event.game;
      if (listing.clearsBookOnStart && startsAt <= now && order.record.createdAt < startsAt) this.#end(order);
    }
  }

  /** Ends each order with `end`, which returns the reason for a refusal, or null. */
  #each(orderIds: Iterable<string>, end: (orderId: string) => string | null): Cancellation {
    this.#floor.expire(this.#floor.now());
    const canceled: string[] = [];
    const notCanceled = new Map<string, string>();
    for (const orderId of orderIds) {
      const objection = end(orderId);
      if (objection === null) canceled.push(orderId);
      else notCanceled.set(orderId, objection);
    }
    return { canceled, notCanceled };
  }

  #end(order: ClientOrder): string | null {
    const now = this.#floor.now();
    if (order.engineId === null) return isOpen(order.record) ? DELAYED : ENDED;
    this.#floor.engine.cancel(order.account, order.engineId, now);
    this.#floor.conclude(now);
    return null;
  }
}

interface Beat {
  readonly id: string;
  readonly at: UnixMillis;
}

export class Heartbeats {
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #onSilence: (owner: string) => void;
  /** The last heartbeat of each API key, oldest first. */
  readonly #beats = new Map<string, Beat>();
  #stop: (() => void) | null = null;

  constructor(timers: Timers, random: Random, onSilence: (owner: string) => void) {
    this.#timers = timers;
    this.#random = random;
    this.#onSilence = onSilence;
  }

  /** Takes a heartbeat. Returns the id that the next heartbeat must echo. A refusal has the expected id. */
  beat(owner: string, id: string): Result<string, string> {
    const expected = this.#beats.get(owner)?.id ?? '';
    if (id !== expected) return fail(expected);
    if (expected === '' && this.#beats.size >= limits.paperApiKeysMax) return fail('');
    const next = { id: uuid(this.#random), at: this.#timers.now() };
    this.#beats.delete(owner);
    this.#beats.set(owner, next);
    if (this.#stop === null) this.#watch();
    return ok(next.id);
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #watch(): void {
    this.#stop = this.#timers.after(limits.paperVenueAHeartbeatCheckMs, () => {
      this.#stop = null;
      const silentSince = this.#timers.now() - limits.paperVenueAHeartbeatMs;
      for (const [owner, { at }] of this.#beats) {
        if (at > silentSince) break;
        this.#beats.delete(owner);
        this.#onSilence(owner);
      }
      if (this.#beats.size > 0) this.#watch();
    });
  }
}
