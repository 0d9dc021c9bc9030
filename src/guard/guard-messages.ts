// What the main thread and the guard thread send each other.

import type { Arena } from '../book/memory.ts';
import type { Refused } from '../domain/answer.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OpenOrder } from '../engine/engine-messages.ts';
import type { MetricsParts } from '../metrics/metrics.ts';
import type { Log } from '../runtime/log.ts';
import type { TradingPod } from '../venues/pod-trading.ts';

export interface GuardThreadData {
  readonly arena: Arena;
  readonly pods: readonly TradingPod[];
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

export interface GuardedCancel {
  readonly number: number;
  readonly order: OpenOrder;
  readonly deadline: UnixMillis;
}

export type ToGuard = GuardedCancel | 'close';

/** `over`: the order has left the venue's book for another reason. */
export type CarriedOut = { readonly type: 'cancelled' } | { readonly type: 'over' } | Refused;

export interface FromGuard {
  readonly number: number;
  readonly outcome: CarriedOut;
}
