// Loss limits over the orders of a rig, with prices that a test sets.

import type { MicroDollars, Ticks } from '../../../src/core/domain/numbers.ts';
import { type MarketPrices, NO_PRICES } from '../../../src/core/domain/position.ts';
import type { LossLimitChange } from '../../../src/core/wire/reports.ts';
import { LossLimits } from '../../../src/orders/life/loss-limits.ts';
import { ACTOR, POD, type Rig } from './orders-rig.ts';

type Parts = Pick<Rig, 'ledger' | 'timers' | 'account' | 'executions' | 'lossHalt'>;

export const dollars = (amount: number): MicroDollars => Math.round(amount * 1e6) as MicroDollars;

export class LossRig {
  readonly losses: LossLimits;
  readonly changes: LossLimitChange[] = [];
  readonly storeFaults: unknown[] = [];
  /** The best prices of LIVE books, by address. */
  readonly prices = new Map<string, MarketPrices>();

  /** The rig's submissions check these loss limits. */
  constructor(rig: Parts, prices: ReadonlyMap<string, MarketPrices> = new Map(), zone = 'UTC') {
    for (const [address, its] of prices) this.prices.set(address, its);
    const { ledger, timers, account, executions } = rig;
    this.losses = new LossLimits({
      ...{ ledger, timers, zone, accounts: [account] },
      actorsOf: podId => (podId === POD ? [ACTOR, 'bob'] : []),
      pricesOf: (_venue, address) => this.prices.get(address) ?? NO_PRICES,
      onChange: change => this.changes.push(change),
      onUnwanted: (its, _actorId, orderIds, isRecorded) => executions.cancelNow(its, orderIds, isRecorded),
      storeFailed: error => this.storeFaults.push(error),
    });
    rig.lossHalt = (...asked) => this.losses.haltOf(...asked);
    this.losses.start();
  }

  /** Sets the best prices of a book. Null means that the book is not LIVE. */
  price(address: string, bid: number | null, ask: number | null = bid): void {
    this.prices.set(address, { bid: bid as Ticks | null, ask: ask as Ticks | null, lastTrade: null });
  }
}
