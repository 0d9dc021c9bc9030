// In which markets somebody has an open order or a position, whoever's they are: those are kept (contract §5). An order is heard of as
// it changes. A round through the store, a slice at a time, finds what nobody told of, as settlements and fills that are nobody's,
// and what is over. Main thread.

import { type MarketKey, marketKey } from '../domain/market.ts';
import { isTerminal } from '../domain/order.ts';
import { addressOf } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import type { PodAccounts } from '../domain/pod-accounts.ts';
import { limits } from '../limits.ts';
import { unattributedOf } from '../orders/bookings.ts';
import { inTurns } from '../runtime/in-turns.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Account, OrderEventRecord, OrderReads } from '../store/order-records.ts';
import { StoreError } from '../store/store-error.ts';
import type { ActorsOf } from './pod-actors.ts';
import type { KeptMarkets } from './stream/kept-markets.ts';

export interface TradedMarketsParts {
  readonly kept: Pick<KeptMarkets, 'beginRound' | 'keep' | 'endRound'>;
  readonly orders: Pick<OrderReads, 'openOrders' | 'positions'>;
  readonly pods: readonly PodAccounts[];
  readonly actorsOf: ActorsOf;
  readonly timers: Timers;
  readonly log: Log;
}

export class TradedMarkets {
  readonly #parts: TradedMarketsParts;
  readonly #accounts: readonly Account[];
  #isClosed = false;
  #cancelRound: () => void = () => {};

  constructor(parts: TradedMarketsParts) {
    this.#parts = parts;
    this.#accounts = parts.pods.flatMap(accountsOf);
  }

  /** Begins the rounds, if anybody can trade at all. */
  start(): void {
    if (this.#accounts.length > 0) void this.#goRound();
  }

  /** Of committed changes. */
  hear(events: readonly OrderEventRecord[]): void {
    for (const { order } of events) {
      if (!isTerminal(order.status) || order.filled.size > 0) this.#parts.kept.keep(marketOf(order.request));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRound();
  }

  async #goRound(): Promise<void> {
    const { kept, timers, log } = this.#parts;
    try {
      kept.beginRound();
      for await (const market of inTurns(this.#rows(), limits.keptRowsPerTurnMax)) {
        if (this.#isClosed) return;
        if (market !== null) kept.keep(market);
      }
      kept.endRound();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // What is kept stays, and what is new is heard of.
      log.warn('the markets of orders and positions cannot be read', { error: error.message });
    }
    if (this.#isClosed) return;
    this.#cancelRound = timers.after(limits.keptMarketsRoundMs, () => void this.#goRound());
  }

  /** Of every row that is looked at, its market; null of one that is over. */
  *#rows(): Iterable<MarketKey | null> {
    const { orders, actorsOf } = this.#parts;
    for (const account of this.#accounts) {
      for (const { order } of orders.openOrders(account)) yield marketOf(order.request);
      const { podId, venue } = account;
      for (const owner of [...actorsOf(podId), unattributedOf(podId)]) {
        for (const { address, size, isRedeemable } of orders.positions(owner, venue)) {
          // What is redeemable pays what it pays, whatever its book says.
          yield size === 0 || isRedeemable ? null : marketKey(venue, address);
        }
      }
    }
  }
}

function accountsOf({ podId, venueA, venueB }: PodAccounts): Account[] {
  return [
    ...(venueA === null ? [] : [{ podId, venue: 'venue_a' } as const]),
    ...(venueB === null ? [] : [{ podId, venue: 'venue_b' } as const]),
  ];
}

function marketOf(request: OrderRequest): MarketKey {
  return marketKey(request.venue, addressOf(request));
}
