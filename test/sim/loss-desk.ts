// Loss limits of the simulated gateway. All books are LIVE, and their prices stay.

import type { Ticks } from '../../src/core/domain/numbers.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import type { MarketPrices } from '../../src/core/domain/position.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import type { Account } from '../../src/core/store/order-records.ts';
import type { LossLimitChange } from '../../src/core/wire/reports.ts';
import type { Ledger } from '../../src/orders/life/ledger.ts';
import { LossLimits } from '../../src/orders/life/loss-limits.ts';

export const PRICES: MarketPrices = { bid: 4_900 as Ticks, ask: 5_100 as Ticks, lastTrade: null };

interface LossDeskParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly account: Account;
  readonly actors: readonly string[];
  readonly cancelAll: (orderIds: readonly OrderId[], isRecorded: boolean) => void;
  readonly onChange: (change: LossLimitChange) => void;
  readonly storeFailed: (error: unknown) => void;
}

export function openLosses({ account, actors, cancelAll, ...parts }: LossDeskParts): LossLimits {
  return new LossLimits({
    ...{ ...parts, zone: 'UTC', accounts: [account] },
    actorsOf: () => actors,
    pricesOf: () => PRICES,
    onUnwanted: (_account, _actorId, ...unwanted) => cancelAll(...unwanted),
  });
}
