// What the suites of orders say to their callers, and what they hear.

import type { VenueBTradingAccount } from '../../src/domain/pod-accounts.ts';
import type { LoadAnswer } from './http-messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import type { Stages } from './server-timing.ts';

/** One caller of all of these, by names of the suite's; of them `gateway` is the gateway. */
export type OneCallerData = Readonly<Record<string, OrderTakerData>>;

export type OneCallerRequest =
  /** So many orders to each of them, in turns of `block`. */
  | { readonly op: 'submit'; readonly count: number; readonly block: number }
  /** The very requests to the gateway once more, in turns with as many signed `whoami`, whose round trips are those of `whoami`. */
  | { readonly op: 'replay'; readonly block: number }
  /** Cancels all of them, in the same turns. */
  | { readonly op: 'cancel'; readonly block: number };

/** One of each for every request. */
export interface OneCallerAnswer {
  /** Round trips, by who was asked. */
  readonly us: Readonly<Record<string, readonly number[]>>;
  /** What the gateway says of its own. */
  readonly stages: readonly Stages[];
}

/** Orders on many connections. */
export interface OrderLoadPlan {
  readonly count: number;
  readonly connections: number;
  /** Open loop: so many are due each second. Null: each connection sends one when the last is answered. */
  readonly ordersPerSecond: number | null;
}

/** `prepare` connects and signs, outside of what is timed; `cancel` cancels all that the last run has made. */
export type OrderLoadRequest =
  | { readonly op: 'prepare'; readonly plan: OrderLoadPlan }
  | { readonly op: 'run' }
  | { readonly op: 'cancel' };

export interface OrderLoadAnswer extends LoadAnswer {
  /** What the gateway says of each order, of a load on a gateway; `outside` is the rest of its latency. */
  readonly stages: readonly Stages[];
}

/** What the least gateway does with an order, each with all before it: sends it on; checks its signature; writes it down. */
export type LeastStep = 'forward' | 'check' | 'journal';

export interface LeastGatewayStart {
  readonly account: VenueBTradingAccount;
  /** Its only caller's. */
  readonly publicKeyHex: string;
  /** Need not be there. */
  readonly journalFile: string;
  readonly step: LeastStep;
}

export interface LeastGatewayStarted {
  readonly port: number;
  readonly pid: number;
}
